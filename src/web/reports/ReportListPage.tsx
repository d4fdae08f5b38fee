import { useTranslation } from 'react-i18next';
import { type Freezable, reportReasons } from '../../contract/enums.ts';
import { type Report, reportStates } from '../../contract/visits/report-list.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { Copyable, Host, Status } from '../kit/feedback.ts';
import { useFreezingActs } from '../kit/freezing/useFreezing.tsx';
import { hostLabel } from '../kit/host.ts';
import { type Filter, ListPage, type RowAction } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import './reports.css';

const stateKinds = { new: 'warning', dismissed: 'neutral', acted: 'success' } as const;
const reasonLabel = (row: Report) => `report_list.reasons.${row.reason}`;
const codeLabel = (row: Report) => row.code_name || row.file_name;

const columns = columnsOf(api.report_list.inquire, [
  {
    key: 'file_name',
    kind: 'name',
    title: 'common.field.live_code',
    width: 210,
    exportValue: codeLabel,
    render: (row) => <Code row={row} />,
  },
  { key: 'reason', width: 130, card: 'field', exportValue: reasonLabel, render: (row) => <Words text={reasonLabel(row)} /> },
  { key: 'text', width: 280, card: 'field', render: (row) => <span className="lc-report-text">{row.text}</span> },
  {
    key: 'state',
    kind: 'status',
    status: (row) => ({ kind: stateKinds[row.state], label: `report_list.states.${row.state}` }),
    width: 100,
  },
  { key: 'at', kind: 'time', width: 135, card: 'field' },
  { key: 'owner_account', title: 'report_list.owner', width: 130, card: 'field', render: (row) => <Owner row={row} /> },
  { key: 'host', title: 'common.field.host', width: 180, render: (row) => <Domain row={row} /> },
  { key: 'ip', width: 150, render: (row) => <Copyable value={row.ip} maximum={18} code /> },
  { key: 'decided_by_account', title: 'report_list.decided_by', width: 120 },
  { key: 'decided_at', kind: 'time', title: 'report_list.decided_at', width: 120 },
]);

const filters: Filter<'search' | 'state' | 'reason'>[] = [
  { kind: 'text', key: 'search', label: 'common.filters.search', placeholder: 'report_list.search' },
  {
    kind: 'select',
    key: 'state',
    label: 'report_list.state',
    options: reportStates.map((value) => ({ value, label: `report_list.states.${value}` })),
  },
  {
    kind: 'select',
    key: 'reason',
    label: 'report_list.reason',
    options: reportReasons.map((value) => ({ value, label: `report_list.reasons.${value}` })),
  },
];

function Words({ text }: { text: string }) {
  const { t } = useTranslation();
  return t(text);
}

function Mark({ isFrozen }: { isFrozen: boolean }) {
  return isFrozen ? <Status kind="error" label="report_list.frozen" /> : null;
}

function Code({ row }: { row: Report }) {
  const { t } = useTranslation();
  if (row.live_code_id === null) {
    return (
      <span className="lc-soft">
        {t('report_list.gone')} <span className="lc-code">{row.file_name}</span>
      </span>
    );
  }
  return (
    <span className="lc-report-pair">
      <a href={`#/customer/set_qr_code?id=${row.live_code_id}`} title={row.code_name}>
        {row.code_name}
      </a>
      <span className="lc-soft lc-code">{row.file_name}</span>
      <Mark isFrozen={row.code_frozen} />
    </span>
  );
}

function Owner({ row }: { row: Report }) {
  return (
    <span className="lc-report-pair">
      <span>{row.owner_account}</span>
      <Mark isFrozen={row.owner_frozen} />
    </span>
  );
}

function Domain({ row }: { row: Report }) {
  return (
    <span className="lc-report-pair">
      <Host row={row} maximum={28} />
      <Mark isFrozen={row.domain_frozen} />
    </span>
  );
}

/** What of a report can be frozen, if it is there and not frozen already. */
function thingOf(what: Freezable, row: Report): { id: number; name: string } | null {
  if (what === 'user') return row.owner_frozen ? null : { id: row.owner_id, name: row.owner_account };
  if (what === 'domain') return row.domain_id === null || row.domain_frozen ? null : { id: row.domain_id, name: hostLabel(row) };
  return row.live_code_id === null || row.code_frozen ? null : { id: row.live_code_id, name: codeLabel(row) };
}

const freezables = ['code', 'domain', 'user'] as const;

/** What visitors reported of codes, the newest first: look, dismiss it, or freeze the code, its domain or its owner. */
export function ReportListPage() {
  const { t } = useTranslation();
  const { freeze, dialog } = useFreezingActs();
  const dismissing = useAction(api.report_list.dismiss);
  const dismiss = async (rows: readonly Report[]) => (await dismissing.run({ ids: rows.map(({ id }) => id) })) !== undefined;

  function freezeOf(what: Freezable, rows: readonly Report[]) {
    const things = new Map(rows.flatMap((row) => thingOf(what, row) ?? []).map((thing) => [thing.id, thing]));
    return things.size === 0 ? undefined : freeze(what, [...things.values()]);
  }
  const freezing = freezables.map((what) => ({
    key: what,
    label: `report_list.freeze_what.${what}`,
    node: 'report_list.freeze' as const,
    danger: true,
  }));
  const rowActions: RowAction<Report>[] = [
    {
      key: 'dismiss',
      label: 'report_list.dismiss',
      node: 'report_list.dismiss',
      visible: (row) => row.state === 'new',
      onClick: (row) => void dismiss([row]),
    },
    ...freezing.map((act) => ({
      ...act,
      visible: (row: Report) => thingOf(act.key, row) !== null,
      onClick: (row: Report) => void freezeOf(act.key, [row]),
    })),
  ];
  return (
    <>
      <ListPage
        title="menu.report_list"
        help={t('report_list.help')}
        list={api.report_list.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'at', order: 'desc' }}
        exportName="menu.report_list"
        pollSeconds={30}
        empty={{ picture: 'messages', title: 'report_list.empty', help: 'report_list.empty_help' }}
        rowActions={rowActions}
        batchActions={[
          { key: 'dismiss', label: 'report_list.dismiss', node: 'report_list.dismiss', onClick: dismiss },
          ...freezing.map((act) => ({ ...act, onClick: (rows: Report[]) => freezeOf(act.key, rows) })),
        ]}
      />
      {dialog}
    </>
  );
}
