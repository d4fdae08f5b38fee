import { useTranslation } from 'react-i18next';
import { api } from '../kit/calls/api.ts';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { Host, Num } from '../kit/feedback.ts';
import { ListTable } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { hostsOf, useUndo } from './Replacements.tsx';

const columns = columnsOf(api.domain_replacement.inquire, [
  { key: 'from_host', kind: 'name', title: 'domain_list.replace.from', width: 190, render: (row) => <Host row={hostsOf(row).from} /> },
  { key: 'to_host', title: 'domain_list.replace.to', width: 190, card: 'field', render: (row) => <Host row={hostsOf(row).to} /> },
  {
    key: 'live_codes',
    title: 'domain_list.replaced',
    width: 90,
    align: 'right',
    card: 'field',
    exportValue: (row) => row.live_codes + row.short_codes,
    render: (row) => <Num value={row.live_codes + row.short_codes} />,
  },
  { key: 'created_by_account', title: 'common.field.actor', width: 110, card: 'field' },
  { key: 'created_at', kind: 'time', title: 'common.field.time', width: 120, card: 'field' },
  {
    key: 'undone_at',
    kind: 'status',
    title: 'common.field.state',
    status: ({ undone_at }) =>
      undone_at ? { kind: 'neutral', label: 'domain_list.undo.state_undone' } : { kind: 'success', label: 'domain_list.undo.state_done' },
  },
]);

/** Every replacement, with the way back. */
export function ReplacementsDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const undo = useUndo();
  return (
    <Drawer open onClose={onClose} size={980} title={t('domain_list.replacements')}>
      <ListTable
        list={api.domain_replacement.inquire}
        columns={columns}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="domain_list.replacements"
        empty={{ title: 'domain_list.no_replacements', help: 'domain_list.no_replacements_help' }}
        rowActions={[
          {
            key: 'undo',
            label: 'menu.button.undo',
            node: 'domain_list.replace',
            visible: (row) => row.undoable,
            onClick: (row) => void undo.ask(row),
          },
        ]}
      />
      {undo.dialog}
    </Drawer>
  );
}
