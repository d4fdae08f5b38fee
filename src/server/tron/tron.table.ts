import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import type { PayNetwork } from '../../contract/money/pay-config.ts';
import type { WalletPurpose } from '../../contract/money/tron.ts';
import type { CollectionState } from '../../contract/money/tron-transaction-summary.ts';
import type { UsdtState, UsdtType } from '../../contract/money/usdt-transaction-record.ts';
import { bytes, idColumn, moment, reference } from '../kit/rows/columns.ts';
import type { SendPurpose, SendState } from './sending/states.ts';

/** Money in integers: millionths of USDT, or sun. The driver reads them as numbers, which hold nine billion of either. */
const money = (name: string) => bigint(name, { mode: 'bigint' });
const height = (name: string) => bigint(name, { mode: 'number' });
const now = sql`now()`;

export const pay_config = pgTable('pay_config', {
  id: smallint('id').primaryKey().default(1),
  network: text('network').$type<PayNetwork>().notNull().default('test'),
  url: text('url').notNull().default(''),
  second_url: text('second_url').notNull().default(''),
  contract: text('contract').notNull(),
  api_key: bytes('api_key'),
  collecting_address: text('collecting_address').notNull().default(''),
  minimum_deposit: money('minimum_deposit').notNull().default(1_000_000n),
  collect_threshold: money('collect_threshold').notNull().default(20_000_000n),
  fee_limit: money('fee_limit').notNull().default(30_000_000n),
  payout_addresses: text('payout_addresses').array().notNull().default([]),
  order_minutes: integer('order_minutes').notNull().default(30),
  qr_code_switch: smallint('qr_code_switch').$type<1 | 2>().notNull().default(1),
  updated_at: moment('updated_at').notNull().default(now),
});

export const tron_seed = pgTable('tron_seed', {
  id: smallint('id').primaryKey().default(1),
  entropy: bytes('entropy').notNull(),
  next_index: height('next_index').notNull().default(0),
  created_at: moment('created_at').notNull().default(now),
});

export const tron_wallet = pgTable('tron_wallet', {
  id: idColumn(),
  derivation_index: height('derivation_index').notNull(),
  user_id: reference('user_id'),
  purpose: text('purpose').$type<WalletPurpose>().notNull().default('deposit'),
  address: text('address').notNull(),
  public_key: bytes('public_key').notNull(),
  private_key: bytes('private_key').notNull(),
  trx_balance: money('trx_balance').notNull().default(0n),
  usdt_balance: money('usdt_balance').notNull().default(0n),
  balance_at: moment('balance_at'),
  removed_at: moment('removed_at'),
  created_at: moment('created_at').notNull().default(now),
});

export const tron_reading = pgTable('tron_reading', {
  wallet_id: reference('wallet_id').primaryKey(),
  contract: text('contract').notNull(),
  block: height('block').notNull(),
  usdt_balance: money('usdt_balance').notNull(),
  at: moment('at').notNull().default(now),
});

export const tron_position = pgTable('tron_position', {
  contract: text('contract').primaryKey(),
  block: height('block').notNull(),
  block_id: text('block_id').notNull(),
  block_at: moment('block_at').notNull(),
  first_block: height('first_block').notNull(),
  solid_head: height('solid_head').notNull(),
  seen_block: height('seen_block').notNull().default(0),
  last_error: text('last_error'),
  last_error_params: jsonb('last_error_params').$type<Record<string, string | number>>(),
  last_error_at: moment('last_error_at'),
  due_at: moment('due_at').notNull().default(now),
  claim: uuid('claim'),
  claimed_until: moment('claimed_until'),
  stalled_at: moment('stalled_at'),
  stalled_told: boolean('stalled_told').notNull().default(false),
  updated_at: moment('updated_at').notNull().default(now),
});

export const usdt_transaction = pgTable('usdt_transaction', {
  id: idColumn(),
  fingerprint: text('fingerprint').notNull(),
  contract: text('contract').notNull(),
  transaction_hash: text('transaction_hash').notNull(),
  block: height('block').notNull(),
  at: moment('at').notNull(),
  sender: text('sender').notNull(),
  receiver: text('receiver').notNull(),
  amount: money('amount').notNull(),
  type: text('type').$type<UsdtType>().notNull(),
  state: text('state').$type<UsdtState>().notNull(),
  wallet_id: reference('wallet_id').notNull(),
  user_id: reference('user_id'),
  remark: text('remark').notNull().default(''),
  credited_at: moment('credited_at'),
  created_at: moment('created_at').notNull().default(now),
});

/** What left wallets from which administrators pay withdrawals. */
export const usdt_payout = pgTable('usdt_payout', {
  id: idColumn(),
  fingerprint: text('fingerprint').notNull(),
  contract: text('contract').notNull(),
  transaction_hash: text('transaction_hash').notNull(),
  block: height('block').notNull(),
  at: moment('at').notNull(),
  sender: text('sender').notNull(),
  receiver: text('receiver').notNull(),
  amount: money('amount').notNull(),
  withdrawal_id: reference('withdrawal_id'),
});

export const usdt_sighting = pgTable('usdt_sighting', {
  fingerprint: text('fingerprint').primaryKey(),
  contract: text('contract').notNull(),
  transaction_hash: text('transaction_hash').notNull(),
  block: height('block').notNull(),
  at: moment('at').notNull(),
  sender: text('sender').notNull(),
  amount: money('amount').notNull(),
  user_id: reference('user_id').notNull(),
});

export const tron_send = pgTable('tron_send', {
  id: idColumn(),
  purpose: text('purpose').$type<SendPurpose>().notNull(),
  ref_id: reference('ref_id').notNull(),
  wallet_id: reference('wallet_id').notNull(),
  contract: text('contract').notNull(),
  asset: text('asset').$type<'USDT' | 'TRX'>().notNull(),
  receiver: text('receiver').notNull(),
  amount: money('amount').notNull(),
  fee_limit: money('fee_limit').notNull(),
  state: text('state').$type<SendState>().notNull().default('queued'),
  transaction_hash: text('transaction_hash'),
  raw: bytes('raw'),
  signature: bytes('signature'),
  expiration: height('expiration'),
  attempts: integer('attempts').notNull().default(0),
  broadcast_at: moment('broadcast_at'),
  block: height('block'),
  fee: money('fee'),
  last_error: text('last_error'),
  due_at: moment('due_at').notNull().default(now),
  claim: uuid('claim'),
  claimed_until: moment('claimed_until'),
  created_at: moment('created_at').notNull().default(now),
  updated_at: moment('updated_at').notNull().default(now),
});

export const tron_send_attempt = pgTable('tron_send_attempt', {
  id: idColumn(),
  send_id: reference('send_id').notNull(),
  transaction_hash: text('transaction_hash').notNull(),
  expiration: height('expiration').notNull(),
  outcome: text('outcome').$type<'ok' | 'failed' | 'expired'>(),
  created_at: moment('created_at').notNull().default(now),
});

export const tron_collection = pgTable('tron_collection', {
  id: idColumn(),
  wallet_id: reference('wallet_id').notNull(),
  contract: text('contract').notNull(),
  receiver: text('receiver').notNull(),
  amount: money('amount').notNull(),
  fund_amount: money('fund_amount').notNull().default(0n),
  state: text('state').$type<CollectionState>().notNull().default('plan'),
  fee: money('fee').notNull().default(0n),
  remark: text('remark').notNull().default(''),
  actor_id: reference('actor_id'),
  created_at: moment('created_at').notNull().default(now),
  finished_at: moment('finished_at'),
});
