import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Context } from '../kit/calls/context.ts';
import { csvLine } from '../kit/rows/csv.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { amountSql } from '../ledger/ledger.public.ts';
import { withdrawal } from './withdrawals.table.ts';

/** As the programs that send many payments at once read them; they know no byte order mark. */
const heading = csvLine(['address', 'amount', 'reference']);

/**
 * What an administrator has to pay from a wallet of his own. One whose payment went wrong before is paid by hand, by who has read why;
 * the caller's own is another's, and the server's payments are not his. Of several to an address the first: what a transaction sent there
 * proves one payment.
 * @param ids all of them where none are given
 */
export async function listPayments({ db, scope }: Context, ids: readonly number[] | undefined): Promise<{ ids: number[]; csv: string }> {
  const rows = await db
    .selectDistinctOn([withdrawal.address], {
      id: withdrawal.id,
      address: withdrawal.address,
      arrives: amountSql(sql`(${withdrawal.amount} - ${withdrawal.fee})`),
    })
    .from(withdrawal)
    .where(
      and(
        eq(withdrawal.state, 'approved'),
        eq(withdrawal.payout, 'hash'),
        isNull(withdrawal.problem),
        ne(withdrawal.user_id, scope.owner_id),
        ids && isOneOf(withdrawal.id, ids),
      ),
    )
    .orderBy(withdrawal.address, asc(withdrawal.id));
  const payments = rows.toSorted((one, other) => one.id - other.id);
  const lines = payments.map((payment) => csvLine([payment.address, payment.arrives, String(payment.id)]));
  return { ids: payments.map(({ id }) => id), csv: heading + lines.join('') };
}
