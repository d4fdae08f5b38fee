import { sql } from 'drizzle-orm';
import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import type { PayoutWay } from '../../contract/money/ledger.ts';
import type { PayoutProblem, WithdrawalState } from '../../contract/money/withdrawal-list.ts';
import { idColumn, moment, reference, timestamps, usdt } from '../kit/rows/columns.ts';

export const withdrawal = pgTable('withdrawal', {
  id: idColumn(),
  user_id: reference('user_id').notNull(),
  amount: usdt('amount').notNull(),
  fee: usdt('fee').notNull(),
  address: text('address').notNull(),
  state: text('state').$type<WithdrawalState>().notNull().default('waiting'),
  payout: text('payout').$type<PayoutWay>().notNull().default('hash'),
  transaction_hash: text('transaction_hash'),
  /** Sun. */
  network_fee: bigint('network_fee', { mode: 'bigint' }).notNull().default(0n),
  reason: text('reason').notNull().default(''),
  problem: text('problem').$type<PayoutProblem>(),
  decided_by: reference('decided_by'),
  decided_at: moment('decided_at'),
  paid_at: moment('paid_at'),
  due_at: moment('due_at').notNull().default(sql`now()`),
  claimed_until: moment('claimed_until'),
  file_id: reference('file_id'),
  ...timestamps(),
});
/** What administrators downloaded to pay from wallets of their own. */
export const payment_file = pgTable('payment_file', {
  id: idColumn(),
  made_by: reference('made_by').notNull(),
  made_at: moment('made_at').notNull().default(sql`now()`),
});

export type StoredWithdrawal = typeof withdrawal.$inferSelect;
