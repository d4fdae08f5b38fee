import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sourceKinds, type VisitSourceRow } from '../../../contract/visits/stealing-list.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Copyable, Host, Num, Status, Time } from '../../kit/feedback.ts';
import { hostLabel } from '../../kit/host.ts';
import { type Column, type Filter, ListPage } from '../../kit/ListPage.tsx';
import { BlockAddresses } from '../blacklist/BlockAddresses.tsx';
import { RulesDrawer } from './RulesDrawer.tsx';

/** An IPv4 address is shown whole, a long IPv6 one with its middle left out. */
const longestAddress = 18;

const kindLabel = (row: VisitSourceRow) => `stealing_list.kind.${row.kind}`;
/** What is too much for an hour is counted in one row, which names nothing. */
const isRest = (row: VisitSourceRow) => row.ip === null;
const hasHost = (row: VisitSourceRow) => row.host !== '';
const canBlock = (row: VisitSourceRow) => hasHost(row) && row.owner_id !== null && !row.blocked;
const canBlacklist = (row: VisitSourceRow) => row.ip !== null && row.blacklisted === 'no';

const columns: Column<VisitSourceRow>[] = [
  {
    key: 'host',
    title: 'stealing_list.host',
    sortable: true,
    width: 190,
    card: 'title',
    exportValue: (row) => (isRest(row) ? 'stealing_list.rest' : row.host),
    render: (row) => <Source row={row} />,
  },
  {
    key: 'kind',
    title: 'stealing_list.kind.title',
    width: 120,
    card: 'aside',
    exportValue: kindLabel,
    render: (row) => (
      <Status
        kind={row.kind === 'forged' ? 'error' : row.kind === 'replayed' ? 'neutral' : 'warning'}
        label={kindLabel(row)}
        help={`stealing_list.kind_help.${row.kind}`}
      />
    ),
  },
  { key: 'code', title: 'stealing_list.code', width: 190, card: 'field', render: (row) => <Code row={row} /> },
  { key: 'ip', title: 'stealing_list.ip', width: 150, card: 'field', render: (row) => <Address row={row} /> },
  {
    key: 'visits',
    title: 'stealing_list.visits',
    sortable: true,
    align: 'right',
    width: 80,
    card: 'field',
    render: (row) => <Num value={row.visits} />,
  },
  {
    key: 'blocked',
    title: 'stealing_list.state',
    width: 105,
    exportValue: stateOf,
    render: (row) => <Status kind={stateOf(row) === 'stealing_list.listed' ? 'neutral' : 'error'} label={stateOf(row)} />,
  },
  {
    key: 'last_at',
    title: 'stealing_list.last_at',
    sortable: true,
    width: 130,
    card: 'field',
    render: (row) => <Time value={row.last_at} />,
  },
  {
    key: 'first_at',
    title: 'stealing_list.first_at',
    sortable: true,
    width: 110,
    hiddenByDefault: true,
    render: (row) => <Time value={row.first_at} />,
  },
  { key: 'owner_account', title: 'stealing_list.owner', width: 120, node: 'user_list' },
];

const filters: Filter<'search' | 'kind'>[] = [
  { kind: 'text', key: 'search', label: 'stealing_list.search' },
  {
    kind: 'select',
    key: 'kind',
    label: 'stealing_list.kind.title',
    options: sourceKinds.map((value) => ({ value, label: `stealing_list.kind.${value}`, help: `stealing_list.kind_help.${value}` })),
  },
];

function stateOf({ blocked, blacklisted }: VisitSourceRow): string {
  if (blocked) return 'stealing_list.blocked';
  return blacklisted === 'address' || blacklisted === 'network' ? 'stealing_list.blacklisted' : 'stealing_list.listed';
}

function Source({ row }: { row: VisitSourceRow }) {
  const { t } = useTranslation();
  if (isRest(row)) return <span className="lc-soft">{t('stealing_list.rest')}</span>;
  return hasHost(row) ? <Host row={row} maximum={32} /> : <span className="lc-soft">{t('stealing_list.direct')}</span>;
}

function Code({ row }: { row: VisitSourceRow }) {
  const { t } = useTranslation();
  if (row.live_code_id === null) return <span className="lc-soft">{t(isRest(row) ? 'stealing_list.several' : 'stealing_list.none')}</span>;
  if (row.code === '') return <span className="lc-soft">{t('stealing_list.gone')}</span>;
  return (
    <span title={row.code_name || row.code}>
      {row.code_name || t(row.is_short_code ? 'stealing_list.short_code' : 'stealing_list.live_code')}{' '}
      <span className="lc-soft lc-code">{row.code}</span>
    </span>
  );
}

function Address({ row }: { row: VisitSourceRow }) {
  const { t } = useTranslation();
  if (row.ip === null) return <span className="lc-soft">{t('stealing_list.several')}</span>;
  return <Copyable value={row.ip} maximum={longestAddress} code />;
}

/** Visits that were not meant to come, by where they came from: refuse the host or the address, or take it for meant. */
export function StealingListPage() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { allows } = useSession();
  const [ips, setIps] = useState<readonly string[] | null>(null);
  const [isShowingRules, setIsShowingRules] = useState(false);
  const block = useAction(api.stealing_list.block);
  const allow = useAction(api.stealing_list.allow);

  async function decide(action: 'block' | 'allow', rows: readonly VisitSourceRow[]) {
    const named = rows.filter(action === 'block' ? canBlock : hasHost);
    const [first] = named;
    if (!first) return false;
    const hosts = new Set(named.map(({ host }) => host));
    const agreed = await confirm({
      title:
        hosts.size === 1
          ? t(`stealing_list.${action}_title`, { host: hostLabel(first) })
          : t(`stealing_list.${action}_many`, { number: hosts.size }),
      content: `stealing_list.${action}_content`,
      confirm: `stealing_list.${action}`,
      danger: action === 'block',
    });
    const run = action === 'block' ? block.run : allow.run;
    return agreed && (await run({ ids: named.map(({ id }) => id) })) !== undefined;
  }

  return (
    <>
      <ListPage
        title="menu.stealing_list"
        help={t(allows('stealing_list.blacklist') ? 'stealing_list.help_all' : 'stealing_list.help')}
        list={api.stealing_list.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'last_at', order: 'desc' }}
        exportName="menu.stealing_list"
        actions={<Button onClick={() => setIsShowingRules(true)}>{t('stealing_list.rules')}</Button>}
        empty={{ title: 'stealing_list.empty', help: 'stealing_list.empty_help' }}
        rowActions={[
          {
            key: 'block',
            label: 'stealing_list.block',
            node: 'stealing_list.block',
            danger: true,
            visible: canBlock,
            onClick: (row) => void decide('block', [row]),
          },
          {
            key: 'allow',
            label: 'stealing_list.allow',
            node: 'stealing_list.allow',
            visible: hasHost,
            onClick: (row) => void decide('allow', [row]),
          },
          {
            key: 'blacklist',
            label: 'stealing_list.blacklist',
            node: 'stealing_list.blacklist',
            danger: true,
            visible: canBlacklist,
            onClick: (row) => setIps(row.ip === null ? null : [row.ip]),
          },
        ]}
        batchActions={[
          {
            key: 'block',
            label: 'stealing_list.block',
            node: 'stealing_list.block',
            danger: true,
            onClick: (rows) => decide('block', rows),
          },
          { key: 'allow', label: 'stealing_list.allow', node: 'stealing_list.allow', onClick: (rows) => decide('allow', rows) },
          {
            key: 'blacklist',
            label: 'stealing_list.blacklist',
            node: 'stealing_list.blacklist',
            danger: true,
            onClick: async (rows) => {
              const chosen = [...new Set(rows.filter(canBlacklist).flatMap(({ ip }) => ip ?? []))];
              if (chosen.length > 0) setIps(chosen);
              return chosen.length > 0;
            },
          },
        ]}
      />
      {ips && (
        <BlockAddresses
          action={api.stealing_list.blacklist}
          ips={ips}
          invalidates={['server_ip_black', 'visitor']}
          onClose={() => setIps(null)}
        />
      )}
      {isShowingRules && <RulesDrawer onClose={() => setIsShowingRules(false)} />}
    </>
  );
}
