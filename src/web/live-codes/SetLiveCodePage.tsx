import { Button, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import type { LiveCodeDetails } from '../../contract/codes/live-code.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Empty, Failure, Page } from '../kit/feedback.ts';
import { LiveCodeForm } from './edit/LiveCodeForm.tsx';
import './live-codes.css';

/** An id from the address; undefined where there is none, NaN where it is no id. */
const idIn = (value: string | null): number | undefined =>
  value === null ? undefined : /^[1-9]\d{0,15}$/.test(value) ? Number(value) : Number.NaN;

/** `?id=` changes a code, `?copy=` makes one like another, without either a new one is made. */
export function SetLiveCodePage() {
  const [params] = useSearchParams();
  const [id, copied] = [idIn(params.get('id')), idIn(params.get('copy'))];
  const wanted = id ?? copied;
  if (wanted === undefined) return <LiveCodeForm key="new" />;
  if (Number.isNaN(wanted)) return <UnknownCode />;
  return id === undefined ? (
    <Loaded key={`copy ${wanted}`} id={wanted}>
      {(code) => <LiveCodeForm original={code} />}
    </Loaded>
  ) : (
    <Loaded key={wanted} id={wanted}>
      {(code) => <LiveCodeForm code={code} />}
    </Loaded>
  );
}

function Loaded({ id, children }: { id: number; children: (code: LiveCodeDetails) => React.ReactNode }) {
  const { data, error, refetch, isFetching } = useCall(api.qr_code_list.details, { id }, { placeholderData: undefined });
  if (data) return children(data);
  if (error?.status === 404) return <UnknownCode />;
  return (
    <Page title="set_qr_code.title">
      {error ? (
        <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />
      ) : (
        <Skeleton active paragraph={{ rows: 12 }} />
      )}
    </Page>
  );
}

function UnknownCode() {
  const { t } = useTranslation();
  return (
    <Page title="set_qr_code.title">
      <Empty
        picture="search"
        title="set_qr_code.unknown.title"
        help="set_qr_code.unknown.help"
        action={
          <Link to="/customer/qr_code_list">
            <Button>{t('set_qr_code.back')}</Button>
          </Link>
        }
      />
    </Page>
  );
}
