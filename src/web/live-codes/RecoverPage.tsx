import { RollbackOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { AccessClearing } from '../../contract/codes/recover.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { Copyable, Num, Status, Time } from '../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../kit/ListPage.tsx';
import { useMayChange } from './list/useMayChange.ts';
import './live-codes.css';

const filters: Filter<'search' | 'restored' | 'from' | 'to'>[] = [
  { kind: 'text', key: 'search', label: 'qr_code_list.filters.search', placeholder: 'recover.search_placeholder' },
  { kind: 'boolean', key: 'restored', label: 'recover.state', yes: 'recover.restored', no: 'recover.hidden' },
  { kind: 'date_range', key: 'from', to: 'to', label: 'recover.cleared_at', more: true },
];

function Who({ row }: { row: AccessClearing }) {
  const { t } = useTranslation();
  const { user_account, impersonator_account } = row;
  return impersonator_account ? t('code_version.as', { impersonator: impersonator_account, account: user_account }) : user_account;
}

function State({ row }: { row: AccessClearing }) {
  const { t } = useTranslation();
  if (row.restored_at) return <Status kind="success" label="recover.restored" help={row.restored_by_account ?? ''} />;
  return <Status kind="neutral" label="recover.hidden" help={row.restorable ? '' : t('recover.newer_first')} />;
}

const columnsFor = (seesOthers: boolean): Column<AccessClearing>[] => [
  {
    key: 'code_name',
    title: 'qr_code_list.columns.name',
    width: 230,
    card: 'title',
    render: (row) => (
      <div className="code-lines">
        <Link className="code-name" to={`/customer/set_qr_code?id=${row.live_code_id}`}>
          {row.code_name}
        </Link>
        <small className="code-small">
          <Copyable value={row.file_name} code />
        </small>
      </div>
    ),
  },
  {
    key: 'restored_at',
    title: 'recover.state',
    width: 130,
    card: 'aside',
    exportValue: (row) => row.restored_at ?? 'recover.hidden',
    render: (row) => <State row={row} />,
  },
  {
    key: 'visits',
    title: 'recover.visits',
    width: 120,
    align: 'right',
    sortable: true,
    card: 'field',
    render: (row) => <Num value={row.visits} />,
  },
  {
    key: 'cleared_at',
    title: 'recover.cleared_at',
    width: 150,
    sortable: true,
    card: 'field',
    render: (row) => <Time value={row.cleared_at} />,
  },
  { key: 'user_account', title: 'recover.cleared_by', width: 170, card: 'field', render: (row) => <Who row={row} /> },
  ...(seesOthers ? [{ key: 'owner_account', title: 'qr_code_list.columns.owner', width: 130 }] : []),
];

/** Access histories that were cleared: what was hidden, when and by whom, and the way back. */
export function RecoverPage() {
  const { t } = useTranslation();
  const seesOthers = useSession().user?.role.kind !== 'customer';
  const mayChange = useMayChange();
  const restore = useAction(api.recover.restore, {
    success: 'recover.done',
    invalidates: ['qr_code_list', 'qr_code_access', 'today_statistics'],
  });
  const bringBack = async (rows: readonly AccessClearing[]) => (await restore.run({ ids: rows.map(({ id }) => id) })) !== undefined;
  return (
    <ListPage
      title="menu.recover"
      help={t('recover.help')}
      list={api.recover.inquire}
      columns={columnsFor(seesOthers)}
      filters={filters}
      defaultSort={{ sort: 'cleared_at', order: 'desc' }}
      exportName="menu.recover"
      empty={{ title: 'recover.empty', help: 'recover.empty_help' }}
      rowActions={[
        {
          key: 'restore',
          label: 'recover.restore',
          icon: <RollbackOutlined />,
          node: 'recover.restore',
          visible: (row) => row.restored_at === null && mayChange(row),
          disabled: (row) => !row.restorable,
          onClick: (row) => void bringBack([row]),
        },
      ]}
      batchActions={[{ key: 'restore', label: 'recover.restore', icon: <RollbackOutlined />, node: 'recover.restore', onClick: bringBack }]}
    />
  );
}
