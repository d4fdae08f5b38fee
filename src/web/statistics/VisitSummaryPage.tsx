import { summaryKinds, type VisitSummary } from '../../contract/visits/visit-summary.ts';
import { accountOptions } from '../kit/accounts.ts';
import { CodeLink } from '../kit/CodeLink.tsx';
import { api } from '../kit/calls/api.ts';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { useFormat } from '../kit/texts/format.ts';

/** A user or one of his codes. */
function Subject({ row }: { row: VisitSummary }) {
  return row.file_name === '' ? row.account : <CodeLink id={row.id} name={row.name || row.file_name} />;
}

function Share({ share }: { share: number }) {
  return <span className="lc-num">{useFormat().percent(share)}</span>;
}

const columns = columnsOf(api.visit_summary.inquire, [
  {
    key: 'name',
    kind: 'name',
    title: 'visit_summary.subject',
    exportValue: (row) => (row.file_name === '' ? row.account : row.name || row.file_name),
    render: (row) => <Subject row={row} />,
  },
  { key: 'account', width: 160, title: 'common.field.account' },
  { key: 'codes', kind: 'number', width: 110, title: 'visit_summary.codes' },
  { key: 'visits', kind: 'number', width: 110, card: 'field' },
  {
    key: 'share',
    width: 110,
    align: 'right',
    title: 'common.chart.share',
    card: 'field',
    exportValue: ({ share }) => share,
    render: ({ share }) => <Share share={share} />,
  },
  { key: 'ips', kind: 'number', width: 110, title: 'qr_code_list.statistics.figures.ips', card: 'field' },
  { key: 'new_ips', kind: 'number', width: 120, title: 'qr_code_list.statistics.figures.new_ips' },
  { key: 'refused', kind: 'number', width: 110, title: 'qr_code_list.statistics.figures.refused' },
]);

const filters: Filter<'by' | 'from' | 'to' | 'user_id'>[] = [
  {
    kind: 'select',
    key: 'by',
    label: 'visit_summary.by',
    options: summaryKinds.map((value) => ({ value, label: `visit_summary.kind.${value}` })),
  },
  { kind: 'date_range', key: 'from', to: 'to', label: 'common.field.days' },
  { kind: 'remote', key: 'user_id', label: 'common.field.user', source: accountOptions },
];

/** Whose codes were visited how often, and each user's or code's share of all visits. */
export function VisitSummaryPage() {
  return (
    <ListPage
      title="menu.visit_summary"
      list={api.visit_summary.inquire}
      columns={columns}
      filters={filters}
      defaultSort={{ sort: 'visits', order: 'desc' }}
      exportName="menu.visit_summary"
      exportNode="visit_summary.export"
      empty={{ picture: 'visits', title: 'visit_summary.empty', help: 'visit_summary.empty_help' }}
    />
  );
}
