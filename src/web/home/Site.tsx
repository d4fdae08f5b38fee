import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SiteFigures } from '../../contract/content/home.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { Change } from '../kit/charts/StatCard.tsx';
import { Amount, Failure, Num, Status, Time } from '../kit/feedback.ts';
import { inZone, useFormat } from '../kit/texts/format.ts';
import { Figure } from './Figure.tsx';

const pollMilliseconds = 10_000;

type Part<Key extends keyof SiteFigures> = { part: NonNullable<SiteFigures[Key]> };
type Compared = Part<'orders'>['part']['paid'] | Part<'orders'>['part']['revenue'];

/** How the site does: its users, its money, and what runs. Each part for those who have its screen. */
export function Site({ isPaused }: { isPaused: boolean }) {
  const { t } = useTranslation();
  const { user } = useSession();
  const isShown = user?.role.kind === 'super' || user?.role.kind === 'administrator';
  const { data, error, refetch, isFetching } = useCall(
    api.home.site,
    {},
    { enabled: isShown, refetchInterval: isPaused ? false : pollMilliseconds },
  );
  if (!isShown || (data && Object.values(data).every((part) => part === null))) return null;
  return (
    <section className="lc-home-site" aria-label={t('home.site.title')} aria-busy={!data && !error}>
      {data && error && <Status kind="warning" label="home.site.not_refreshed" />}
      {data ? (
        <Parts {...data} />
      ) : error ? (
        <div className="lc-panel">
          <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />
        </div>
      ) : (
        <div className="lc-panel">
          <Skeleton active title={{ width: 140 }} paragraph={{ rows: 6 }} />
        </div>
      )}
    </section>
  );
}

function Parts({ users, orders, deposits, withdrawals, visits, wallets, operations, jobs, servers }: SiteFigures) {
  return (
    <>
      {(visits || jobs || operations || servers) && (
        <Group name="running">
          {visits && <Visits part={visits} />}
          {jobs && <Jobs part={jobs} />}
          {operations && <Operations part={operations} />}
          {servers && servers.total > 0 && <Servers part={servers} />}
        </Group>
      )}
      {users && (
        <Group name="users">
          <Users part={users} />
        </Group>
      )}
      {(orders || deposits || withdrawals || wallets) && (
        <Group name="money">
          {orders && <Orders part={orders} />}
          {deposits && <Deposits part={deposits} />}
          {withdrawals && <Withdrawals part={withdrawals} />}
          {wallets && <Wallets part={wallets} />}
        </Group>
      )}
    </>
  );
}

function Group({ name, children }: { name: 'running' | 'users' | 'money'; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby={`home-site-${name}`}>
      <h2 id={`home-site-${name}`}>{t(`home.site.${name}`)}</h2>
      <div className="lc-stats">{children}</div>
    </section>
  );
}

/** The change of a figure against yesterday up to the same time, or the seven days before. */
function Against({ compared, span }: { compared: Compared; span: 'today' | 'week' }) {
  const { t } = useTranslation();
  const before = span === 'today' ? compared.yesterday : compared.week_before;
  const period = t(span === 'today' ? 'today_statistics.before' : 'home.site.week_before');
  return <Change value={Number(compared[span])} before={Number(before)} words={t('common.chart.against', { period })} />;
}

/** The filter of a list by the days that a figure counts. */
function useDays() {
  const { today, timeZone } = useFormat();
  const first = inZone(new Date().toISOString(), timeZone).subtract(6, 'day').format('YYYY-MM-DD');
  return { today: `created_from=${today()}&created_to=${today()}`, week: `created_from=${first}&created_to=${today()}` };
}

function Users({ part }: Part<'users'>) {
  const days = useDays();
  const shared = { node: 'user_list' } as const;
  return (
    <>
      <Figure {...shared} title="home.site.users_total" route="/system/user_list">
        <Num value={part.total} />
      </Figure>
      {part.online !== null && (
        <Figure {...shared} title="home.site.online" help="home.site.online_help" route="/system/user_list?online_status=2">
          <Num value={part.online} />
        </Figure>
      )}
      <Figure
        {...shared}
        title="home.site.added_today"
        route={`/system/user_list?${days.today}`}
        note={<Against compared={part.added} span="today" />}
      >
        <Num value={part.added.today} />
      </Figure>
      <Figure
        {...shared}
        title="home.site.added_week"
        route={`/system/user_list?${days.week}`}
        note={<Against compared={part.added} span="week" />}
      >
        <Num value={part.added.week} />
      </Figure>
    </>
  );
}

function Orders({ part: { paid, revenue } }: Part<'orders'>) {
  const days = useDays();
  const today = `/customer/order?status=2&${days.today}`;
  return (
    <>
      <Figure
        node="order"
        title="home.money.orders"
        help="home.site.paid_help"
        route={today}
        note={<Against compared={paid} span="today" />}
      >
        <Num value={paid.today} />
      </Figure>
      <Figure node="order" title="home.money.revenue" route={today} note={<Against compared={revenue} span="today" />}>
        <Amount value={revenue.today} />
      </Figure>
      <Figure
        node="order"
        title="home.site.revenue_week"
        route={`/customer/order?status=2&${days.week}`}
        note={<Against compared={revenue} span="week" />}
      >
        <Amount value={revenue.week} />
      </Figure>
    </>
  );
}

function Deposits({ part }: Part<'deposits'>) {
  return (
    <Figure node="usdt_transaction_record" title="home.money.deposits" route="/system/usdt_transaction_record">
      <Amount value={part.today} />
    </Figure>
  );
}

function Withdrawals({ part }: Part<'withdrawals'>) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  return (
    <Figure
      node="withdrawal_list"
      title="home.money.withdrawals"
      route="/customer/withdrawal_list"
      note={
        <>
          {t('home.money.waiting', { number: exact(part.number) })}
          {part.oldest_at && (
            <>
              {' · '}
              {t('home.site.oldest')} <Time value={part.oldest_at} />
            </>
          )}
        </>
      }
    >
      <Amount value={part.sum} />
    </Figure>
  );
}

function Wallets({ part }: Part<'wallets'>) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  return (
    <>
      <Figure
        node="tron"
        title="home.site.wallets"
        help="home.site.wallets_help"
        route="/system/tron?purpose=deposit&funded=true"
        note={
          <>
            {t('home.site.wallets_number', { number: exact(part.number), count: part.number })}
            {part.read_at && (
              <>
                {' · '}
                <Time value={part.read_at} />
              </>
            )}
          </>
        }
      >
        <Amount value={part.usdt} />
      </Figure>
      {part.fee_trx !== null && (
        <Figure
          node="tron"
          title="home.site.fee_wallet"
          route="/system/tron?purpose=fee"
          note={part.short > 0 && <Status kind="error" label={t('home.site.short', { number: exact(part.short), count: part.short })} />}
        >
          <Amount value={part.fee_trx} />
        </Figure>
      )}
      {part.payout_usdt !== null && (
        <Figure node="tron" title="home.site.payout_wallet" route="/system/tron?purpose=payout">
          <Amount value={part.payout_usdt} />
        </Figure>
      )}
    </>
  );
}

function Visits({ part }: Part<'visits'>) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  return (
    <>
      <Figure
        node="monitor"
        title="home.site.rate"
        help="home.site.rate_help"
        route="/customer/monitor"
        note={
          part.strained > 0 ? (
            <Status kind="error" label={t('home.need.host_strained', { number: exact(part.strained), count: part.strained })} />
          ) : (
            part.p99 !== null && t('home.site.p99', { number: exact(Math.round(part.p99)) })
          )
        }
      >
        {part.rate === null ? '–' : <Num value={Math.round(part.rate * 10) / 10} />}
      </Figure>
      <Figure node="monitor" title="home.site.unloaded" route="/customer/monitor">
        <Num value={part.unloaded} />
      </Figure>
    </>
  );
}

function Jobs({ part }: Part<'jobs'>) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const isWell = part.failed + part.late === 0;
  return (
    <Figure
      node="monitor"
      title="home.site.jobs"
      help="home.site.jobs_help"
      route="/customer/monitor"
      note={
        <Status
          kind={isWell ? 'success' : part.failed > 0 ? 'error' : 'warning'}
          label={isWell ? 'home.site.jobs_well' : t('home.site.jobs_note', { failed: exact(part.failed), late: exact(part.late) })}
        />
      }
    >
      <Num value={part.failed + part.late} />
    </Figure>
  );
}

function Operations({ part }: Part<'operations'>) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  return (
    <Figure
      node="async_operations"
      title="home.site.operations"
      route="/system/async_operations"
      note={part.failed > 0 && <Status kind="warning" label={t('home.site.operations_failed', { number: exact(part.failed) })} />}
    >
      <Num value={part.unfinished} />
    </Figure>
  );
}

function Servers({ part }: Part<'servers'>) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  return (
    <Figure
      node="server_list"
      title="home.site.servers"
      route="/system/server_list"
      note={
        part.unreachable > 0 && (
          <Status kind="error" label={t('home.need.server_unreachable', { number: exact(part.unreachable), count: part.unreachable })} />
        )
      }
    >
      <span className="lc-num">{`${exact(part.online)} / ${exact(part.total)}`}</span>
    </Figure>
  );
}
