import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import type { qrCodeList } from '../../../contract/codes/qr-code-list.ts';
import type { OutputOf } from '../../../contract/kit/call.ts';
import { api } from '../../kit/calls/api.ts';
import { type Filter, ListTable } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { placeOf } from '../../kit/places.ts';
import { translate } from '../../kit/texts/i18n.ts';
import { KeptDays } from './KeptDays.tsx';

type Visitor = OutputOf<(typeof qrCodeList)['calls']['get_ip']>['content'][number];

const sourceOf = (row: Visitor) => (row.source ? translate(`qr_code_list.sources.${row.source}`) : '–');
const carrierOf = (row: Visitor) => translate(`qr_code_list.carriers.${row.carrier}`);

const columns = columnsOf(api.qr_code_list.get_ip, [
  { key: 'ip', kind: 'copy', card: 'title', title: 'qr_code_list.visits.ip', width: 210 },
  { key: 'visits', kind: 'number', title: 'common.field.visits', width: 100 },
  { key: 'place', card: 'field', exportValue: (row) => placeOf(row), render: (row) => placeOf(row) },
  { key: 'carrier', title: 'qr_code_list.statistics.dimensions.carrier', width: 90, exportValue: carrierOf, render: carrierOf },
  { key: 'source', title: 'qr_code_list.statistics.dimensions.source', width: 110, exportValue: sourceOf, render: sourceOf },
  { key: 'model_name', title: 'common.field.device', width: 160, card: 'field' },
  { key: 'last_at', kind: 'time', title: 'qr_code_list.visitors.last_at', width: 120, card: 'field' },
  { key: 'first_at', kind: 'time', width: 120 },
]);

const filters: Filter<'ip' | 'from' | 'to'>[] = [
  { kind: 'text', key: 'ip', label: 'qr_code_list.visits.ip' },
  { kind: 'date_range', key: 'from', to: 'to', label: 'common.field.days' },
];

/** The addresses a code was visited from. */
export function VisitorList({ code }: { code: Pick<LiveCodeDetails, 'id' | 'open_log' | 'log_days'> }) {
  return (
    <>
      <KeptDays days={code.log_days} />
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
          picture: 'visits',
          title: 'qr_code_list.visitors.none',
          help: code.open_log ? 'qr_code_list.visits.none_help' : 'qr_code_list.visits.log_off',
        }}
      />
    </>
  );
}
