import { and, asc, desc, eq, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { PaymentsToMake } from '../../contract/money/withdrawal-list.ts';
import type { Context } from '../kit/calls/context.ts';
import { csvLine } from '../kit/rows/csv.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { amountSql } from '../ledger/ledger.public.ts';
import { user_account } from '../users/users.table.ts';
import { payment_file, withdrawal } from './withdrawals.table.ts';

/** As the programs that send many payments at once read them; they know no byte order mark. */
const heading = csvLine(['address', 'amount', 'reference']);

type Chosen = readonly number[] | undefined;

/**
 * What an administrator has to pay from a wallet of his own. One whose payment went wrong before is paid by hand, by who has read why;
 * the caller's own is another's, and the server's payments are not his.
 * @param ids all of them where none are given
 */
const isPayable = ({ scope }: Context, ids: Chosen): SQL | undefined =>
  and(
    eq(withdrawal.state, 'approved'),
    eq(withdrawal.payout, 'hash'),
    isNull(withdrawal.problem),
    ne(withdrawal.user_id, scope.owner_id),
    ids && isOneOf(withdrawal.id, ids),
  );

export async function paymentsToMake(context: Context, ids: Chosen): Promise<PaymentsToMake> {
  const { db } = context;
  const [found] = await db
    .select({ fresh: sql<number>`count(DISTINCT ${withdrawal.address})`.mapWith(Number) })
    .from(withdrawal)
    .where(and(isPayable(context, ids), isNull(withdrawal.file_id)));
  const files = await db
    .select({
      file: payment_file.id,
      payments: sql<number>`count(*)`.mapWith(Number),
      made_at: payment_file.made_at,
      made_by_account: user_account.account,
    })
    .from(withdrawal)
    .innerJoin(payment_file, eq(payment_file.id, withdrawal.file_id))
    .innerJoin(user_account, eq(user_account.id, payment_file.made_by))
    .where(and(isPayable(context, ids), isNotNull(withdrawal.file_id)))
    .groupBy(payment_file.id, user_account.id)
    .orderBy(desc(payment_file.id));
  return { fresh: found?.fresh ?? 0, files };
}

/**
 * Puts payments into a new file. Files are made one after the other, so that of two administrators the second does not get what the first
 * got. Of several to an address the first: what a transaction sent there proves one payment.
 * @param again a former file whose payments are wanted once more; else only what was in none
 * @returns undefined where there is nothing to pay; `later` is how many to the same addresses wait for the next file
 */
export async function filePayments(context: Context, { ids, again }: { ids?: number[] | undefined; again?: number | undefined }) {
  const { db, actor, now } = context;
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtext('livecode payment files'))`);
  const isWanted = and(isPayable(context, ids), again === undefined ? isNull(withdrawal.file_id) : eq(withdrawal.file_id, again));
  const all = await db.$count(withdrawal, isWanted);
  const wanted = await db
    .selectDistinctOn([withdrawal.address], { id: withdrawal.id })
    .from(withdrawal)
    .where(isWanted)
    .orderBy(withdrawal.address, asc(withdrawal.id));
  if (wanted.length === 0) return undefined;
  const [made] = await db.insert(payment_file).values({ made_by: actor.user_id, made_at: now.toISOString() }).returning();
  if (!made) throw new Error('the file was not returned');
  const isFirst = isOneOf(
    withdrawal.id,
    wanted.map(({ id }) => id),
  );
  const filed = await db
    .update(withdrawal)
    .set({ file_id: made.id, updated_at: sql`now()` })
    // What was paid or rejected meanwhile is left out.
    .where(and(isWanted, isFirst))
    .returning({ id: withdrawal.id, address: withdrawal.address, arrives: amountSql(sql`(${withdrawal.amount} - ${withdrawal.fee})`) });
  if (filed.length === 0) return undefined;
  const payments = filed.toSorted((one, other) => one.id - other.id);
  const lines = payments.map((payment) => csvLine([payment.address, payment.arrives, String(payment.id)]));
  return { file: made.id, ids: payments.map(({ id }) => id), later: all - wanted.length, csv: heading + lines.join('') };
}
