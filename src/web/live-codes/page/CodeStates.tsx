import { Button, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useCodesRoute } from '../../kit/codes/codesScreen.ts';
import { Empty, Failure, Page } from '../../kit/feedback.ts';
import { useFormat } from '../../kit/texts/format.ts';
import { VersionList } from '../versions/VersionList.tsx';

const pollMilliseconds = 15_000;

/** An id as addresses hold it; undefined where it is none. */
export const idIn = (text: string | null | undefined): number | undefined =>
  /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : undefined;

type LoadedCodeProps = {
  /** Undefined where the address holds no id. */
  id: number | undefined;
  children: (code: LiveCodeDetails) => ReactNode;
};

/** A code with its targets for whatever shows it; until it is there, and where it is not found or not told, the words for that. */
export function LoadedCode({ id, children }: LoadedCodeProps) {
  const answer = useCall(
    api.qr_code_list.details,
    { id: id ?? 0 },
    { enabled: id !== undefined, placeholderData: undefined, refetchInterval: pollMilliseconds },
  );
  const { data, error, refetch, isFetching } = answer;
  if (data) return children(data);
  if (id === undefined || error?.status === 404) return <UnknownCode />;
  return (
    <Page title="common.field.live_code">
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
    <Page title="common.field.live_code">
      <Empty
        picture="search"
        title="set_qr_code.unknown.title"
        help="set_qr_code.unknown.help"
        action={
          <Link to={useCodesList(undefined)}>
            <Button>{t('set_qr_code.back')}</Button>
          </Link>
        }
      />
    </Page>
  );
}

/** The list to go back to from a code: the user's own where it is his, else that of all codes he may see. */
export function useCodesList(owner_id: number | undefined): string {
  const { user, allows } = useSession();
  const all = useCodesRoute();
  return owner_id !== undefined && owner_id === user?.id && allows('qr_code_list') ? '/customer/qr_code_list' : all();
}

/** A code in the recycle bin: nothing can be done with it here, but how it came to be can still be read. */
export function RemovedCode({ code }: { code: LiveCodeDetails }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  const { allows } = useSession();
  const { removed_at, removed_by_account } = code;
  const facts = { time: removed_at ? time(removed_at) : '–', account: removed_by_account ?? '–' };
  return (
    <Page title={code.name}>
      <Empty
        title="qr_code.removed.title"
        help={t('qr_code.removed.help', facts)}
        action={
          allows('qr_code_remove') && (
            <Link to={`/customer/qr_code_remove?search=${encodeURIComponent(code.file_name)}`}>
              <Button type="primary">{t('qr_code.removed.act')}</Button>
            </Link>
          )
        }
      />
      <section className="lc-panel">
        <div className="lc-panel-head">
          <h2>{t('code_version.history')}</h2>
        </div>
        <VersionList code={code} />
      </section>
    </Page>
  );
}
