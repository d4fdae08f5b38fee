import { and, eq, sql } from 'drizzle-orm';
import { amountOf } from '../../contract/money/amounts.ts';
import type { HeldShares } from '../../contract/money/ledger.ts';
import type { Database } from '../kit/postgres/database.ts';
import { amountSql, balanceOf } from '../ledger/ledger.public.ts';
import { order_share } from './orders.table.ts';
import { isCleared, isReviewing } from './share-flags.ts';

/** A user's shares that he cannot dispose of yet. */
export async function heldSharesOf(db: Database, owner_id: number): Promise<HeldShares> {
  const bound = (which: 'min' | 'max') =>
    sql<string | null>`${sql.raw(which)}(${order_share.release_at}) FILTER (WHERE ${isCleared})`.mapWith(order_share.release_at);
  const [held] = await db
    .select({
      from: bound('min'),
      until: bound('max'),
      reviewing: amountSql(sql`coalesce(sum(${order_share.amount}) FILTER (WHERE ${isReviewing}), 0)`),
    })
    .from(order_share)
    .where(and(eq(order_share.agent_id, owner_id), eq(order_share.state, 'held')));
  return {
    amount: amountOf(await balanceOf(db, { kind: 'share_hold', owner_id })),
    reviewing: held?.reviewing ?? amountOf(0n),
    from: held?.from ?? null,
    until: held?.until ?? null,
    debt: amountOf(-(await balanceOf(db, { kind: 'share_debt', owner_id }))),
  };
}
