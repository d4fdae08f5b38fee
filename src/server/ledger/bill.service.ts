import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { amountOf } from '../../contract/money/amounts.ts';
import { type BillPart, type billGroup, billParts } from '../../contract/money/bill.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError } from '../kit/calls/errors.ts';
import { betweenDays, equals, list } from '../kit/rows/list.ts';
import { heldSharesOf } from '../orders/held-shares.public.ts';
import { user_account } from '../users/users.table.ts';
import { amountSql, balanceOf } from './ledger.public.ts';
import { ledger_account, ledger_entry, ledger_transfer } from './ledger.table.ts';
import { lastVerification, verifyLedger } from './ledger.verify.ts';

const actor = alias(user_account, 'actor');
const joins = [
  [ledger_account, eq(ledger_account.id, ledger_entry.account_id)],
  [ledger_transfer, eq(ledger_transfer.id, ledger_entry.transfer_id)],
  [user_account, eq(user_account.id, ledger_account.owner_id)],
  [actor, eq(actor.id, ledger_transfer.actor_id)],
] as const;

const fields = {
  id: ledger_entry.id,
  user_id: sql<number>`${ledger_account.owner_id}`,
  account: user_account.account,
  phone: user_account.phone,
  type: ledger_transfer.kind,
  part: sql<BillPart>`${ledger_account.kind}`,
  change_amount: amountSql(sql`${ledger_entry.amount}`),
  balance_before: amountSql(sql`(${ledger_entry.balance_after} - ${ledger_entry.amount})`),
  balance_after: amountSql(sql`${ledger_entry.balance_after}`),
  remark: ledger_transfer.note,
  actor_account: sql<string | null>`${actor.account}`,
  created_at: ledger_transfer.at,
};

type Filters = { user_id?: number; type?: string; part?: BillPart; created_from?: string; created_to?: string };

/** Whose balances changed: an agent sees his own only, for what his customers do with their money is their own affair. */
async function whereOf({ user_id, type, part, created_from, created_to }: Filters, { scope, settings }: Context): Promise<SQL | undefined> {
  const { time_zone } = await settings();
  return and(
    inArray(ledger_account.kind, part ? [part] : [...billParts]),
    eq(ledger_account.asset, 'USDT'),
    scope.all ? undefined : eq(ledger_account.owner_id, scope.owner_id),
    equals(ledger_account.owner_id, user_id),
    equals(ledger_transfer.kind, type),
    betweenDays(ledger_transfer.at, { from: created_from, to: created_to }, time_zone),
  );
}

export const billService: Service<typeof billGroup> = {
  inquire: async (input, context) =>
    list(context.db, input, {
      fields,
      from: ledger_entry,
      joins,
      where: await whereOf(input, context),
      sorts: { id: ledger_entry.id, created_at: ledger_transfer.at },
      key: ledger_entry.id,
    }),

  async sums(input, context) {
    const { part = 'user_available' } = input;
    const summed = (condition: SQL) =>
      amountSql(sql`coalesce(sum(${ledger_entry.amount}) FILTER (WHERE ${condition} AND ${ledger_account.kind} = ${part}), 0)`);
    const [found] = await context.db
      .select({
        number: sql<number>`count(*)`.mapWith(Number),
        came: summed(sql`${ledger_entry.amount} > 0`),
        went: summed(sql`${ledger_entry.amount} < 0`),
      })
      .from(ledger_entry)
      .innerJoin(...joins[0])
      .innerJoin(...joins[1])
      .where(await whereOf(input, context));
    return found ?? { number: 0, came: '0.000000', went: '0.000000' };
  },

  balances: async (_input, { db, scope: { owner_id } }) => ({
    available: amountOf(await balanceOf(db, { kind: 'user_available', owner_id })),
    shares: await heldSharesOf(db, owner_id),
  }),

  async verification(_input, { db }) {
    return { last: (await lastVerification(db)) ?? null };
  },

  verify: (_input, { db }) => verifyLedger(db),

  async lift({ id, reason }, { db, actor, audit }) {
    // Whoever says so has seen the faults of this one, and not those of a later one.
    const { rowCount } = await db.execute(sql`
      UPDATE ledger_verification SET lifted_at = now(), lifted_by = ${actor.user_id}, lift_reason = ${reason}
      WHERE id = ${id} AND id = (SELECT max(id) FROM ledger_verification) AND faults <> '[]' AND lifted_at IS NULL`);
    const last = await lastVerification(db);
    if (rowCount === 0 || !last) throw new AppError(409, 'bill.verified_anew');
    audit({ after: { faults: last.faults, reason } });
    return last;
  },
};
