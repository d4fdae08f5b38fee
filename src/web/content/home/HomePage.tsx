import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { Empty, Failure, Page } from '../../kit/feedback.ts';
import { useLiveFigures } from '../../kit/socket/liveFigures.ts';
import { HomeBlocks } from './HomeBlocks.tsx';
import './home.css';

const pollMilliseconds = 30_000;

/** The first screen of a customer: what the operator has to say, today's figures, and what to do next. */
export function HomePage() {
  const { t } = useTranslation();
  const { user } = useSession();
  const { data, error, refetch, isFetching } = useCall(api.home.inquire, {}, { refetchInterval: useLiveFigures('home', pollMilliseconds) });
  return (
    <Page title="menu.home" help={user && t('home.welcome', { name: user.name || user.account })}>
      {data ? (
        data.blocks.length > 0 ? (
          <HomeBlocks blocks={data.blocks} home={data} />
        ) : (
          <section className="lc-panel">
            <Empty title="home.empty" help="home.empty_help" />
          </section>
        )
      ) : error ? (
        <section className="lc-panel">
          <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />
        </section>
      ) : (
        <Loading />
      )}
    </Page>
  );
}

function Loading() {
  return (
    <div className="home-blocks" aria-busy>
      <div className="lc-stats">
        {[0, 1, 2, 3].map((key) => (
          <div key={key} className="lc-stat">
            <Skeleton active title={{ width: 80 }} paragraph={{ rows: 1, width: '60%' }} />
          </div>
        ))}
      </div>
      <div className="lc-panel">
        <Skeleton active paragraph={{ rows: 5 }} />
      </div>
    </div>
  );
}
