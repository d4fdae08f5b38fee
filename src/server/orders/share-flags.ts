import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { ShareFlag } from '../../contract/money/agent-divided-into.ts';
import type { Database } from '../kit/postgres/database.ts';
import { order_share } from './orders.table.ts';

/** Addresses on the inside are a proxy's or a test's: all who come by it have them. */
const insideNetworks = '{127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,::1/128,fc00::/7,fe80::/10}';

const within = (ip: SQL, ipv4: number, ipv6: number) =>
  sql`network(set_masklen(${ip}, CASE family(${ip}) WHEN 4 THEN ${ipv4}::int ELSE ${ipv6}::int END))`;

/** Where a user registered and logged in from; who acts in his name is somebody else. */
const originsOf = (user_id: number) => sql`(
  SELECT ip, user_agent FROM (
    SELECT ip, user_agent FROM session WHERE user_id = ${user_id} AND impersonator_session_id IS NULL
    UNION SELECT register_ip, '' FROM user_account WHERE id = ${user_id}
    UNION SELECT login_ip, '' FROM user_account WHERE id = ${user_id}
  ) AS origin WHERE NOT ip <<= ANY (${insideNetworks}::inet[]))`;

const sendersOf = (user_id: number) => sql`SELECT sender FROM usdt_transaction WHERE user_id = ${user_id} AND type = 'deposit'`;

/**
 * What a buyer and an agent above him have in common, by what is written down of both: an address (of IPv6 its /64); a device, which is the
 * same browser in the same neighbourhood, since browsers alone are alike; a wallet that pays for both, or pays one and is paid out to the other.
 */
export async function flagsOf(tx: Database, buyer_id: number, agent_id: number): Promise<ShareFlag[]> {
  const { rows } = await tx.execute<Record<ShareFlag, boolean>>(sql`
    WITH buyer AS MATERIALIZED ${originsOf(buyer_id)}, agent AS MATERIALIZED ${originsOf(agent_id)}
    SELECT EXISTS (SELECT FROM buyer JOIN agent ON ${within(sql`buyer.ip`, 32, 64)} = ${within(sql`agent.ip`, 32, 64)}) AS address,
      EXISTS (SELECT FROM buyer JOIN agent ON buyer.user_agent = agent.user_agent AND buyer.user_agent <> ''
        AND ${within(sql`buyer.ip`, 24, 48)} = ${within(sql`agent.ip`, 24, 48)}) AS device,
      EXISTS (${sendersOf(buyer_id)} AND sender IN (
        ${sendersOf(agent_id)} UNION ALL SELECT address FROM withdrawal WHERE user_id = ${agent_id})) AS wallet`);
  const [found] = rows;
  return (['address', 'device', 'wallet'] as const).filter((flag) => found?.[flag]);
}

/** Nobody has to look at it, or somebody has. */
export const isCleared = or(eq(order_share.flags, []), sql`${order_share.reviewed_at} IS NOT NULL`);
export const isReviewing = and(eq(order_share.state, 'held'), sql`${order_share.flags} <> '{}'`, sql`${order_share.reviewed_at} IS NULL`);
