import { Tag } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { isRefusal, type Outcome, outcomes } from '../../../contract/enums.ts';
import type { VisitRow } from '../../../contract/visits/statistics.ts';
import { api } from '../../kit/calls/api.ts';
import { Copyable, Host, type StatusKind } from '../../kit/feedback.ts';
import { type Filter, ListTable } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { placeOf } from '../../kit/places.ts';
import type { Range } from '../../kit/workbench/state.ts';
import { KeptDays } from './KeptDays.tsx';

const outcomeLabel = (outcome: Outcome) => `qr_code_list.outcomes.${outcome}`;
/** How a visit ended, as a status in words. */
export const outcomeState = (outcome: Outcome): { kind: StatusKind; label: string } => ({
  kind: outcome === 'passed' ? 'success' : isRefusal(outcome) ? 'warning' : 'info',
  label: outcomeLabel(outcome),
});
export const deviceOf = (row: Pick<VisitRow, 'model_name' | 'model' | 'brand'>): string => row.model_name || row.model || row.brand || '–';

/** An IPv4 address is shown whole, a long IPv6 one with its middle left out. */
const maxAddressLength = 18;

const columnsFor = (hasAliases: boolean, hasChoice: boolean) =>
  columnsOf(api.qr_code_access.inquire, [
    { key: 'at', kind: 'time', title: 'common.field.time', sortable: false, width: 120, card: 'title' },
    {
      key: 'outcome',
      kind: 'status',
      title: 'qr_code_list.visits.outcome',
      width: 160,
      status: ({ outcome }) => outcomeState(outcome),
    },
    {
      key: 'target_name',
      title: 'historical_statistics.dimension.target',
      width: 160,
      card: hasChoice ? 'field' : undefined,
      // Where there is one target, all led there.
      hiddenByDefault: !hasChoice,
      render: ({ target_name }) => target_name || '–',
    },
    ...(hasAliases
      ? [
          {
            key: 'key' as const,
            title: 'common.field.file_name',
            width: 140,
            card: 'field' as const,
            render: ({ key }: VisitRow) => <code>{key}</code>,
          },
        ]
      : []),
    {
      key: 'ip',
      title: 'qr_code_list.visits.ip',
      width: 190,
      card: 'field',
      render: (row) => (
        <span className="lc-code-visit-address">
          <Copyable value={row.ip} maximum={maxAddressLength} code />
          {row.first_visit && <FirstVisit />}
        </span>
      ),
    },
    { key: 'place', width: 150, card: 'field', exportValue: (row) => placeOf(row), render: (row) => placeOf(row) },
    {
      key: 'carrier',
      kind: 'label',
      title: 'qr_code_list.statistics.dimensions.carrier',
      label: (row) => `qr_code_list.carriers.${row.carrier}`,
      width: 80,
    },
    {
      key: 'source',
      kind: 'label',
      title: 'qr_code_list.statistics.dimensions.source',
      label: (row) => `qr_code_list.sources.${row.source}`,
      width: 100,
    },
    { key: 'system', title: 'qr_code_list.statistics.dimensions.system', width: 120, exportValue: systemOf, render: systemOf },
    {
      key: 'model_name',
      title: 'common.field.device',
      width: 160,
      card: 'field',
      render: deviceOf,
    },
    { key: 'browser', title: 'qr_code_list.statistics.dimensions.browser', width: 110 },
    { key: 'host', title: 'qr_code_list.visits.host', width: 160, hiddenByDefault: true, render: (row) => <Host row={row} /> },
    { key: 'referer', title: 'qr_code_list.visits.referer', hiddenByDefault: true },
    { key: 'user_agent', title: 'qr_code_list.visits.user_agent', width: 320, hiddenByDefault: true },
  ]);

function systemOf(row: VisitRow): string {
  return [row.system, row.system_version].filter(Boolean).join(' ') || '–';
}

type ListedKeys = Pick<LiveCodeDetails, 'file_name' | 'aliases'>;

const filtersFor = ({ file_name, aliases }: ListedKeys): Filter<'outcome' | 'ip' | 'key'>[] => [
  {
    kind: 'select',
    key: 'outcome',
    label: 'qr_code_list.visits.outcome',
    options: outcomes
      .filter((outcome) => outcome !== 'unknown_host' && outcome !== 'forwarded' && outcome !== 'pressed' && outcome !== 'reported')
      .map((value) => ({ value, label: outcomeLabel(value) })),
  },
  { kind: 'text', key: 'ip', label: 'qr_code_list.visits.ip' },
  ...(aliases.length > 0
    ? [
        {
          kind: 'select' as const,
          key: 'key' as const,
          label: 'common.field.file_name',
          options: [{ key: file_name, remark: '' }, ...aliases].map(({ key, remark }) => ({
            value: key,
            label: remark ? `${key} · ${remark}` : key,
          })),
        },
      ]
    : []),
];

function FirstVisit() {
  const { t } = useTranslation();
  return <Tag color="blue">{t('qr_code_list.visits.first')}</Tag>;
}

type VisitListProps = {
  code: ListedKeys & Pick<LiveCodeDetails, 'id' | 'open_log' | 'log_days' | 'targets'>;
  range: Range;
  isLive: boolean;
};

/** The newest visits, one row each, as far as the code keeps rows. */
export function VisitList({ code, range, isLive }: VisitListProps) {
  const { t } = useTranslation();
  const { file_name, aliases, targets } = code;
  const columns = useMemo(() => columnsFor(aliases.length > 0, targets.length > 1), [aliases.length, targets.length]);
  const filters = useMemo(() => filtersFor({ file_name, aliases }), [file_name, aliases]);
  return (
    <section className="lc-code-visits">
      <h2 className="lc-code-visits-title">{t('qr_code_list.visits.title')}</h2>
      {code.open_log && <KeptDays days={code.log_days} />}
      <ListTable
        list={api.qr_code_access.inquire}
        name="qr_code_access"
        columns={columns}
        filters={filters}
        fixedInput={{ live_code_id: code.id, ...range }}
        pollSeconds={isLive ? 5 : undefined}
        exportCall={api.qr_code_access.export_access_records}
        exportName="qr_code_list.visits.title"
        exportNode="qr_code_list.export"
        empty={{
          picture: 'visits',
          title: 'qr_code_list.visits.none',
          help: code.open_log ? 'qr_code_list.visits.none_help' : 'qr_code_list.visits.log_off',
        }}
      />
    </section>
  );
}
