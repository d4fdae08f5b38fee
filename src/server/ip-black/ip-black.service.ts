import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { ipBlack } from '../../contract/system/ip-black.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { canonicalIp, createCidrSet } from '../kit/network/ip.ts';
import { networkSearch, readNetworkLines } from '../kit/network/network-lines.ts';
import { betweenDays } from '../kit/rows/list.ts';
import { rowsOf } from '../kit/rows/rows.ts';
import { user_account } from '../users/users.table.ts';
import { isInForce, loopback } from './ip-black.guard.ts';
import { ip_black } from './ip-black.table.ts';

const endsInLoopback = (network: string): boolean => {
  const [address = '', prefix] = network.split('/');
  return loopback.has(address) && (prefix === undefined || Number(prefix) >= 8);
};

/** Why this network must not be added by an administrator at this address. */
function refusedFor(ip: string): (network: string) => 'loopback' | 'own_address' | undefined {
  return (network) => {
    if (endsInLoopback(network)) return 'loopback';
    return !loopback.has(ip) && createCidrSet([network]).has(ip) ? 'own_address' : undefined;
  };
}

async function store(networks: readonly string[], fields: { remark?: string; expires_at?: string | null }, { db, actor }: Context) {
  if (networks.length === 0) return new Map<string, 'added' | 'updated'>();
  const rows = await db
    .insert(ip_black)
    .values([...networks].sort().map((network) => ({ network, ...fields, created_by: actor.user_id })))
    .onConflictDoUpdate({
      target: ip_black.network,
      set: { remark: sql`excluded.remark`, expires_at: sql`excluded.expires_at`, created_by: sql`excluded.created_by` },
    })
    // A row that was just made has no older version.
    .returning({ network: ip_black.network, is_new: sql<boolean>`xmax = 0` });
  return new Map(rows.map((row): [string, 'added' | 'updated'] => [row.network, row.is_new ? 'added' : 'updated']));
}

const rows = rowsOf(ip_black, {
  fields: {
    ...getTableColumns(ip_black),
    expired: sql<boolean>`NOT ${isInForce}`,
    created_by_account: sql<string | null>`${user_account.account}`,
  },
  joins: [[user_account, eq(user_account.id, ip_black.created_by)]],
});

export const ipBlackService: Service<typeof ipBlack> = {
  inquire: async ({ search, expired, expires_from: from, expires_to: to, ...input }, context) => {
    const state = expired === undefined ? undefined : sql`${isInForce} <> ${expired}`;
    const { time_zone } = await context.settings();
    return rows.page(
      input,
      context,
      and(networkSearch(ip_black, search), state, betweenDays(ip_black.expires_at, { from, to }, time_zone)),
    );
  },
  remove: rows.remove,

  async add({ lines, ...fields }, context) {
    const { read, wanted } = readNetworkLines(lines, refusedFor(canonicalIp(context.ip) ?? ''));
    const stored = await store(wanted, fields, context);
    context.audit({ after: { networks: wanted } });
    const results = read.map(({ line, network, state }) => ({ line, state: state ?? stored.get(network ?? '') ?? 'invalid' }));
    return { added: results.filter(({ state }) => state === 'added').length, results };
  },
};
