import { Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { carriers, visitSources } from '../../contract/enums.ts';
import type { Visitor } from '../../contract/visits/visitor.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useRowsQuestion } from '../kit/dialogs/confirm.tsx';
import { Copyable, Status } from '../kit/feedback.ts';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { placeOf } from '../kit/places.ts';
import { translate } from '../kit/texts/i18n.ts';
import { BlockAddresses } from './blacklist/BlockAddresses.tsx';
import { Device } from './VisitorCells.tsx';

const blacklistLabel = (row: Visitor) => `visitor.blacklisted.${row.blacklisted}`;
const carrierLabel = (row: Visitor) => translate(`today_statistics.carrier.${row.carrier}`);
const sourceLabel = (row: Visitor) => (row.source ? translate(`today_statistics.source.${row.source}`) : '');

const columns = columnsOf(api.visitor.inquire, [
  { key: 'ip', kind: 'name', width: 210, render: (row) => <Address row={row} /> },
  { key: 'arrived_at', kind: 'time', width: 130, card: 'field' },
  { key: 'visits', kind: 'number', width: 100 },
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
    width: 190,
    card: 'field',
    exportValue: ({ country, region, city }) => [country, region, city].filter(Boolean).join(' '),
    render: (row) => placeOf(row),
  },
  { key: 'device', width: 190, card: 'field', exportValue: (row) => row.model_name, render: (row) => <Device row={row} /> },
  { key: 'source', width: 110, exportValue: sourceLabel, render: (row) => sourceLabel(row) || '–' },
  { key: 'carrier', width: 110, exportValue: carrierLabel, render: carrierLabel },
  { key: 'codes', kind: 'number', width: 90, card: undefined },
  { key: 'last_at', kind: 'time', width: 130 },
  { key: 'first_at', kind: 'time', width: 130 },
  { key: 'system', width: 110, hiddenByDefault: true },
]);

type FilterKey = 'ip' | 'place' | 'carrier' | 'source' | 'from' | 'to';
const filters: Filter<FilterKey>[] = [
  { kind: 'text', key: 'ip', label: 'visitor.ip', placeholder: 'visitor.ip_search' },
  { kind: 'text', key: 'place', label: 'common.field.place', placeholder: 'visitor.place_search' },
  { kind: 'date_range', key: 'from', to: 'to', label: 'common.field.days' },
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
      <Copyable value={row.ip} maximum={21} code />
      {row.source === 'bot' && <Tag>{t('today_statistics.source.bot')}</Tag>}
    </span>
  );
}

const allowQuestion = {
  title: 'visitor.allow_title',
  many: 'visitor.allow_many',
  content: 'visitor.allow_content',
  confirm: 'visitor.allow',
  name: ({ ip }: Visitor) => ({ ip }),
};

const isFree = (row: Visitor) => row.blacklisted !== 'address';

/** The addresses that visited any code, and the list of those that may not any more. */
export function VisitorPage() {
  const { t } = useTranslation();
  const ask = useRowsQuestion();
  const [blocked, setBlocked] = useState<readonly string[] | null>(null);
  const allow = useAction(api.visitor.allow);

  const askToAllow = (rows: readonly Visitor[]) => ask(rows, allowQuestion, () => allow.run({ ips: rows.map(({ ip }) => ip) }));
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
        empty={{ picture: 'visits', title: 'visitor.empty', help: 'visitor.empty_help' }}
        rowActions={[
          {
            key: 'blacklist',
            label: 'visitor.add_to_blacklist',
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
            label: 'visitor.add_to_blacklist',
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
