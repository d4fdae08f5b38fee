import { RollbackOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { AccessClearing } from '../../contract/codes/recover.ts';
import { CodeLink } from '../kit/CodeLink.tsx';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useRowsAction } from '../kit/dialogs/removal.tsx';
import { Copyable, Status } from '../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import './live-codes.css';

const filters: Filter<'search' | 'restored' | 'from' | 'to'>[] = [
  { kind: 'text', key: 'search', label: 'common.filters.search', placeholder: 'recover.search_placeholder' },
  { kind: 'boolean', key: 'restored', label: 'recover.state', yes: 'common.restored', no: 'recover.hidden' },
  { kind: 'date_range', key: 'from', to: 'to', label: 'recover.cleared_at', more: true },
];

function Who({ row }: { row: AccessClearing }) {
  const { t } = useTranslation();
  const { user_account, impersonator_account } = row;
  return impersonator_account ? t('code_version.as', { impersonator: impersonator_account, account: user_account }) : user_account;
}

function State({ row }: { row: AccessClearing }) {
  const { t } = useTranslation();
  if (row.restored_at) return <Status kind="success" label="common.restored" help={row.restored_by_account ?? ''} />;
  return <Status kind="neutral" label="recover.hidden" help={row.restorable ? '' : t('recover.newer_first')} />;
}

const columnsFor = (seesOthers: boolean): Column<AccessClearing>[] =>
  columnsOf(api.recover.inquire, [
    {
      key: 'code_name',
      kind: 'name',
      title: 'qr_code_list.columns.name',
      width: 230,
      render: (row) => (
        <div className="lc-code-lines">
          <CodeLink className="lc-code-name" id={row.live_code_id} name={row.code_name} />
          <small className="lc-code-small">
            <Copyable value={row.file_name} code />
          </small>
        </div>
      ),
    },
    {
      key: 'restored_at',
      title: 'recover.state',
      sortable: false,
      width: 130,
      card: 'aside',
      exportValue: (row) => row.restored_at ?? 'recover.hidden',
      render: (row) => <State row={row} />,
    },
    { key: 'visits', kind: 'number', width: 120 },
    { key: 'cleared_at', kind: 'time', width: 150, card: 'field' },
    { key: 'user_account', title: 'common.field.actor', width: 170, card: 'field', render: (row) => <Who row={row} /> },
    ...(seesOthers ? [{ key: 'owner_account' as const, title: 'qr_code_list.columns.owner', width: 130 }] : []),
  ]);

const restoring = { key: 'restore', label: 'recover.bring_back', icon: <RollbackOutlined />, node: 'recover.restore' } as const;

/** Access histories that were cleared: what was hidden, when and by whom, and the way back. */
export function RecoverPage() {
  const { t } = useTranslation();
  const seesOthers = useSession().user?.role.kind !== 'customer';
  const { mayChange } = useSession();
  const restore = useAction(api.recover.restore, {
    invalidates: ['qr_code_list', 'qr_code_access', 'today_statistics'],
  });
  const remove = useRowsAction<AccessClearing, unknown>(api.qr_code_access.clear_record, {
    key: 'remove',
    label: 'recover.remove',
    node: 'recover.remove',
    danger: true,
    title: 'recover.remove_title',
    many: 'recover.remove_many_title',
    content: 'recover.remove_content',
    name: (row) => ({ name: row.code_name || row.file_name, visits: row.visits ?? '–' }),
    invalidates: ['recover'],
    visible: (row) => row.restored_at === null && mayChange(row),
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
          ...restoring,
          visible: (row) => row.restored_at === null && mayChange(row),
          disabled: (row) => !row.restorable,
          onClick: (row) => void bringBack([row]),
        },
        remove.row,
      ]}
      batchActions={[{ ...restoring, onClick: bringBack }, remove.batch]}
    />
  );
}
