import { useTranslation } from 'react-i18next';
import type { DomainReplacement } from '../../contract/domains/domain-replacement.ts';
import { api } from '../kit/calls/api.ts';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { Host, Num, Status, Time } from '../kit/feedback.ts';
import { type Column, ListTable } from '../kit/ListPage.tsx';
import { hostsOf, useUndo } from './Replacements.tsx';

const columns: Column<DomainReplacement>[] = [
  {
    key: 'from_host',
    title: 'domain_list.replace.from',
    width: 190,
    card: 'title',
    render: (row) => <Host row={hostsOf(row).from} />,
  },
  {
    key: 'to_host',
    title: 'domain_list.replace.to',
    width: 190,
    card: 'field',
    render: (row) => <Host row={hostsOf(row).to} />,
  },
  {
    key: 'live_codes',
    title: 'domain_list.replaced',
    align: 'right',
    width: 90,
    card: 'field',
    exportValue: (row) => row.live_codes + row.short_codes,
    render: (row) => <Num value={row.live_codes + row.short_codes} />,
  },
  { key: 'created_by_account', title: 'domain_list.replaced_by', width: 110, card: 'field' },
  {
    key: 'created_at',
    title: 'domain_list.replaced_at',
    sortable: true,
    width: 120,
    card: 'field',
    render: (row) => <Time value={row.created_at} />,
  },
  {
    key: 'undone_at',
    title: 'domain_list.undo.state',
    width: 110,
    card: 'aside',
    render: (row) => (
      <Status
        kind={row.undone_at ? 'neutral' : 'success'}
        label={row.undone_at ? 'domain_list.undo.state_undone' : 'domain_list.undo.state_done'}
      />
    ),
    exportValue: (row) => (row.undone_at ? 'domain_list.undo.state_undone' : 'domain_list.undo.state_done'),
  },
];

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
            label: 'domain_list.undo.submit',
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
