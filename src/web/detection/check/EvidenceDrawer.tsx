import { Skeleton, Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import type { CheckedUrl } from '../../../contract/detection/wx-shield-detection.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Evidence } from '../../kit/detection/Evidence.tsx';
import { Drawer } from '../../kit/dialogs/dialogs.tsx';
import { blockState } from '../../kit/domainStates.tsx';
import { Copyable, Failure, Status, Time } from '../../kit/feedback.ts';
import { hostName } from '../../kit/host.ts';
import { useProgressInterval } from './useProgressInterval.ts';

/** What each detector found about one address of a check. */
export function EvidenceDrawer({ url, isRunning, onClose }: { url: CheckedUrl; isRunning: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const answer = useCall(api.wx_shield_detection.details, { id: url.id }, { refetchInterval: useProgressInterval(isRunning) });
  const found = answer.data?.id === url.id ? answer.data : undefined;
  return (
    <Drawer open onClose={onClose} size={760} title={hostName(url)}>
      {found ? (
        <>
          <dl className="lc-facts lc-evidence-facts">
            <div>
              <dt>{t('wx_shield_detection.url')}</dt>
              <dd>
                <Copyable value={found.url} code />
              </dd>
            </div>
            <div>
              <dt>{t('domain_list.block_status')}</dt>
              <dd>
                <Status {...blockState(found)} /> {found.disputed && <Tag color="warning">{t('domain_monitor.disputed')}</Tag>}
              </dd>
            </div>
            {found.reason !== '' && (
              <div>
                <dt>{t('common.field.reason')}</dt>
                <dd>{found.reason}</dd>
              </div>
            )}
            <div>
              <dt>{t('domain_list.checked_at')}</dt>
              <dd>
                <Time value={found.checked_at} exact />
              </dd>
            </div>
          </dl>
          <h3 className="lc-drawer-head">{t('wx_shield_detection.evidence')}</h3>
          <Evidence findings={found.findings} />
        </>
      ) : answer.isError ? (
        <Failure error={answer.error} retry={() => void answer.refetch()} isRetrying={answer.isFetching} />
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </Drawer>
  );
}
