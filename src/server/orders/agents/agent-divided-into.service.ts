import { and, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { ParsedInputOf } from '../../../contract/kit/call.ts';
import type { agentDividedInto } from '../../../contract/money/agent-divided-into.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { betweenDays, contains, equals, list } from '../../kit/rows/list.ts';
import { amountSql } from '../../ledger/ledger.public.ts';
import { user_account } from '../../users/users.table.ts';
import { combo_order, order_share } from '../orders.table.ts';

const agent = alias(user_account, 'agent');
const joins = [
  [combo_order, eq(combo_order.id, order_share.order_id)],
  [user_account, eq(user_account.id, combo_order.user_id)],
  [agent, eq(agent.id, order_share.agent_id)],
] as const;

const isRefunded = sql<boolean>`(${combo_order.state} = 'refunded')`;

const fields = {
  id: order_share.id,
  order_no: combo_order.order_no,
  agent_id: order_share.agent_id,
  agent_account: sql<string>`${agent.account}`,
  buyer_account: user_account.account,
  order_amount: combo_order.amount,
  level: order_share.level,
  ratio: sql<number>`${order_share.ratio}::float8 / 100`,
  amount: order_share.amount,
  reversed: order_share.refunded,
  is_refunded: isRefunded,
  state: order_share.state,
  release_at: order_share.release_at,
  debt_paid: order_share.debt_paid,
  created_at: order_share.created_at,
};

type Filters = ParsedInputOf<(typeof agentDividedInto)['calls']['sums']>;

/** An agent sees his own only: what others below him get is their own affair. */
async function whereOf(input: Filters, context: Context): Promise<SQL | undefined> {
  const { search, agent_id, is_refunded, state, created_from, created_to } = input;
  const { scope, settings } = context;
  const { time_zone } = await settings();
  return and(
    scope.all ? undefined : eq(order_share.agent_id, scope.owner_id),
    contains([combo_order.order_no, user_account.account], search),
    equals(order_share.agent_id, agent_id),
    is_refunded === undefined ? undefined : sql`${isRefunded} = ${is_refunded}`,
    equals(order_share.state, state),
    betweenDays(order_share.created_at, { from: created_from, to: created_to }, time_zone),
  );
}

export const agentDividedIntoService: Service<typeof agentDividedInto> = {
  inquire: async ({ search, agent_id, is_refunded, state, created_from, created_to, ...input }, context) =>
    list(context.db, input, {
      fields,
      from: order_share,
      joins,
      where: await whereOf({ search, agent_id, is_refunded, state, created_from, created_to }, context),
      sorts: order_share,
      key: order_share.id,
    }),

  async sums(input, context) {
    const summed = (value: SQL) => amountSql(sql`coalesce(sum(${value}), 0)`);
    const [found] = await context.db
      .select({
        number: sql<number>`count(*)`.mapWith(Number),
        shares: summed(sql`${order_share.amount}`),
        reversed: summed(sql`${order_share.refunded}`),
        left: summed(sql`${order_share.amount} - ${order_share.refunded}`),
        held: summed(sql`CASE WHEN ${order_share.state} = 'held' THEN ${order_share.amount} ELSE 0 END`),
      })
      .from(order_share)
      .innerJoin(...joins[0])
      .innerJoin(...joins[1])
      .where(await whereOf(input, context));
    return found ?? { number: 0, shares: '0.000000', reversed: '0.000000', left: '0.000000', held: '0.000000' };
  },
};
