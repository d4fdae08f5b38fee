import { Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { carriers, visitSources } from '../../contract/enums.ts';
import type { Visitor } from '../../contract/visits/visitor.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { Copyable, Num, Status, Time } from '../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../kit/ListPage.tsx';
import { translate } from '../kit/texts/i18n.ts';
import { BlockAddresses } from './blacklist/BlockAddresses.tsx';
import { Device, Place } from './VisitorCells.tsx';

const blacklistLabel = (row: Visitor) => `visitor.blacklisted.${row.blacklisted}`;
const carrierLabel = (row: Visitor) => translate(`today_statistics.carrier.${row.carrier}`);
const sourceLabel = (row: Visitor) => (row.source ? translate(`today_statistics.source.${row.source}`) : '');

const columns: Column<Visitor>[] = [
  { key: 'ip', title: 'visitor.ip', width: 210, card: 'title', render: (row) => <Address row={row} /> },
  {
    key: 'arrived_at',
    title: 'visitor.arrived_at',
    sortable: true,
    width: 130,
    card: 'field',
    render: (row) => <Time value={row.arrived_at} />,
  },
  {
    key: 'visits',
    title: 'visitor.visits',
    sortable: true,
    align: 'right',
    width: 100,
    card: 'field',
    render: (row) => <Num value={row.visits} />,
  },
  {
    key: 'blacklisted',
    title: 'visitor.state',
    width: 120,
    exportValue: blacklistLabel,
    render: (row) =>
      row.blacklisted === 'no' ? (
        <span className="lc-soft">–</span>
      ) : (
        <Status kind="error" label={blacklistLabel(row)} help={`visitor.blacklisted.${row.blacklisted}_help`} />
      ),
  },
  {
    key: 'place',
    title: 'visitor.place',
    width: 190,
    card: 'field',
    render: (row) => <Place row={row} />,
    exportValue: ({ country, region, city }) => [country, region, city].filter(Boolean).join(' '),
  },
  {
    key: 'device',
    title: 'visitor.device',
    width: 190,
    card: 'field',
    render: (row) => <Device row={row} />,
    exportValue: (row) => row.model_name,
  },
  { key: 'source', title: 'visitor.source', width: 110, render: (row) => sourceLabel(row) || '–', exportValue: sourceLabel },
  { key: 'carrier', title: 'visitor.carrier', width: 110, render: carrierLabel, exportValue: carrierLabel },
  { key: 'codes', title: 'visitor.codes', align: 'right', width: 90, render: (row) => <Num value={row.codes} /> },
  { key: 'last_at', title: 'visitor.last_at', width: 130, render: (row) => <Time value={row.last_at} /> },
  { key: 'first_at', title: 'visitor.first_at', width: 130, render: (row) => <Time value={row.first_at} /> },
  { key: 'system', title: 'visitor.system', width: 110, hiddenByDefault: true },
];

type FilterKey = 'ip' | 'place' | 'carrier' | 'source' | 'from' | 'to';
const filters: Filter<FilterKey>[] = [
  { kind: 'text', key: 'ip', label: 'visitor.ip', placeholder: 'visitor.ip_search' },
  { kind: 'text', key: 'place', label: 'visitor.place', placeholder: 'visitor.place_search' },
  { kind: 'date_range', key: 'from', to: 'to', label: 'visitor.days' },
  {
    kind: 'select',
    key: 'carrier',
    label: 'visitor.carrier',
    options: carriers.map((value) => ({ value, label: `today_statistics.carrier.${value}` })),
    more: true,
  },
  {
    kind: 'select',
    key: 'source',
    label: 'visitor.source',
    options: visitSources.map((value) => ({ value, label: `today_statistics.source.${value}` })),
    more: true,
  },
];

function Address({ row }: { row: Visitor }) {
  const { t } = useTranslation();
  return (
    <span className="lc-inline">
      <Copyable value={row.ip} maximum={26} code />
      {row.source === 'bot' && <Tag>{t('today_statistics.source.bot')}</Tag>}
    </span>
  );
}

const isFree = (row: Visitor) => row.blacklisted !== 'address';

/** The addresses that visited any code, and the list of those that may not any more. */
export function VisitorPage() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const [blocked, setBlocked] = useState<readonly string[] | null>(null);
  const allow = useAction(api.visitor.allow, { success: 'visitor.allowed' });

  async function askToAllow(rows: readonly Visitor[]) {
    const title =
      rows.length === 1 ? t('visitor.allow_title', { ip: rows[0]?.ip ?? '' }) : t('visitor.allow_many', { number: rows.length });
    if (!(await confirm({ title, content: 'visitor.allow_content', confirm: 'visitor.allow' }))) return false;
    return (await allow.run({ ips: rows.map((row) => row.ip) })) !== undefined;
  }
  return (
    <>
      <ListPage
        title="menu.visitor"
        help={t('visitor.help')}
        list={api.visitor.inquire}
        rowKey="ip"
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'arrived_at', order: 'desc' }}
        exportName="menu.visitor"
        empty={{ picture: 'chart', title: 'visitor.empty', help: 'visitor.empty_help' }}
        rowActions={[
          {
            key: 'blacklist',
            label: 'visitor.blacklist',
            node: 'visitor.blacklist',
            danger: true,
            visible: isFree,
            onClick: (row) => setBlocked([row.ip]),
          },
          {
            key: 'allow',
            label: 'visitor.allow',
            node: 'visitor.blacklist',
            visible: (row) => !isFree(row),
            onClick: (row) => void askToAllow([row]),
          },
        ]}
        batchActions={[
          {
            key: 'blacklist',
            label: 'visitor.blacklist',
            node: 'visitor.blacklist',
            danger: true,
            onClick: async (rows) => {
              setBlocked(rows.map((row) => row.ip));
              return false;
            },
          },
          { key: 'allow', label: 'visitor.allow', node: 'visitor.blacklist', onClick: askToAllow },
        ]}
      />
      {blocked && (
        <BlockAddresses
          action={api.visitor.blacklist}
          ips={blocked}
          invalidates={['checkout_ip', 'server_ip_black']}
          onClose={() => setBlocked(null)}
        />
      )}
    </>
  );
}
