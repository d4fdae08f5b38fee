import { eq, sql } from 'drizzle-orm';
import { amountOf, millionthsOf } from '../../contract/money/amounts.ts';
import type { Database } from '../kit/postgres/database.ts';
import { lockBalance, post } from '../ledger/ledger.public.ts';
import { order_share, type StoredOrder } from './orders.table.ts';

type Superior = { id: number; level: number; share_ratio: number };

const allOfIt = 10_000n;

// Math.min takes no bigint.
const least = (one: bigint, other: bigint): bigint => (one <= other ? one : other);

/** Agents above a user, the nearest first. Who is disabled or removed, or no agent, gets nothing and stands in nobody's way. */
async function agentsAbove(tx: Database, user_id: number): Promise<Superior[]> {
  const { rows } = await tx.execute<Superior>(sql`
    WITH RECURSIVE above AS (
      SELECT superior_id AS id, 1 AS level FROM user_account WHERE id = ${user_id}
      UNION ALL SELECT user_account.superior_id, above.level + 1 FROM above JOIN user_account ON user_account.id = above.id
    )
    SELECT user_account.id, above.level, user_account.share_ratio FROM above
      JOIN user_account ON user_account.id = above.id JOIN role ON role.id = user_account.role_id
    WHERE role.kind = 'agent' AND user_account.status = 1 AND NOT user_account.disabled
    ORDER BY above.level`);
  return rows;
}

/**
 * Gives every agent above the buyer his ratio less the greatest one below him, so that all together get no more than the greatest ratio.
 * What a division leaves stays with the site.
 * @returns who got something
 */
export async function payShares(tx: Database, order: StoredOrder, amount: bigint): Promise<number[]> {
  const paid: number[] = [];
  let below = 0;
  for (const { id, level, share_ratio } of await agentsAbove(tx, order.user_id)) {
    const ratio = Math.min(share_ratio, Number(allOfIt)) - below;
    below = Math.max(below, share_ratio);
    const share = ratio > 0 ? (amount * BigInt(ratio)) / allOfIt : 0n;
    if (share === 0n) continue;
    await tx.insert(order_share).values({ order_id: order.id, agent_id: id, level, ratio, amount: amountOf(share) });
    await post(tx, {
      kind: 'share',
      ref: { type: 'order', id: `${order.id}:${level}` },
      note: order.order_no,
      entries: [
        { account: { kind: 'revenue' }, amount: -share },
        { account: { kind: 'user_available', owner_id: id }, amount: share },
      ],
    });
    paid.push(id);
  }
  return paid;
}

/** Takes back what agents still have of their shares; what they have spent the site bears, for nobody's balance is ever below 0. */
export async function takeSharesBack(tx: Database, order: StoredOrder, actor_id: number): Promise<void> {
  const shares = await tx.select().from(order_share).where(eq(order_share.order_id, order.id)).orderBy(order_share.agent_id);
  for (const { id, agent_id, level, amount } of shares) {
    const account = { kind: 'user_available', owner_id: agent_id } as const;
    const available = await lockBalance(tx, account);
    const share = millionthsOf(amount);
    const taken = least(available, share);
    if (taken === 0n) continue;
    await tx
      .update(order_share)
      .set({ refunded: amountOf(taken) })
      .where(eq(order_share.id, id));
    await post(tx, {
      kind: 'share_refund',
      ref: { type: 'order', id: `${order.id}:${level}` },
      actor_id,
      note: order.order_no,
      entries: [
        { account, amount: -taken },
        { account: { kind: 'revenue' }, amount: taken },
      ],
    });
  }
}
