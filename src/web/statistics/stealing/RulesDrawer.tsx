import { useTranslation } from 'react-i18next';
import { type SourceRule, sourceActions } from '../../../contract/visits/stealing-list.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Drawer } from '../../kit/dialogs/dialogs.tsx';
import { Host, Status, Time } from '../../kit/feedback.ts';
import { hostLabel } from '../../kit/host.ts';
import { type Column, type Filter, ListTable } from '../../kit/ListPage.tsx';

const actionLabel = (action: SourceRule['action']) => `stealing_list.action.${action}`;

const columns: Column<SourceRule>[] = [
  {
    key: 'host',
    title: 'stealing_list.host',
    sortable: true,
    width: 220,
    card: 'title',
    render: (row) => <Host row={row} maximum={32} />,
  },
  {
    key: 'action',
    title: 'stealing_list.action.title',
    width: 120,
    card: 'aside',
    exportValue: (row) => actionLabel(row.action),
    render: (row) => <Status kind={row.action === 'block' ? 'error' : 'success'} label={actionLabel(row.action)} />,
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
  {
    key: 'created_at',
    title: 'stealing_list.created_at',
    sortable: true,
    width: 130,
    card: 'field',
    render: (row) => <Time value={row.created_at} />,
  },
];

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
  const confirm = useConfirm();
  const remove = useAction(api.stealing_list.remove_rules);

  async function takeBack(rows: readonly SourceRule[]) {
    const [first] = rows;
    if (!first) return false;
    const agreed = await confirm({
      title:
        rows.length === 1
          ? t('stealing_list.take_back_title', { host: hostLabel(first) })
          : t('stealing_list.take_back_many', { number: rows.length }),
      content: 'stealing_list.take_back_content',
      confirm: 'stealing_list.take_back',
    });
    return agreed && (await remove.run({ ids: rows.map(({ id }) => id) })) !== undefined;
  }

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
        rowActions={[
          { key: 'take_back', label: 'stealing_list.take_back', node: 'stealing_list.block', onClick: (row) => void takeBack([row]) },
        ]}
        batchActions={[{ key: 'take_back', label: 'stealing_list.take_back', node: 'stealing_list.block', onClick: takeBack }]}
      />
    </Drawer>
  );
}
