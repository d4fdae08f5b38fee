import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sourceKinds, type VisitSourceRow } from '../../../contract/visits/stealing-list.ts';
import { CodeLink } from '../../kit/CodeLink.tsx';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Copyable, Host } from '../../kit/feedback.ts';
import { hostLabel } from '../../kit/host.ts';
import { type Filter, ListPage } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { BlockAddresses } from '../blacklist/BlockAddresses.tsx';
import { RulesDrawer } from './RulesDrawer.tsx';

/** An IPv4 address is shown whole, a long IPv6 one with its middle left out. */
const maxAddressLength = 18;

const kindLabel = (row: VisitSourceRow) => `stealing_list.kind.${row.kind}`;
/** What is too much for an hour is counted in one row, which names nothing. */
const isRest = (row: VisitSourceRow) => row.ip === null;
const hasHost = (row: VisitSourceRow) => row.host !== '';
const canBlock = (row: VisitSourceRow) => hasHost(row) && row.owner_id !== null && !row.blocked;
const canBlacklist = (row: VisitSourceRow) => row.ip !== null && row.blacklisted === 'no';

const columns = columnsOf(api.stealing_list.inquire, [
  {
    key: 'host',
    kind: 'name',
    width: 180,
    exportValue: (row) => (isRest(row) ? 'stealing_list.rest' : row.host),
    render: (row) => <Source row={row} />,
  },
  {
    key: 'kind',
    kind: 'status',
    status: (row) => ({
      kind: row.kind === 'forged' ? 'error' : row.kind === 'replayed' ? 'neutral' : 'warning',
      label: kindLabel(row),
      help: `stealing_list.kind_help.${row.kind}`,
    }),
    title: 'common.field.type',
    width: 170,
  },
  { key: 'code', width: 180, card: 'field', render: (row) => <Code row={row} /> },
  { key: 'ip', width: 150, card: 'field', render: (row) => <Address row={row} /> },
  { key: 'visits', kind: 'number', width: 100 },
  {
    key: 'blocked',
    kind: 'status',
    status: (row) => ({ kind: stateOf(row) === 'stealing_list.listed' ? 'neutral' : 'error', label: stateOf(row) }),
    title: 'stealing_list.state',
    width: 105,
    card: undefined,
  },
  { key: 'last_at', kind: 'time', width: 130, card: 'field' },
  { key: 'first_at', kind: 'time', width: 110, hiddenByDefault: true },
  { key: 'owner_account', width: 120, node: 'user_list' },
]);

const filters: Filter<'search' | 'kind'>[] = [
  { kind: 'text', key: 'search', label: 'stealing_list.search' },
  {
    kind: 'select',
    key: 'kind',
    label: 'common.field.type',
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
  if (row.live_code_id === null) return <span className="lc-soft">{t(isRest(row) ? 'stealing_list.several' : 'common.none')}</span>;
  if (row.code === '') return <span className="lc-soft">{t('stealing_list.gone')}</span>;
  return (
    <>
      <CodeLink
        id={row.is_short_code ? null : row.live_code_id}
        name={row.code_name || t(row.is_short_code ? 'stealing_list.short_code' : 'common.field.live_code')}
      />{' '}
      <span className="lc-soft lc-code">{row.code}</span>
    </>
  );
}

function Address({ row }: { row: VisitSourceRow }) {
  const { t } = useTranslation();
  if (row.ip === null) return <span className="lc-soft">{t('stealing_list.several')}</span>;
  return <Copyable value={row.ip} maximum={maxAddressLength} code />;
}

const acts = {
  block: { key: 'block', label: 'stealing_list.block', node: 'stealing_list.block', danger: true },
  allow: { key: 'allow', label: 'stealing_list.allow', node: 'stealing_list.allow' },
  blacklist: { key: 'blacklist', label: 'stealing_list.blacklist', node: 'stealing_list.blacklist', danger: true },
} as const;

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

  function blacklist(rows: readonly VisitSourceRow[]): boolean {
    const chosen = [...new Set(rows.filter(canBlacklist).flatMap(({ ip }) => ip ?? []))];
    if (chosen.length > 0) setIps(chosen);
    return chosen.length > 0;
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
          { ...acts.block, visible: canBlock, onClick: (row) => void decide('block', [row]) },
          { ...acts.allow, visible: hasHost, onClick: (row) => void decide('allow', [row]) },
          { ...acts.blacklist, visible: canBlacklist, onClick: ({ ip }) => setIps(ip === null ? null : [ip]) },
        ]}
        batchActions={[
          { ...acts.block, onClick: (rows) => decide('block', rows) },
          { ...acts.allow, onClick: (rows) => decide('allow', rows) },
          { ...acts.blacklist, onClick: async (rows) => blacklist(rows) },
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
