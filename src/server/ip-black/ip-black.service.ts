import { and, eq, sql } from 'drizzle-orm';
import type { ipBlack } from '../../contract/system/ip-black.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { canonicalIp, createCidrSet } from '../kit/network/ip.ts';
import { networkSearch, readNetworkLines } from '../kit/network/network-lines.ts';
import { isOneOf, list } from '../kit/rows/list.ts';
import { user_account } from '../users/users.table.ts';
import { isInForce, loopback } from './ip-black.guard.ts';
import { ip_black } from './ip-black.table.ts';

const endsInLoopback = (network: string): boolean => {
  const [address = '', prefix] = network.split('/');
  return loopback.has(address) && (prefix === undefined || Number(prefix) >= 8);
};

/** Why this network must not be added by somebody at this address. */
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

export const ipBlackService: Service<typeof ipBlack> = {
  inquire: ({ search, expired, ...input }, { db }) =>
    list(db, input, {
      fields: {
        id: ip_black.id,
        network: ip_black.network,
        remark: ip_black.remark,
        expires_at: ip_black.expires_at,
        expired: sql<boolean>`NOT ${isInForce}`,
        hits: ip_black.hits,
        last_hit_at: ip_black.last_hit_at,
        created_by: ip_black.created_by,
        created_by_account: sql<string | null>`${user_account.account}`,
        created_at: ip_black.created_at,
      },
      from: ip_black,
      joins: [[user_account, eq(user_account.id, ip_black.created_by)]],
      where: and(networkSearch(ip_black, search), expired === undefined ? undefined : sql`${isInForce} <> ${expired}`),
      sorts: ip_black,
      key: ip_black.id,
    }),

  async add({ lines, ...fields }, context) {
    const { read, wanted } = readNetworkLines(lines, refusedFor(canonicalIp(context.ip) ?? ''));
    const stored = await store(wanted, fields, context);
    context.audit({ after: { networks: wanted } });
    const results = read.map(({ line, network, state }) => ({ line, state: state ?? stored.get(network ?? '') ?? 'invalid' }));
    return { added: results.filter(({ state }) => state === 'added').length, results };
  },

  async remove({ ids }, { db, audit }) {
    const removed = await db.delete(ip_black).where(isOneOf(ip_black.id, ids)).returning();
    audit({ before: removed });
    return { affected: removed.length };
  },
};
