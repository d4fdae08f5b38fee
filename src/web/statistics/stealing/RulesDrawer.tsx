import { useTranslation } from 'react-i18next';
import { type SourceRule, sourceActions } from '../../../contract/visits/stealing-list.ts';
import { api } from '../../kit/calls/api.ts';
import { Drawer } from '../../kit/dialogs/dialogs.tsx';
import { useRowsAction } from '../../kit/dialogs/removal.tsx';
import { Host } from '../../kit/feedback.ts';
import { hostLabel } from '../../kit/host.ts';
import { type Filter, ListTable } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';

const actionLabel = (action: SourceRule['action']) => `stealing_list.action.${action}`;

const columns = columnsOf(api.stealing_list.rules, [
  { key: 'host', kind: 'name', render: (row) => <Host row={row} maximum={32} /> },
  {
    key: 'action',
    kind: 'status',
    status: (row) => ({ kind: row.action === 'block' ? 'error' : 'success', label: actionLabel(row.action) }),
    title: 'stealing_list.action.title',
    width: 120,
  },
  {
    key: 'owner_account',
    title: 'stealing_list.applies_to',
    width: 150,
    card: 'field',
    node: 'user_list',
    exportValue: (row) => row.owner_account ?? 'stealing_list.unknown_hosts',
    render: (row) => <AppliesTo row={row} />,
  },
  { key: 'created_by_account', title: 'stealing_list.created_by', width: 120 },
  { key: 'created_at', kind: 'time', width: 130, card: 'field' },
]);

const filters: Filter<'search' | 'action'>[] = [
  { kind: 'text', key: 'search', label: 'stealing_list.host' },
  {
    kind: 'select',
    key: 'action',
    label: 'stealing_list.action.title',
    options: sourceActions.map((value) => ({ value, label: actionLabel(value) })),
  },
];

function AppliesTo({ row }: { row: SourceRule }) {
  const { t } = useTranslation();
  return row.owner_account ?? <span className="lc-soft">{t('stealing_list.unknown_hosts')}</span>;
}

/** What was decided on hosts, to be taken back. */
export function RulesDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const takingBack = useRowsAction<SourceRule, unknown>(api.stealing_list.remove_rules, {
    key: 'take_back',
    label: 'menu.button.undo',
    node: 'stealing_list.block',
    title: 'stealing_list.take_back_title',
    many: 'stealing_list.take_back_many',
    content: 'stealing_list.take_back_content',
    name: (row) => ({ host: hostLabel(row) }),
  });
  return (
    <Drawer open onClose={onClose} size={900} title={t('stealing_list.rules')}>
      <ListTable
        list={api.stealing_list.rules}
        name="stealing_list.rules"
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="stealing_list.rules"
        empty={{ title: 'stealing_list.no_rules', help: 'stealing_list.no_rules_help' }}
        rowActions={[takingBack.row]}
        batchActions={[takingBack.batch]}
      />
    </Drawer>
  );
}
