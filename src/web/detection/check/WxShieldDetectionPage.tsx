import { HistoryOutlined } from '@ant-design/icons';
import { Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Empty, Failure, Page } from '../../kit/feedback.ts';
import { CheckForm } from './CheckForm.tsx';
import { ChecksDrawer } from './ChecksDrawer.tsx';
import { Results } from './Results.tsx';
import { useProgressInterval } from './useProgressInterval.ts';
import '../detection.css';

/** The check that is shown: the one that the address names, else the newest; asked for anew while it is under way. */
function useCheck(id: number | null) {
  const interval = useProgressInterval(true);
  return useCall(
    api.wx_shield_detection.checks,
    { ...(id === null ? {} : { ids: [id] }), page: 1, page_size: 1 },
    { refetchInterval: ({ state }) => (state.data?.content[0]?.finished_at === null ? interval : false) },
  );
}

/** Paste addresses and learn which of them messengers block, and by which evidence. */
export function WxShieldDetectionPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const [isListing, setIsListing] = useState(false);
  const named = Number(params.get('check'));
  const answer = useCheck(Number.isSafeInteger(named) && named > 0 ? named : null);
  const check = answer.data?.content[0];
  const show = (id: number) => setParams({ check: String(id) });

  function results() {
    if (check) return <Results key={check.id} check={check} />;
    if (answer.isError) return <Failure error={answer.error} retry={() => void answer.refetch()} isRetrying={answer.isFetching} />;
    if (!answer.data) return <Skeleton active paragraph={{ rows: 6 }} />;
    return <Empty picture="find" title="wx_shield_detection.empty" help="wx_shield_detection.empty_help" />;
  }
  return (
    <Page
      title="menu.wx_shield_detection"
      help={t('wx_shield_detection.help')}
      actions={
        <Button icon={<HistoryOutlined />} onClick={() => setIsListing(true)}>
          {t('wx_shield_detection.earlier')}
        </Button>
      }
    >
      <CheckForm onStarted={show} />
      {results()}
      {isListing && (
        <ChecksDrawer
          onChosen={({ id }) => {
            show(id);
            setIsListing(false);
          }}
          onClose={() => setIsListing(false)}
        />
      )}
    </Page>
  );
}
