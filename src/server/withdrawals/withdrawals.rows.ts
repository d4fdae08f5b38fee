import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { ParsedInputOf } from '../../contract/kit/call.ts';
import type { Page } from '../../contract/kit/page.ts';
import { dustBelow } from '../../contract/money/usdt-transaction-record.ts';
import {
  statusOfState,
  type Withdrawal,
  type WithdrawalStatus,
  type withdrawalList,
  withdrawalStates,
} from '../../contract/money/withdrawal-list.ts';
import type { Context } from '../kit/calls/context.ts';
import { notFound } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { betweenDays, contains, equals, list } from '../kit/rows/list.ts';
import { amountSql } from '../ledger/ledger.public.ts';
import { user_account } from '../users/users.table.ts';
import { offeredHashes } from './withdrawals.matching.ts';
import { payment_file, withdrawal } from './withdrawals.table.ts';

const decider = alias(user_account, 'decider');
const filer = alias(user_account, 'filer');
const joins = [
  [user_account, eq(user_account.id, withdrawal.user_id)],
  [decider, eq(decider.id, withdrawal.decided_by)],
  [payment_file, eq(payment_file.id, withdrawal.file_id)],
  [filer, eq(filer.id, payment_file.made_by)],
] as const;

const statesOf = (status: WithdrawalStatus) => withdrawalStates.filter((state) => statusOfState[state] === status);
const statusSql = sql<WithdrawalStatus>`CASE WHEN ${withdrawal.state} = 'waiting' THEN 1
  WHEN ${withdrawal.state} IN ('cancelled', 'rejected') THEN 3 ELSE 2 END`;

/** An address is known to a user so many hours after he first asked to be paid there. */
export const knownFrom = (hours: number): SQL => sql`(SELECT min(known.created_at) FROM withdrawal AS known
  WHERE known.user_id = ${withdrawal.user_id} AND known.address = ${withdrawal.address}) + make_interval(hours => ${hours}::int)`;

const coolingUntil = (hours: number, now: Date) =>
  sql<string | null>`CASE WHEN ${withdrawal.state} = 'waiting' AND ${knownFrom(hours)} > ${now.toISOString()}::timestamptz
    THEN ${knownFrom(hours)} END`.mapWith(withdrawal.created_at);

const endsOf = (address: SQL) => sql`(left(${address}, 4), right(${address}, 4))`;
/** Of what the user has named before, paid from or paid to: an address that differs from this one only where nobody looks. */
const resembled = sql<string | null>`(SELECT min(known.address) FROM (
    SELECT earlier.address FROM withdrawal AS earlier WHERE earlier.user_id = ${withdrawal.user_id} AND earlier.id < ${withdrawal.id}
      AND earlier.state NOT IN ('cancelled', 'rejected')
    UNION ALL SELECT sender FROM usdt_transaction WHERE usdt_transaction.user_id = ${withdrawal.user_id} AND type = 'deposit'
        AND usdt_transaction.amount >= ${dustBelow}
    UNION ALL SELECT tron_wallet.address FROM tron_wallet WHERE tron_wallet.user_id = ${withdrawal.user_id}
  ) AS known WHERE known.address <> ${withdrawal.address} AND ${endsOf(sql`known.address`)} = ${endsOf(sql`${withdrawal.address}`)})`;

const fieldsOf = (hours: number, { now, scope }: Context) => ({
  id: withdrawal.id,
  user_id: withdrawal.user_id,
  account: user_account.account,
  amount: withdrawal.amount,
  fee: withdrawal.fee,
  arrives: amountSql(sql`(${withdrawal.amount} - ${withdrawal.fee})`),
  address: withdrawal.address,
  status: statusSql,
  state: withdrawal.state,
  transaction_hash: withdrawal.transaction_hash,
  reason: withdrawal.reason,
  problem: withdrawal.problem,
  resembles: resembled,
  cooling_until: coolingUntil(hours, now),
  created_at: withdrawal.created_at,
  decided_at: withdrawal.decided_at,
  decided_by_account: scope.all ? sql<string | null>`${decider.account}` : sql<string | null>`NULL`,
  paid_at: withdrawal.paid_at,
  offered: scope.all ? offeredHashes : sql<string[]>`'{}'::text[]`,
  file: scope.all ? withdrawal.file_id : sql<null>`NULL`,
  filed_at: scope.all ? payment_file.made_at : sql<null>`NULL`,
  filed_by_account: scope.all ? sql<string | null>`${filer.account}` : sql<null>`NULL`,
});

type Input = Omit<ParsedInputOf<(typeof withdrawalList)['calls']['inquire']>, 'user_id'>;

/** One page of the withdrawals that the condition names. */
export async function listWithdrawals(
  { search, status, state, created_from, created_to, ...input }: Input,
  context: Context,
  whose: SQL | undefined,
): Promise<Page<Withdrawal>> {
  const { time_zone, withdrawal_cool_off_hours } = await context.settings();
  return list(context.db, input, {
    fields: fieldsOf(withdrawal_cool_off_hours, context),
    from: withdrawal,
    joins,
    where: and(
      whose,
      contains([user_account.account, withdrawal.address, withdrawal.transaction_hash], search),
      status === undefined ? undefined : inArray(withdrawal.state, statesOf(status)),
      equals(withdrawal.state, state),
      betweenDays(withdrawal.created_at, { from: created_from, to: created_to }, time_zone),
    ),
    sorts: withdrawal,
    key: withdrawal.id,
  });
}

/** @param db the transaction that changed it */
export async function readWithdrawal(db: Database, id: number, context: Context): Promise<Withdrawal> {
  const { withdrawal_cool_off_hours } = await context.settings();
  const [found] = await db
    .select(fieldsOf(withdrawal_cool_off_hours, context))
    .from(withdrawal)
    .innerJoin(...joins[0])
    .leftJoin(...joins[1])
    .leftJoin(...joins[2])
    .leftJoin(...joins[3])
    .where(eq(withdrawal.id, id));
  if (!found) throw notFound();
  return found;
}
