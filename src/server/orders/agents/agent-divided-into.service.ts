import { and, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { ParsedInputOf } from '../../../contract/kit/call.ts';
import type { agentDividedInto, ShareVerdict } from '../../../contract/money/agent-divided-into.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { AppError, notFound } from '../../kit/calls/errors.ts';
import { notify } from '../../kit/messages/notify.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { betweenDays, contains, equals, list } from '../../kit/rows/list.ts';
import { amountSql } from '../../ledger/ledger.public.ts';
import { ratiosOf } from '../../users/users.public.ts';
import { user_account } from '../../users/users.table.ts';
import { combo_order, order_share, type StoredShare } from '../orders.table.ts';
import { lockMember, releaseShare } from '../settling.ts';
import { isReviewing } from '../share-flags.ts';
import { reviewShare } from '../shares.ts';

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
  base: amountSql(sql`(${combo_order.amount} - ${combo_order.granted})`),
  level: order_share.level,
  ratio: sql<number>`${order_share.ratio}::float8 / 100`,
  amount: order_share.amount,
  reversed: order_share.refunded,
  is_refunded: isRefunded,
  state: order_share.state,
  release_at: order_share.release_at,
  debt_paid: order_share.debt_paid,
  flags: order_share.flags,
  is_reviewing: sql<boolean>`${isReviewing}`,
  review_reason: order_share.review_reason,
  created_at: order_share.created_at,
};

const order = {
  order_no: combo_order.order_no,
  buyer_account: user_account.account,
  paid_at: combo_order.paid_at,
  order_amount: combo_order.amount,
  granted: combo_order.granted,
  base: fields.base,
};

/** The shares of an order, the nearest agent's first: each agent got his ratio less the greatest one below him at that time. */
async function stepsOf(db: Database, order_id: number, own_level: number) {
  const { level, ratio, below, amount } = order_share;
  const rows = await db
    .select({ level, agent_account: agent.account, ratio, below, amount })
    .from(order_share)
    .innerJoin(...joins[2])
    .where(eq(order_share.order_id, order_id))
    .orderBy(level);
  return rows.map(({ ratio, below, ...step }) => ({
    ...{ ...step, rate: (below + ratio) / 100, below: below / 100, ratio: ratio / 100 },
    is_own: step.level === own_level,
  }));
}

type Filters = ParsedInputOf<(typeof agentDividedInto)['calls']['sums']>;

/** An agent sees his own only: what others below him get is their own affair. */
async function whereOf(input: Filters, context: Context): Promise<SQL | undefined> {
  const { search, agent_id, is_refunded, state, flagged, is_reviewing, created_from, created_to } = input;
  const { scope, settings } = context;
  const { time_zone } = await settings();
  return and(
    scope.all ? undefined : eq(order_share.agent_id, scope.owner_id),
    contains([combo_order.order_no, user_account.account], search),
    equals(order_share.agent_id, agent_id),
    is_refunded === undefined ? undefined : sql`${isRefunded} = ${is_refunded}`,
    equals(order_share.state, state),
    flagged === undefined ? undefined : sql`(${order_share.flags} <> '{}') = ${flagged}`,
    is_reviewing === undefined ? undefined : sql`(${isReviewing}) = ${is_reviewing}`,
    betweenDays(order_share.created_at, { from: created_from, to: created_to }, time_zone),
  );
}

/** Tells the agent what became of his share, and why. */
async function tellOfReview(tx: Database, { agent_id, amount }: StoredShare, verdict: ShareVerdict, reason: string): Promise<void> {
  const told = { amount: amount.replace(/(\.\d{2}\d*?)0+$/, '$1'), reason };
  await notify(tx, agent_id, {
    kind: verdict === 'release' ? 'info' : 'reminder',
    place: 'shares',
    words: ({ say }) => ({ title: say(`agent_divided_into.told_${verdict}`, told), content: say('agent_divided_into.told_reason', told) }),
  });
}

export const agentDividedIntoService: Service<typeof agentDividedInto> = {
  inquire: async ({ search, agent_id, is_refunded, state, flagged, is_reviewing, created_from, created_to, ...input }, context) =>
    list(context.db, input, {
      fields,
      from: order_share,
      joins,
      where: await whereOf({ search, agent_id, is_refunded, state, flagged, is_reviewing, created_from, created_to }, context),
      sorts: order_share,
      key: order_share.id,
    }),

  async origin({ id }, { db, scope }) {
    const [asked] = await db
      .select({ ...order, order_id: order_share.order_id, level: order_share.level })
      .from(order_share)
      .innerJoin(...joins[0])
      .innerJoin(...joins[1])
      .where(and(eq(order_share.id, id), scope.all ? undefined : eq(order_share.agent_id, scope.owner_id)));
    if (!asked) throw notFound();
    const { order_id, level, ...found } = asked;
    const steps = await stepsOf(db, order_id, level);
    return { ...found, steps: scope.all ? steps : steps.filter(({ is_own }) => is_own) };
  },

  async ratios({ agent_id }, { db, scope }) {
    const found = await ratiosOf(db, scope.all && agent_id !== undefined ? agent_id : scope.owner_id);
    if (!found) throw notFound();
    return found;
  },

  async review({ id, verdict, reason }, context) {
    const { db, scope, actor, now, audit } = context;
    if (!scope.all) throw new AppError(403, 'forbidden');
    const [found] = await db.select({ agent_id: order_share.agent_id }).from(order_share).where(eq(order_share.id, id));
    if (!found) throw notFound();
    if (found.agent_id === actor.user_id) throw new AppError(403, 'forbidden');
    await lockMember(db, found.agent_id);
    const share = await reviewShare(db, id, { verdict, reason, actor_id: actor.user_id, now });
    if (!share) throw new AppError(409, 'share.reviewed');
    if (verdict === 'release') await releaseShare(db, share, now);
    await tellOfReview(db, share, verdict, reason);
    audit({
      before: { state: share.state, flags: share.flags },
      after: { id, agent_id: share.agent_id, amount: share.amount, verdict, reason },
    });
    return { affected: 1 };
  },

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
