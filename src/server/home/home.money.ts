import { eq, type SQL, sql } from 'drizzle-orm';
import type { HomeMoney } from '../../contract/content/home.ts';
import { amountOf } from '../../contract/money/amounts.ts';
import type { Context } from '../kit/calls/context.ts';
import { amountSql, withdrawableOf } from '../ledger/ledger.public.ts';
import { order_share } from '../orders/orders.table.ts';

export type Began = (unit: 'day' | 'month') => SQL;

/** When the day or month of the site began. */
export async function beganOf({ now, settings }: Context): Promise<Began> {
  const { time_zone } = await settings();
  return (unit) =>
    sql`date_trunc(${unit}::text, ${now.toISOString()}::timestamptz AT TIME ZONE ${time_zone}::text) AT TIME ZONE ${time_zone}::text`;
}

async function ofAnAgent({ db, scope }: Context, began: Began): Promise<NonNullable<HomeMoney['agent']>> {
  const left = (since?: SQL) =>
    amountSql(
      sql`coalesce(sum(${order_share.amount} - ${order_share.refunded})${since ? sql` FILTER (WHERE ${order_share.created_at} >= ${since})` : sql``}, 0)`,
    );
  const [shares] = await db
    .select({ shares_today: left(began('day')), shares_month: left(began('month')), shares_total: left() })
    .from(order_share)
    .where(eq(order_share.agent_id, scope.owner_id));
  const nothing = amountOf(0n);
  return {
    ...(shares ?? { shares_today: nothing, shares_month: nothing, shares_total: nothing }),
    available: amountOf(await withdrawableOf(db, scope.owner_id)),
  };
}

/** The money of an agent's start page. */
export async function moneyOf(context: Context): Promise<HomeMoney> {
  return { agent: context.actor.role.kind === 'agent' ? await ofAnAgent(context, await beganOf(context)) : null };
}
