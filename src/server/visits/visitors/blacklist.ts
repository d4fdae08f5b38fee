import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../kit/calls/context.ts';
import { invalidField } from '../../kit/calls/errors.ts';
import { overlap } from '../../kit/network/network-lines.ts';
import { visit_blacklist } from '../visits.table.ts';

const loopback = ['127.0.0.0/8', '::1'];

export type Refused = (network: string) => 'loopback' | 'proxy' | undefined;

/** Tells networks that would refuse the server itself or our own proxies, which stand for everybody behind them. */
export const protecting =
  (trustedProxies: readonly string[]): Refused =>
  (network) => {
    if (loopback.some((own) => overlap(own, network))) return 'loopback';
    return trustedProxies.some((proxy) => overlap(proxy, network)) ? 'proxy' : undefined;
  };

type Fields = { remark?: string | undefined; expires_at?: string | null | undefined };

/**
 * Refuses visits from these networks (in canonical spelling, each once); one that is on the list already gets the new remark and expiry.
 * The redirect processes hear of it from the table's trigger.
 */
export async function storeBlocked(
  networks: readonly string[],
  { remark = '', expires_at = null }: Fields,
  { db, now, actor }: Context,
): Promise<Map<string, 'added' | 'updated'>> {
  if (expires_at !== null && Date.parse(expires_at) <= now.getTime()) throw invalidField('expires_at', 'in_the_past');
  if (networks.length === 0) return new Map();
  const rows = await db
    .insert(visit_blacklist)
    // In one order, so that two who add the same networks at once wait for each other instead of both failing.
    .values([...networks].sort().map((network) => ({ network, remark, expires_at, created_by: actor.user_id })))
    .onConflictDoUpdate({
      target: visit_blacklist.network,
      set: { remark: sql`excluded.remark`, expires_at: sql`excluded.expires_at`, created_by: sql`excluded.created_by` },
    })
    // A row that was just made has no older version.
    .returning({ network: visit_blacklist.network, is_new: sql<boolean>`xmax = 0` });
  return new Map(rows.map(({ network, is_new }): [string, 'added' | 'updated'] => [network, is_new ? 'added' : 'updated']));
}

/** Whether an address is refused at this moment: `address` by an entry of its own, `network` by one that holds it, else `no`. */
export function blacklistedState(ip: SQL, now: Date): SQL {
  const holds = (by: SQL) => sql`EXISTS (SELECT FROM visit_blacklist WHERE network ${by} ${ip}
    AND (expires_at IS NULL OR expires_at > ${now.toISOString()}::timestamptz))`;
  return sql`CASE WHEN ${holds(sql`=`)} THEN 'address' WHEN ${holds(sql`>>`)} THEN 'network' ELSE 'no' END`;
}
