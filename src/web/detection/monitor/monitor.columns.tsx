import { Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import type { DomainMonitor } from '../../../contract/detection/domain-monitor.ts';
import { blockStatuses } from '../../../contract/enums.ts';
import { api } from '../../kit/calls/api.ts';
import { Heartbeats } from '../../kit/detection/Heartbeats.tsx';
import { intervalText } from '../../kit/detection/intervals.ts';
import { Latency, Uptime } from '../../kit/detection/MonitorFigures.tsx';
import { blockLabel, blockSince, blockState } from '../../kit/domainStates.tsx';
import { Copyable, Host, Status, Time } from '../../kit/feedback.ts';
import type { Column, Filter } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { remoteOptions } from '../../kit/options.ts';

/** What messengers are known to do with the address, as all lists of domains say it. */
export const stateOf = ({ block_status, suspected_since, status_since }: DomainMonitor) => ({
  block_status,
  suspected_since,
  block_since: status_since,
});

/** Whether it is let through, since when, and why nothing new is found where that is so. */
export function MonitorState({ row }: { row: DomainMonitor }) {
  const { t } = useTranslation();
  const since = blockSince(stateOf(row));
  return (
    <div className="lc-monitor-state">
      <span>
        <Status {...blockState(stateOf(row))} />
        {row.disputed && (
          <Tag color="warning" title={t('domain_monitor.disputed_help')}>
            {t('domain_monitor.disputed')}
          </Tag>
        )}
        {row.paused && <Tag>{t('domain_monitor.tile.paused')}</Tag>}
        {row.over_quota && (
          <Tag color="warning" title={t('domain_monitor.over_quota_help')}>
            {t('domain_monitor.over_quota')}
          </Tag>
        )}
        {!row.enabled && <Tag>{t('domain_monitor.off')}</Tag>}
      </span>
      {since && (
        <small className="lc-soft">
          {t('domain_monitor.since')} <Time value={since} />
        </small>
      )}
    </div>
  );
}

/** The address: of our own domains the name alone, of others what is asked for; below whose it is, and the remark. */
function Address({ row, owner }: { row: DomainMonitor; owner?: string }) {
  const notes = [owner, row.remark].filter(Boolean).join(' · ');
  return (
    <div className="lc-monitor-address">
      {row.domain_id === null ? (
        <Copyable value={row.url} text={row.url.replace(/^https?:\/\//, '')} maximum={20} />
      ) : (
        <Host row={row} maximum={20} />
      )}
      {notes !== '' && (
        <small className="lc-soft" title={notes}>
          {notes}
        </small>
      )}
    </div>
  );
}

/** The same among the addresses of all users. */
function OwnedAddress({ row }: { row: DomainMonitor }) {
  const { t } = useTranslation();
  return <Address row={row} owner={row.owner_account ?? t('domain_list.pool')} />;
}

/** When it was checked last, how often it is, and when it will be next. */
function Checked({ row: { checked_at, due_at, effective_seconds } }: { row: DomainMonitor }) {
  const { t } = useTranslation();
  return (
    <div className="lc-monitor-checked">
      <Time value={checked_at} />
      <small className="lc-soft">
        {t('domain_monitor.every', { interval: intervalText(effective_seconds) })}
        {due_at && (
          <>
            {' · '}
            {t('domain_monitor.next')} <Time value={due_at} />
          </>
        )}
      </small>
    </div>
  );
}

const columns = columnsOf(api.domain_monitor.inquire, [
  { key: 'host', kind: 'name', width: 180, exportValue: (row) => row.url, render: (row) => <Address row={row} /> },
  {
    key: 'status_since',
    title: 'domain_list.block_status',
    width: 130,
    card: 'field',
    exportValue: (row) => blockLabel(stateOf(row)),
    render: (row) => <MonitorState row={row} />,
  },
  {
    key: 'beats',
    width: 200,
    card: 'field',
    exportValue: (row) => row.beats.map(({ state }) => state).join(' '),
    render: (row) => <Heartbeats beats={row.beats} />,
  },
  { key: 'uptime', width: 175, card: 'field', exportValue: (row) => row.uptime_30d, render: (row) => <Uptime row={row} /> },
  {
    key: 'latency',
    width: 125,
    exportValue: (row) => row.latency.findLast((value) => value !== null) ?? null,
    render: (row) => <Latency row={row} width={44} />,
  },
  {
    key: 'checked_at',
    kind: 'time',
    title: 'domain_list.checked_at',
    width: 165,
    card: 'field',
    render: (row) => <Checked row={row} />,
  },
  { key: 'effective_seconds', kind: 'number', title: 'domain_monitor.interval_seconds', card: undefined, hiddenByDefault: true },
  { key: 'remark', card: undefined, hiddenByDefault: true },
  { key: 'created_at', kind: 'time', width: 120, hiddenByDefault: true },
]);

/** Whose an address is only administrators ask. */
const columnsOfAll: Column<DomainMonitor>[] = [
  ...columns.map((column) => (column.key === 'host' ? { ...column, render: (row: DomainMonitor) => <OwnedAddress row={row} /> } : column)),
  {
    key: 'owner_account',
    title: 'domain_list.holder',
    width: 110,
    hiddenByDefault: true,
    exportValue: (row) => row.owner_account ?? 'domain_list.pool',
  },
];

type FilterKey = 'search' | 'block_status' | 'suspected' | 'disputed' | 'paused' | 'registered';
const filters: Filter<FilterKey>[] = [
  { kind: 'text', key: 'search', label: 'domain_monitor.search' },
  {
    kind: 'select',
    key: 'block_status',
    label: 'domain_list.block_status',
    options: blockStatuses.map((block_status) => ({ value: block_status, label: blockLabel({ block_status }) })),
  },
  { kind: 'boolean', key: 'suspected', label: 'domain_monitor.tile.suspected' },
  { kind: 'boolean', key: 'paused', label: 'domain_monitor.tile.paused' },
  { kind: 'boolean', key: 'disputed', label: 'domain_monitor.disputed', more: true },
  {
    kind: 'boolean',
    key: 'registered',
    label: 'domain_monitor.registered',
    yes: 'domain_monitor.own',
    no: 'domain_monitor.foreign',
    more: true,
  },
];

const ownerFilters: Filter<'owner_id' | 'pool'>[] = [
  {
    kind: 'remote',
    key: 'owner_id',
    label: 'domain_list.holder',
    source: remoteOptions(
      api.user_list.options,
      (search) => ({ search }),
      (user) => ({ value: user.id, label: user.account }),
    ),
    more: true,
  },
  { kind: 'boolean', key: 'pool', label: 'domain_list.pool', more: true },
];

/** What either screen lists. */
export const listOf = { own: { columns, filters }, all: { columns: columnsOfAll, filters: [...filters, ...ownerFilters] } };
