import { useTranslation } from 'react-i18next';
import type { LockedSession } from '../../contract/system/mysql-lock.ts';
import { api } from '../kit/calls/api.ts';
import { ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
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

/** Who waits for whom in the database, as a tree; what holds others up can be ended. */
export function MysqlLockPage() {
  const { t } = useTranslation();
  const release = useRelease('mysql_lock');
  return (
    <ListPage
      title="menu.mysql_lock"
      help={t('mysql_lock.help')}
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
