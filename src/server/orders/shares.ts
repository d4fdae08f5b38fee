import { and, eq, lte, sql } from 'drizzle-orm';
import type { ShareVerdict } from '../../contract/money/agent-divided-into.ts';
import { amountOf, least, millionthsOf } from '../../contract/money/amounts.ts';
import type { TransferKind } from '../../contract/money/ledger.ts';
import { settingsOf } from '../../contract/settings.ts';
import type { Database } from '../kit/postgres/database.ts';
import { type Entry, lockBalance, post } from '../ledger/ledger.public.ts';
import { setting } from '../settings/settings.table.ts';
import { combo_order, order_share, type StoredOrder, type StoredShare } from './orders.table.ts';
import { flagsOf, isCleared, isReviewing } from './share-flags.ts';

type Superior = { id: number; level: number; share_ratio: number };

const allOfIt = 10_000n;
const dayMilliseconds = 86_400_000;

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

/** Shares of a later setting are held by it; those that are held already keep their time. */
async function holdMilliseconds(tx: Database): Promise<number> {
  const { share_hold_days } = settingsOf(await tx.select().from(setting).where(eq(setting.key, 'share_hold_days')));
  return share_hold_days * dayMilliseconds;
}

type Move = Pick<StoredShare, 'order_id' | 'level'> & { order_no: string; kind: TransferKind; actor_id?: number; entries: Entry[] };

const move = (tx: Database, { order_id, level, order_no, entries, ...transfer }: Move) =>
  post(tx, { ref: { type: 'order', id: `${order_id}:${level}` }, note: order_no, entries, ...transfer });

const held = (owner_id: number) => ({ kind: 'share_hold', owner_id }) as const;
const debt = (owner_id: number) => ({ kind: 'share_debt', owner_id }) as const;
const revenue = { kind: 'revenue' } as const;

/**
 * Holds for every agent above the buyer his ratio less the greatest one below him, so that all together get no more than the greatest ratio.
 * What a division leaves stays with the site.
 * @param base what of the order was no gift to its buyer, in millionths
 * @returns what is to be released at once
 */
export async function payShares(tx: Database, order: StoredOrder, base: bigint, now: Date): Promise<StoredShare[]> {
  const paid: StoredShare[] = [];
  const hold = await holdMilliseconds(tx);
  let below = 0;
  for (const { id, level, share_ratio } of await agentsAbove(tx, order.user_id)) {
    const former = below;
    const ratio = Math.min(share_ratio, Number(allOfIt)) - former;
    below = Math.max(former, share_ratio);
    const share = ratio > 0 ? (base * BigInt(ratio)) / allOfIt : 0n;
    if (share === 0n) continue;
    const release_at = new Date(now.getTime() + hold).toISOString();
    const flags = await flagsOf(tx, order.user_id, id);
    const values = { order_id: order.id, agent_id: id, level, ratio, below: former, amount: amountOf(share), release_at, flags };
    paid.push(...(await tx.insert(order_share).values(values).returning()));
    await move(tx, {
      ...{ kind: 'share', order_id: order.id, level, order_no: order.order_no },
      entries: [
        { account: revenue, amount: -share },
        { account: held(id), amount: share },
      ],
    });
  }
  return hold === 0 ? paid : [];
}

/**
 * Moves a held share whose time is over and about which nobody is asked to its agent, after it has paid what he owes. The agent's row is locked, so that two of his shares
 * do not pay the same debt.
 * @returns whether it was moved now
 */
export async function freeShare(tx: Database, id: number, now: Date): Promise<boolean> {
  const [freed] = await tx
    .update(order_share)
    .set({ state: 'released' })
    .where(and(eq(order_share.id, id), eq(order_share.state, 'held'), lte(order_share.release_at, now.toISOString()), isCleared))
    .returning();
  if (!freed) return false;
  const { order_id, level, agent_id } = freed;
  const share = millionthsOf(freed.amount);
  const owed = least(-(await lockBalance(tx, debt(agent_id))), share);
  await tx
    .update(order_share)
    .set({ debt_paid: amountOf(owed) })
    .where(eq(order_share.id, id));
  await move(tx, {
    ...{ kind: 'share_release', order_id, level, order_no: await orderNoOf(tx, order_id) },
    entries: [
      { account: held(agent_id), amount: -share },
      { account: debt(agent_id), amount: owed },
      { account: { kind: 'user_available', owner_id: agent_id }, amount: share - owed },
    ],
  });
  return true;
}

async function orderNoOf(tx: Database, id: number): Promise<string> {
  const [order] = await tx.select({ order_no: combo_order.order_no }).from(combo_order).where(eq(combo_order.id, id));
  if (!order) throw new Error(`there is no order ${id}`);
  return order.order_no;
}

/** Takes shares back that are still held; of those that were released their agents owe what they got. Neither waits for anybody's balance. */
export async function takeSharesBack(tx: Database, order: StoredOrder, actor_id: number): Promise<void> {
  const isOfOrder = eq(order_share.order_id, order.id);
  const shares = await tx.select().from(order_share).where(isOfOrder).orderBy(order_share.agent_id).for('update');
  for (const share of shares)
    if (share.state === 'held' || share.state === 'released') await takeBack(tx, share, { order_no: order.order_no, actor_id });
}

async function takeBack(tx: Database, share: StoredShare, { order_no, actor_id }: { order_no: string; actor_id: number }): Promise<void> {
  const { id, order_id, level, agent_id, amount } = share;
  const isHeld = share.state === 'held';
  await tx
    .update(order_share)
    .set({ state: isHeld ? 'reversed' : 'owed', refunded: amount })
    .where(eq(order_share.id, id));
  await move(tx, {
    ...{ kind: 'share_refund', order_id, level, order_no, actor_id },
    entries: [
      { account: isHeld ? held(agent_id) : debt(agent_id), amount: -millionthsOf(amount) },
      { account: revenue, amount: millionthsOf(amount) },
    ],
  });
}

type Review = { verdict: ShareVerdict; reason: string; actor_id: number; now: Date };

/**
 * Writes down what an administrator decided about a flagged share, and takes it back where he says so. Of two who decide at once one does.
 * @returns the share as it was; undefined where nobody had to decide any more
 */
export async function reviewShare(tx: Database, id: number, { verdict, reason, actor_id, now }: Review): Promise<StoredShare | undefined> {
  const [reviewed] = await tx
    .update(order_share)
    .set({ reviewed_at: now.toISOString(), reviewed_by: actor_id, review_reason: reason })
    .where(and(eq(order_share.id, id), isReviewing))
    .returning();
  if (reviewed && verdict === 'reverse') await takeBack(tx, reviewed, { order_no: await orderNoOf(tx, reviewed.order_id), actor_id });
  return reviewed;
}
