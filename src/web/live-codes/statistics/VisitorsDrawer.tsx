import { useTranslation } from 'react-i18next';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import type { qrCodeList } from '../../../contract/codes/qr-code-list.ts';
import type { OutputOf } from '../../../contract/kit/call.ts';
import { api } from '../../kit/calls/api.ts';
import { Drawer } from '../../kit/dialogs/dialogs.tsx';
import { Copyable, Num, Time } from '../../kit/feedback.ts';
import { type Column, type Filter, ListTable } from '../../kit/ListPage.tsx';
import { translate } from '../../kit/texts/i18n.ts';
import { placeOf } from './place.ts';

type Visitor = OutputOf<(typeof qrCodeList)['calls']['get_ip']>['content'][number];

const sourceOf = (row: Visitor) => (row.source ? translate(`qr_code_list.sources.${row.source}`) : '–');
const carrierOf = (row: Visitor) => translate(`qr_code_list.carriers.${row.carrier}`);

const columns: Column<Visitor>[] = [
  { key: 'ip', title: 'qr_code_list.visits.ip', width: 180, card: 'title', render: (row) => <Copyable value={row.ip} maximum={26} code /> },
  {
    key: 'visits',
    title: 'qr_code_list.visitors.visits',
    width: 100,
    align: 'right',
    sortable: true,
    card: 'field',
    render: (row) => <Num value={row.visits} />,
  },
  { key: 'place', title: 'qr_code_list.visits.place', width: 180, card: 'field', render: placeOf, exportValue: placeOf },
  { key: 'carrier', title: 'qr_code_list.statistics.dimensions.carrier', width: 90, render: carrierOf, exportValue: carrierOf },
  { key: 'source', title: 'qr_code_list.statistics.dimensions.source', width: 110, render: sourceOf, exportValue: sourceOf },
  { key: 'model_name', title: 'qr_code_list.visits.device', width: 160, card: 'field' },
  {
    key: 'last_at',
    title: 'qr_code_list.visitors.last_at',
    width: 120,
    sortable: true,
    card: 'field',
    render: (row) => <Time value={row.last_at} />,
  },
  { key: 'first_at', title: 'qr_code_list.visitors.first_at', width: 120, sortable: true, render: (row) => <Time value={row.first_at} /> },
];

const filters: Filter<'ip' | 'from' | 'to'>[] = [
  { kind: 'text', key: 'ip', label: 'qr_code_list.visits.ip' },
  { kind: 'date_range', key: 'from', to: 'to', label: 'qr_code_list.visitors.days' },
];

/** The addresses a code was visited from. */
export function VisitorsDrawer({ code, onClose }: { code: LiveCode; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer open onClose={onClose} size={1080} title={t('qr_code_list.visitors.title', { name: code.name })}>
      <ListTable
        list={api.qr_code_list.get_ip}
        name="qr_code_list.ip"
        rowKey="ip"
        columns={columns}
        filters={filters}
        fixedInput={{ id: code.id }}
        defaultSort={{ sort: 'last_at', order: 'desc' }}
        exportName="qr_code_list.visitors.export"
        exportNode="qr_code_list.export"
        empty={{
          picture: 'chart',
          title: 'qr_code_list.visitors.none',
          help: code.open_log ? 'qr_code_list.visits.none_help' : 'qr_code_list.visits.log_off',
        }}
      />
    </Drawer>
  );
}
