import { useTranslation } from 'react-i18next';
import type { EpisodeSession, LockedSession } from '../../contract/system/mysql-lock.ts';
import { api } from '../kit/calls/api.ts';
import { Page } from '../kit/feedback.ts';
import { type Filter, ListTable } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { useFormat } from '../kit/texts/format.ts';
import { useParts } from './Parts.tsx';
import { Statement, sessionColumns, WholeStatement } from './SessionCells.tsx';
import { useRelease } from './useRelease.tsx';

const pollSeconds = 2;
const shared = sessionColumns<LockedSession>();

const columns = columnsOf(api.mysql_lock.inquire, [
  { key: 'statement', width: 330, card: 'title', sortable: false, render: (row) => <Branch row={row} /> },
  shared.session,
  { key: 'holds_up', kind: 'status', width: 130, status: (row) => roleOf(row) },
  shared.lasting,
  { key: 'lock', width: 190, card: 'field' },
  shared.state,
]);

const roleOf = ({ depth, holds_up }: LockedSession) =>
  depth === 0 && holds_up > 0
    ? ({ kind: 'error', label: 'mysql_lock.holding' } as const)
    : ({ kind: 'warning', label: holds_up > 0 ? 'mysql_lock.waiting_and_holding' : 'mysql_lock.waiting' } as const);

/** A statement, farther to the right the more stand between it and what holds it up. */
function Branch({ row }: { row: LockedSession }) {
  const { t } = useTranslation();
  return (
    <span className="lc-database-branch" style={{ paddingInlineStart: row.depth * 20 }}>
      {row.depth > 0 && <span aria-hidden>└</span>}
      <span>
        <Statement text={row.statement} />
        {row.holds_up > 0 && <small>{t('mysql_lock.holds', { count: row.holds_up })}</small>}
      </span>
    </span>
  );
}

function Locks() {
  const release = useRelease('mysql_lock');
  return (
    <ListTable
      list={api.mysql_lock.inquire}
      columns={columns}
      pollSeconds={pollSeconds}
      expandable={{ render: (row) => <WholeStatement text={row.statement} /> }}
      rowActions={[
        { key: 'release', label: 'mysql_lock.release', node: 'mysql_lock.release', danger: true, onClick: (row) => void release([row]) },
      ]}
      batchActions={[{ key: 'release', label: 'mysql_lock.release_chosen', node: 'mysql_lock.release', danger: true, onClick: release }]}
      empty={{ title: 'mysql_lock.empty', help: 'mysql_lock.empty_help' }}
    />
  );
}

/** A session of the past with what it did. */
function Party({ session }: { session: EpisodeSession | null }) {
  const { t } = useTranslation();
  if (!session) return <span className="lc-soft">{t('mysql_lock.holder_gone')}</span>;
  return (
    <span>
      <Statement text={session.statement} />
      <small className="lc-soft">
        {t(`mysql_lock.part_${session.part}`)} · {session.id} · {session.user}
      </small>
    </span>
  );
}

function Seconds({ value }: { value: number }) {
  const { t } = useTranslation();
  return <span className="lc-num">{t('mysql_lock.seconds', { number: useFormat().exact(Math.round(value)) })}</span>;
}

const episodeColumns = columnsOf(api.mysql_lock.episodes, [
  {
    key: 'waiter',
    width: 330,
    card: 'title',
    sortable: false,
    exportValue: (row) => row.waiter.statement,
    render: (row) => <Party session={row.waiter} />,
  },
  {
    key: 'holder',
    width: 330,
    card: 'field',
    sortable: false,
    exportValue: (row) => row.holder?.statement ?? null,
    render: (row) => <Party session={row.holder} />,
  },
  {
    key: 'seconds',
    title: 'mysql_lock.waited',
    width: 110,
    align: 'right',
    card: 'field',
    render: (row) => <Seconds value={row.seconds} />,
  },
  { key: 'lock', width: 190, card: 'field', sortable: false },
  { key: 'began_at', kind: 'time', title: 'mysql_lock.waiting_since' },
]);
const lengths: Filter<'min_seconds'>[] = [
  {
    kind: 'select',
    key: 'min_seconds',
    label: 'mysql_lock.waited',
    options: [5, 30, 300].map((value) => ({ value, label: `mysql_time_consuming.at_least_${value}` })),
  },
];

/** Locks vanish before one looks: what was seen of them in the last day. */
const Episodes = () => (
  <ListTable
    list={api.mysql_lock.episodes}
    name="mysql_lock_episodes"
    columns={episodeColumns}
    filters={lengths}
    defaultSort={{ sort: 'began_at', order: 'desc' }}
    exportName="mysql_lock.part_episodes"
    expandable={{
      render: ({ waiter, holder }) => (
        <>
          <WholeStatement text={waiter.statement} />
          {holder && <WholeStatement text={holder.statement} />}
        </>
      ),
    }}
    empty={{ title: 'mysql_lock.no_episodes', help: 'mysql_lock.no_episodes_help' }}
  />
);

/** Who waits for whom in the database, now as a tree and over the last day; what holds others up can be ended. */
export function MysqlLockPage() {
  const { t } = useTranslation();
  const { part, choice } = useParts(['now', 'episodes'], (one) => t(`mysql_lock.part_${one}`));
  return (
    <Page title="menu.mysql_lock" help={t('mysql_lock.help')}>
      {choice}
      {part === 'now' ? <Locks /> : <Episodes />}
    </Page>
  );
}
