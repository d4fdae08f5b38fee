import { sql } from 'drizzle-orm';
import { bigint, customType, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { Verification } from '../../contract/money/bill.ts';
import type { TransferKind } from '../../contract/money/ledger.ts';
import { idColumn, moment, reference } from '../kit/rows/columns.ts';

export const accountKinds = [
  'user_available',
  'user_hold',
  'share_hold',
  'share_debt',
  'chain_deposit',
  'chain_hot',
  'chain_cold',
  'suspense',
  'payout_clearing',
  'revenue',
  'commission',
  'network_fee',
  'admin_adjust',
] as const;
export type AccountKind = (typeof accountKinds)[number];
export type Asset = 'USDT' | 'TRX';

/** Millionths. Read as text where more than 2^53 of them must be exact: connections read integers of the database as numbers. */
const millionths = (name: string) => bigint(name, { mode: 'bigint' });
const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' });

export const ledger_account = pgTable('ledger_account', {
  id: idColumn(),
  kind: text('kind').$type<AccountKind>().notNull(),
  owner_id: reference('owner_id'),
  asset: text('asset').$type<Asset>().notNull().default('USDT'),
  balance: millionths('balance').notNull().default(0n),
  version: bigint('version', { mode: 'number' }).notNull().default(0),
});

export const ledger_transfer = pgTable('ledger_transfer', {
  id: uuid('id').primaryKey().default(sql`gen_random_uuid()`),
  kind: text('kind').$type<TransferKind>().notNull(),
  ref_type: text('ref_type').notNull(),
  ref_id: text('ref_id').notNull(),
  actor_id: reference('actor_id'),
  at: moment('at').notNull().default(sql`now()`),
  note: text('note').notNull().default(''),
  tx: transactionId('tx').notNull().default(sql`pg_current_xact_id()`),
});

export const ledger_entry = pgTable('ledger_entry', {
  id: idColumn(),
  transfer_id: uuid('transfer_id').notNull(),
  account_id: reference('account_id').notNull(),
  amount: millionths('amount').notNull(),
  balance_after: millionths('balance_after').notNull().default(0n),
  account_version: bigint('account_version', { mode: 'number' }).notNull().default(0),
});

export const ledger_verification = pgTable('ledger_verification', {
  id: idColumn(),
  at: moment('at').notNull().default(sql`now()`),
  transfers: bigint('transfers', { mode: 'number' }).notNull(),
  entries: bigint('entries', { mode: 'number' }).notNull(),
  faults: jsonb('faults').$type<Verification['faults']>().notNull().default([]),
  lifted_at: moment('lifted_at'),
  lifted_by: reference('lifted_by'),
  lift_reason: text('lift_reason').notNull().default(''),
});
