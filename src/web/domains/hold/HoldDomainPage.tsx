import { GlobalOutlined } from '@ant-design/icons';
import { Button, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DomainHolder } from '../../../contract/domains/hold-domain.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { shortestText } from '../../kit/detection/intervals.ts';
import { Copyable } from '../../kit/feedback.ts';
import { type Filter, ListPage } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { roleCell } from '../../kit/texts/roleName.ts';
import { type HeldBy, HeldDomains } from './HeldDomains.tsx';
import { DomainQuota, LogDays, MonitorQuota } from './Quotas.tsx';

const figure = { kind: 'number', width: 95, card: undefined } as const;
const columns = columnsOf(api.hold_domain.inquire, [
  { key: 'account', kind: 'name', width: 180, render: (row) => <Account row={row} /> },
  { key: 'name', width: 130, card: 'field' },
  { key: 'role_name', title: 'hold_domain.role', width: 150, ...roleCell },
  { key: 'domains', kind: 'number' },
  { key: 'limit', title: 'hold_domain.quota', width: 130, card: 'field', render: (row) => <Quota row={row} /> },
  { key: 'monitors', title: 'hold_domain.monitors', width: 150, card: 'field', render: (row) => <Monitors row={row} /> },
  { key: 'kept_days', kind: 'number', width: 120 },
  { key: 'entry', ...figure },
  { key: 'landing', ...figure },
  { key: 'short', ...figure },
  { key: 'disabled_domains', ...figure },
  { key: 'blocked', kind: 'number', width: 95 },
]);

const filters: Filter<'search' | 'holding' | 'full'>[] = [
  { kind: 'text', key: 'search', label: 'hold_domain.search' },
  { kind: 'boolean', key: 'holding', label: 'hold_domain.holding' },
  { kind: 'boolean', key: 'full', label: 'hold_domain.full' },
];

function Account({ row }: { row: DomainHolder }) {
  const { t } = useTranslation();
  return (
    <>
      <Copyable value={row.account} /> {row.disabled && <Tag>{t('common.disabled')}</Tag>}
    </>
  );
}

function Quota({ row }: { row: DomainHolder }) {
  const { t } = useTranslation();
  if (row.limit === null) return <span className="lc-soft">{t('common.unlimited')}</span>;
  const isFull = row.domains >= row.limit;
  return (
    <span className="lc-num">
      {row.domains} / {row.limit}{' '}
      {isFull ? <Tag color="warning">{t('hold_domain.used_up')}</Tag> : row.domain_quota === null && <Tag>{t('common.default')}</Tag>}
    </span>
  );
}

/** The addresses that a user watches besides his domains, of how many, and how often at most. */
function Monitors({ row: { monitors, monitor_limit, monitor_minimum } }: { row: DomainHolder }) {
  return (
    <span className="lc-num">
      {monitor_limit === null ? monitors : `${monitors} / ${monitor_limit}`}
      {monitor_minimum !== null && <small className="lc-soft"> · {shortestText(monitor_minimum)}</small>}
    </span>
  );
}

function PoolButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  const answer = useCall(api.hold_domain.pool, {});
  return (
    <Button icon={<GlobalOutlined />} onClick={onClick}>
      {answer.data ? t('hold_domain.pool_number', { number: answer.data.pool.domains }) : t('domain_list.pool')}
    </Button>
  );
}

/** How many domains each user holds, and may hold: assign, take back, quotas. */
export function HoldDomainPage() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<HeldBy | null>(null);
  const [limited, setLimited] = useState<DomainHolder[]>([]);
  const [watchers, setWatchers] = useState<DomainHolder[]>([]);
  const [keepers, setKeepers] = useState<DomainHolder[]>([]);
  return (
    <>
      <ListPage
        title="menu.hold_domain"
        help={t('hold_domain.help')}
        list={api.hold_domain.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'domains', order: 'desc' }}
        exportName="menu.hold_domain"
        actions={<PoolButton onClick={() => setOpened('pool')} />}
        empty={{ title: 'hold_domain.empty', help: 'hold_domain.empty_help' }}
        onRowClick={setOpened}
        rowActions={[
          { key: 'domains', label: 'hold_domain.show', onClick: setOpened },
          { key: 'quota', label: 'hold_domain.set_quota', node: 'hold_domain.quota', onClick: (row) => setLimited([row]) },
          { key: 'monitors', label: 'hold_domain.set_monitor_quota', node: 'hold_domain.quota', onClick: (row) => setWatchers([row]) },
          { key: 'log_days', label: 'hold_domain.set_log_days', node: 'hold_domain.quota', onClick: (row) => setKeepers([row]) },
        ]}
        batchActions={[
          {
            key: 'quota',
            label: 'hold_domain.set_quota',
            node: 'hold_domain.quota',
            onClick: async (rows) => {
              setLimited(rows);
              return true;
            },
          },
          {
            key: 'monitors',
            label: 'hold_domain.set_monitor_quota',
            node: 'hold_domain.quota',
            onClick: async (rows) => {
              setWatchers(rows);
              return true;
            },
          },
          {
            key: 'log_days',
            label: 'hold_domain.set_log_days',
            node: 'hold_domain.quota',
            onClick: async (rows) => {
              setKeepers(rows);
              return true;
            },
          },
        ]}
      />
      {opened && <HeldDomains holder={opened} onClose={() => setOpened(null)} />}
      {limited.length > 0 && <DomainQuota holders={limited} onClose={() => setLimited([])} />}
      {keepers.length > 0 && <LogDays holders={keepers} onClose={() => setKeepers([])} />}
      {watchers.length > 0 && <MonitorQuota holders={watchers} onClose={() => setWatchers([])} />}
    </>
  );
}
