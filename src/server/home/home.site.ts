import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { SiteFigures } from '../../contract/content/home.ts';
import { amountOf } from '../../contract/money/amounts.ts';
import type { NodeKey } from '../../contract/permissions.ts';
import type { Context } from '../kit/calls/context.ts';
import { async_operation } from '../kit/jobs/operations.ts';
import { amountSql } from '../ledger/ledger.public.ts';
import { readFailedJobs, readHostAlarms, readLateQueues, readSiteLoad } from '../monitor/monitor.public.ts';
import { combo_order } from '../orders/orders.table.ts';
import { server } from '../servers/server-list.table.ts';
import { readWalletFigures } from '../tron/tron.public.ts';
import { usdt_transaction } from '../tron/tron.table.ts';
import { countUsers, presentUsers } from '../users/users.public.ts';
import { user_account } from '../users/users.table.ts';
import { withdrawal } from '../withdrawals/withdrawals.table.ts';
import { type Began, beganOf } from './home.money.ts';

const nothing = amountOf(0n);
const day = sql`interval '1 day'`;
const week = sql`interval '7 days'`;
/** Seven days are today and the six before. */
const sixDays = sql`interval '6 days'`;

/** The moments between which the figures that are compared were counted. */
function spansOf(column: SQL, now: Date, began: Began): Record<keyof NonNullable<SiteFigures['users']>['added'], SQL> {
  const today = began('day');
  const moment = sql`${now.toISOString()}::timestamptz`;
  const between = (from: SQL, to: SQL) => sql`${column} >= ${from} AND ${column} <= ${to}`;
  return {
    today: between(today, moment),
    yesterday: between(sql`${today} - ${day}`, sql`${moment} - ${day}`),
    week: between(sql`${today} - ${sixDays}`, moment),
    week_before: between(sql`${today} - ${sixDays} - ${week}`, sql`${moment} - ${week}`),
  };
}

const number = (where: SQL) => sql<number>`count(*) FILTER (WHERE ${where})`.mapWith(Number);

async function usersOf(context: Context, began: Began): Promise<SiteFigures['users']> {
  const { db, now } = context;
  const counted = await countUsers(context);
  const spans = spansOf(sql`${user_account.created_at}`, now, began);
  const [added] = await db
    .select({
      today: number(spans.today),
      yesterday: number(spans.yesterday),
      week: number(spans.week),
      week_before: number(spans.week_before),
    })
    .from(user_account)
    .where(presentUsers(context.scope));
  return { ...counted, added: added ?? { today: 0, yesterday: 0, week: 0, week_before: 0 } };
}

async function ordersOf({ db, now }: Context, began: Began): Promise<SiteFigures['orders']> {
  const spans = spansOf(sql`${combo_order.paid_at}`, now, began);
  const revenue = (where: SQL) => amountSql(sql`coalesce(sum(${combo_order.amount}) FILTER (WHERE ${where}), 0)`);
  const paid = await db
    .select({
      paid: {
        today: number(spans.today),
        yesterday: number(spans.yesterday),
        week: number(spans.week),
        week_before: number(spans.week_before),
      },
      revenue: {
        today: revenue(spans.today),
        yesterday: revenue(spans.yesterday),
        week: revenue(spans.week),
        week_before: revenue(spans.week_before),
      },
    })
    .from(combo_order)
    .where(and(eq(combo_order.state, 'paid'), sql`${combo_order.paid_at} >= ${began('day')} - interval '14 days'`));
  return paid[0] ?? null;
}

async function depositsOf({ db }: Context, began: Began): Promise<SiteFigures['deposits']> {
  const [came] = await db
    .select({ today: amountSql(sql`coalesce(sum(${usdt_transaction.amount}), 0)`) })
    .from(usdt_transaction)
    .where(and(eq(usdt_transaction.type, 'deposit'), ne(usdt_transaction.state, 'nobody'), sql`${usdt_transaction.at} >= ${began('day')}`));
  return came ?? { today: nothing };
}

async function withdrawalsOf({ db }: Context): Promise<SiteFigures['withdrawals']> {
  const [waiting] = await db
    .select({
      number: sql<number>`count(*)`.mapWith(Number),
      sum: amountSql(sql`coalesce(sum(${withdrawal.amount}), 0)`),
      oldest_at: sql<string | null>`min(${withdrawal.created_at})`.mapWith(withdrawal.created_at),
    })
    .from(withdrawal)
    .where(sql`${withdrawal.state} IN ('waiting', 'approved', 'confirming', 'paying')`);
  return waiting ?? { number: 0, sum: nothing, oldest_at: null };
}

async function visitsOf({ db, now }: Context): Promise<SiteFigures['visits']> {
  const { visits, ...load } = await readSiteLoad(db, now);
  const strained = new Set((await readHostAlarms(db)).map(({ host }) => host)).size;
  return { ...load, rate: visits, strained };
}

async function operationsOf({ db, now }: Context): Promise<SiteFigures['operations']> {
  const [found] = await db
    .select({
      unfinished: number(sql`${async_operation.state} IN ('waiting', 'running')`),
      failed: number(
        sql`${async_operation.state} = 'failed' AND ${async_operation.finished_at} > ${now.toISOString()}::timestamptz - ${day}`,
      ),
    })
    .from(async_operation);
  return found ?? { unfinished: 0, failed: 0 };
}

const jobsOf = async ({ db }: Context): Promise<SiteFigures['jobs']> => ({
  failed: (await readFailedJobs(db)).length,
  late: (await readLateQueues(db)).length,
});

async function serversOf({ db }: Context): Promise<SiteFigures['servers']> {
  const [found] = await db
    .select({
      total: sql<number>`count(*)`.mapWith(Number),
      online: number(sql`${server.state} = 'online'`),
      unreachable: number(sql`${server.state} NOT IN ('online', 'unknown')`),
    })
    .from(server);
  return found ?? { total: 0, online: 0, unreachable: 0 };
}

/** How the site does: of each part only what the caller has the screen of, and nothing for who does not see all users. */
export async function siteOf(context: Context): Promise<SiteFigures> {
  const { actor, scope } = context;
  const began = await beganOf(context);
  const of = <T>(node: NodeKey, read: (context: Context, began: Began) => Promise<T | null>): Promise<T | null> | null =>
    scope.all && actor.nodes.has(node) ? read(context, began) : null;
  return {
    users: await of('user_list', usersOf),
    orders: await of('order', ordersOf),
    deposits: await of('usdt_transaction_record', depositsOf),
    withdrawals: await of('withdrawal_list', withdrawalsOf),
    visits: await of('monitor', visitsOf),
    wallets: await of('tron', ({ db }) => readWalletFigures(db)),
    operations: await of('async_operations', operationsOf),
    jobs: await of('monitor', jobsOf),
    servers: await of('server_list', serversOf),
  };
}
