import { Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { isRefusal, type Outcome, outcomes } from '../../../contract/enums.ts';
import type { VisitRow } from '../../../contract/visits/statistics.ts';
import { api } from '../../kit/calls/api.ts';
import { Copyable, Host, Status, Time } from '../../kit/feedback.ts';
import { type Column, type Filter, ListTable } from '../../kit/ListPage.tsx';
import { translate } from '../../kit/texts/i18n.ts';
import { placeOf } from './place.ts';
import type { Range } from './range.ts';

const outcomeLabel = (outcome: Outcome) => `qr_code_list.outcomes.${outcome}`;

/** An IPv4 address is shown whole, a long IPv6 one with its middle left out. */
const longestAddress = 18;

const columns: Column<VisitRow>[] = [
  { key: 'at', title: 'qr_code_list.visits.at', width: 120, card: 'title', render: (row) => <Time value={row.at} /> },
  {
    key: 'outcome',
    title: 'qr_code_list.visits.outcome',
    width: 120,
    card: 'aside',
    render: (row) => (
      <Status kind={row.outcome === 'passed' ? 'success' : isRefusal(row.outcome) ? 'warning' : 'info'} label={outcomeLabel(row.outcome)} />
    ),
    exportValue: (row) => translate(outcomeLabel(row.outcome)),
  },
  {
    key: 'ip',
    title: 'qr_code_list.visits.ip',
    width: 190,
    card: 'field',
    render: (row) => (
      <span className="code-visit-address">
        <Copyable value={row.ip} maximum={longestAddress} code />
        {row.first_visit && <FirstVisit />}
      </span>
    ),
  },
  { key: 'place', title: 'qr_code_list.visits.place', width: 150, card: 'field', render: placeOf, exportValue: placeOf },
  {
    key: 'carrier',
    title: 'qr_code_list.statistics.dimensions.carrier',
    width: 80,
    render: (row) => translate(`qr_code_list.carriers.${row.carrier}`),
    exportValue: (row) => translate(`qr_code_list.carriers.${row.carrier}`),
  },
  {
    key: 'source',
    title: 'qr_code_list.statistics.dimensions.source',
    width: 100,
    render: (row) => translate(`qr_code_list.sources.${row.source}`),
    exportValue: (row) => translate(`qr_code_list.sources.${row.source}`),
  },
  { key: 'system', title: 'qr_code_list.statistics.dimensions.system', width: 120, render: systemOf, exportValue: systemOf },
  {
    key: 'model_name',
    title: 'qr_code_list.visits.device',
    width: 160,
    card: 'field',
    render: (row) => row.model_name || row.model || row.brand || '–',
  },
  { key: 'browser', title: 'qr_code_list.statistics.dimensions.browser', width: 110 },
  { key: 'host', title: 'qr_code_list.visits.host', width: 160, hiddenByDefault: true, render: (row) => <Host row={row} /> },
  { key: 'referer', title: 'qr_code_list.visits.referer', width: 180, hiddenByDefault: true },
  { key: 'user_agent', title: 'qr_code_list.visits.user_agent', width: 320, hiddenByDefault: true },
];

function systemOf(row: VisitRow): string {
  return [row.system, row.system_version].filter(Boolean).join(' ') || '–';
}

const filters: Filter<'outcome' | 'ip'>[] = [
  {
    kind: 'select',
    key: 'outcome',
    label: 'qr_code_list.visits.outcome',
    options: outcomes
      .filter((outcome) => outcome !== 'unknown_host' && outcome !== 'forwarded' && outcome !== 'pressed')
      .map((value) => ({ value, label: outcomeLabel(value) })),
  },
  { kind: 'text', key: 'ip', label: 'qr_code_list.visits.ip' },
];

function FirstVisit() {
  const { t } = useTranslation();
  return <Tag color="blue">{t('qr_code_list.visits.first')}</Tag>;
}

type VisitListProps = { code: Pick<LiveCode, 'id' | 'open_log'>; range: Range; isLive: boolean };

/** The newest visits, one row each, as far as the code keeps rows. */
export function VisitList({ code, range, isLive }: VisitListProps) {
  const { t } = useTranslation();
  return (
    <section className="code-visits">
      <h2 className="code-visits-title">{t('qr_code_list.visits.title')}</h2>
      <ListTable
        list={api.qr_code_access.inquire}
        name="qr_code_access"
        columns={columns}
        filters={filters}
        fixedInput={{ live_code_id: code.id, ...range }}
        pollSeconds={isLive ? 5 : undefined}
        exportName="qr_code_list.visits.title"
        exportNode="qr_code_list.export"
        empty={{
          picture: 'chart',
          title: 'qr_code_list.visits.none',
          help: code.open_log ? 'qr_code_list.visits.none_help' : 'qr_code_list.visits.log_off',
        }}
      />
    </section>
  );
}
