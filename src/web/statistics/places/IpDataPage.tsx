import { Alert, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Failure, Page } from '../../kit/feedback.ts';
import { IpList } from './IpList.tsx';
import { LookUp } from './LookUp.tsx';
import './places.css';

/** The lists by which places of addresses are looked up: how old they are, newer ones, and what they say of an address. */
export function IpDataPage() {
  const { t } = useTranslation();
  const { data, error, refetch, isFetching } = useCall(api.ip_data.inquire, {});
  const old = data?.content.filter(({ is_old }) => is_old) ?? [];
  return (
    <Page title="menu.ip_data" help={t('ip_data.help')}>
      {data === undefined && (error ? <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} /> : <Skeleton active />)}
      {data && old.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('ip_data.old', {
            names: old.map(({ family }) => `IPv${family}`).join(t('common.comma')),
            count: data.warning_days,
          })}
          description={t('ip_data.old_help')}
        />
      )}
      {data && (
        <div className="lc-ip-lists">
          {data.content.map((list) => (
            <IpList key={list.family} list={list} />
          ))}
        </div>
      )}
      {data && <LookUp corrections={data.corrections} />}
    </Page>
  );
}
