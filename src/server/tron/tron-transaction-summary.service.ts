import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Language } from '../../contract/enums.ts';
import { amountOf } from '../../contract/money/amounts.ts';
import type { Collection, CollectionStatus, tronTransactionSummary } from '../../contract/money/tron-transaction-summary.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError } from '../kit/calls/errors.ts';
import { startOperation } from '../kit/jobs/operations.ts';
import { translate } from '../kit/messages/messages.ts';
import { publish } from '../kit/postgres/bus.ts';
import type { Database } from '../kit/postgres/database.ts';
import { betweenDays, contains, defaultPageSize, isOneOf, list } from '../kit/rows/list.ts';
import { amountSql } from '../ledger/ledger.public.ts';
import { user_account } from '../users/users.table.ts';
import { moveSend, retrySend } from './sending/sends.ts';
import type { SendState } from './sending/states.ts';
import { tron_collection, tron_send, tron_wallet } from './tron.table.ts';

const sweep = alias(tron_send, 'sweep');
const fund = alias(tron_send, 'fund');
const joins = [
  [tron_wallet, eq(tron_wallet.id, tron_collection.wallet_id)],
  [user_account, eq(user_account.id, tron_wallet.user_id)],
  [sweep, and(eq(sweep.purpose, 'sweep'), eq(sweep.ref_id, tron_collection.id)) as SQL],
  [fund, and(eq(fund.purpose, 'fund'), eq(fund.ref_id, tron_collection.id)) as SQL],
] as const;

const statusSql = sql<CollectionStatus>`CASE WHEN ${tron_collection.state} = 'booked' THEN 'success'
  WHEN ${tron_collection.state} IN ('failed', 'cancelled') THEN 'fail' ELSE 'under_way' END`;

const fields = {
  id: tron_collection.id,
  account: sql<string | null>`${user_account.account}`,
  sender: sql<string>`${tron_wallet.address}`,
  receiver: tron_collection.receiver,
  amount: tron_collection.amount,
  transaction_hash: sql<string | null>`${sweep.transaction_hash}`,
  fund_hash: sql<string | null>`${fund.transaction_hash}`,
  status: statusSql,
  state: tron_collection.state,
  is_held: sql<boolean>`coalesce('held' IN (${sweep.state}, ${fund.state}), false)`,
  fee: tron_collection.fee,
  remark: sql<string>`CASE WHEN ${tron_collection.remark} <> '' THEN ${tron_collection.remark}
    ELSE coalesce(${sweep.last_error}, ${fund.last_error}, '') END`,
  created_at: tron_collection.created_at,
  finished_at: tron_collection.finished_at,
};

/** `tron_send.refused:TAPOS_ERROR` in words: the code of an error, and what the network said. */
export function remarkOf(text: string, language: Language): string {
  if (text === '') return '';
  const [code = '', reason = ''] = text.split(':');
  return translate(language, `errors.${code}`, { reason, block: '' });
}

type Filters = {
  search?: string | undefined;
  status?: CollectionStatus | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

async function whereOf({ search, status, from, to }: Filters, { settings }: Context): Promise<SQL | undefined> {
  const { time_zone } = await settings();
  return and(
    contains([tron_wallet.address, tron_collection.receiver, sweep.transaction_hash, fund.transaction_hash, user_account.account], search),
    status === undefined ? undefined : sql`${statusSql} = ${status}`,
    betweenDays(tron_collection.created_at, { ...(from ? { from } : {}), ...(to ? { to } : {}) }, time_zone),
  );
}

const lockSends = (db: Database, ids: readonly number[], state: SendState) =>
  db
    .select()
    .from(tron_send)
    .where(and(isOneOf(tron_send.ref_id, ids), inArray(tron_send.purpose, ['fund', 'sweep']), eq(tron_send.state, state)))
    .orderBy(tron_send.id)
    .for('update');

export const tronTransactionSummaryService: Service<typeof tronTransactionSummary> = {
  async inquire({ search, status, from, to, ...input }, context) {
    const where = await whereOf({ search, status, from, to }, context);
    const sorts = tron_collection;
    const page = await list(context.db, input, { fields, from: tron_collection, joins, where, sorts, key: tron_collection.id });
    const shown = ({ amount, fee, remark, ...row }: (typeof page.content)[number]): Collection => ({
      ...row,
      amount: amountOf(amount),
      fee: amountOf(fee),
      remark: remarkOf(remark, context.language),
    });
    return { ...page, content: page.content.map(shown) };
  },

  async sums({ by, page = 1, page_size = defaultPageSize, sort = 'key', order = 'desc', ...filters }, context) {
    const { time_zone } = await context.settings();
    const where = and(await whereOf(filters, context), eq(tron_collection.state, 'booked'));
    const isByDay = by === 'day';
    const key = isByDay
      ? sql<string>`(${tron_collection.created_at} AT TIME ZONE ${time_zone})::date::text`
      : sql<string>`${tron_wallet.address}`;
    const sums = {
      key: key.as('key'),
      account: sql<string | null>`${isByDay ? sql`NULL` : sql`max(${user_account.account})`}`.as('account'),
      number: sql<number>`count(*)`.mapWith(Number).as('number'),
      amount: sql<string>`sum(${tron_collection.amount})`.as('amount'),
      fee: sql<string>`sum(${tron_collection.fee})`.as('fee'),
    };
    const query = context.db.select(sums).from(tron_collection).$dynamic();
    for (const [table, on] of joins) query.leftJoin(table, on);
    const grouped = query.where(where).groupBy(sql`1`).as('grouped');
    const direction = order === 'asc' ? sql`ASC` : sql`DESC`;
    const rows = await context.db
      .select({
        key: grouped.key,
        account: grouped.account,
        number: grouped.number,
        amount: amountSql(sql`${grouped.amount}`),
        fee: amountSql(sql`${grouped.fee}`),
        total: sql<number>`count(*) OVER ()`.mapWith(Number),
        total_amount: amountSql(sql`(sum(${grouped.amount}) OVER ())`),
        total_fee: amountSql(sql`(sum(${grouped.fee}) OVER ())`),
      })
      .from(grouped)
      .orderBy(sql`${grouped[sort]} ${direction}`, desc(grouped.key))
      .limit(page_size)
      .offset((page - 1) * page_size);
    const { total = 0, total_amount = '0.000000', total_fee = '0.000000' } = rows[0] ?? {};
    const content = rows.map(({ total: _, total_amount: __, total_fee: ___, ...row }) => row);
    return { content, total, total_amount, total_fee, page, page_size };
  },

  async hold({ ids }, { db }) {
    let affected = 0;
    for (const send of await lockSends(db, ids, 'queued')) if (await moveSend(db, send, 'hold')) affected += 1;
    if (affected === 0) throw new AppError(409, 'tron_send.signed');
    return { affected };
  },

  async retry({ ids }, { db, actor, language }) {
    const held = await lockSends(db, ids, 'held');
    let affected = 0;
    for (const send of held) if (await retrySend(db, send)) affected += 1;
    const failed = await db
      .selectDistinct({ wallet_id: tron_collection.wallet_id })
      .from(tron_collection)
      .where(and(isOneOf(tron_collection.id, ids), inArray(tron_collection.state, ['failed', 'cancelled'])));
    // What failed is planned anew: prices and what the wallet holds are others now.
    if (failed.length > 0)
      await startOperation(db, { kind: 'tron_collect', input: { ids: failed.map(({ wallet_id }) => wallet_id) }, actor, language });
    await publish(db, 'tron_send', null);
    return { affected: affected + failed.length };
  },
};
