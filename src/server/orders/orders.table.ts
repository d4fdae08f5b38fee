import { sql } from 'drizzle-orm';
import { bigint, boolean, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import type { ShareFlag, ShareState } from '../../contract/money/agent-divided-into.ts';
import type { InvoiceBuyer } from '../../contract/money/invoice.ts';
import type { Order, OrderState, PaidFrom } from '../../contract/money/order.ts';
import type { KeptKind, Quotas } from '../../contract/money/vip-combo.ts';
import { idColumn, moment, reference, timestamps, usdt } from '../kit/rows/columns.ts';

export const vip_combo = pgTable('vip_combo', {
  id: idColumn(),
  name: text('name').notNull(),
  description: text('description').notNull().default(''),
  price: usdt('price').notNull(),
  days: integer('days').notNull(),
  quotas: jsonb('quotas').$type<Quotas>().notNull(),
  sort: integer('sort').notNull().default(0),
  on_sale: boolean('on_sale').notNull().default(true),
  ...timestamps(),
});

export const combo_order = pgTable('combo_order', {
  id: idColumn(),
  order_no: text('order_no').notNull(),
  user_id: reference('user_id').notNull(),
  combo_id: reference('combo_id').notNull(),
  combo: jsonb('combo').$type<Order['combo']>().notNull(),
  price: usdt('price').notNull(),
  credit: usdt('credit').notNull().default('0'),
  amount: usdt('amount').notNull(),
  days: integer('days').notNull(),
  replaces: bigint('replaces', { mode: 'number' }).array().notNull().default([]),
  replaced_by: reference('replaced_by'),
  pay_type: smallint('pay_type').$type<1>().notNull().default(1),
  status: smallint('status').$type<1 | 2>().notNull().default(1),
  state: text('state').$type<OrderState>().notNull().default('waiting'),
  paid_from: text('paid_from').$type<PaidFrom>(),
  /** What of the amount was a gift to its buyer; shares are paid on the rest. */
  granted: usdt('granted').notNull().default('0'),
  transaction_hash: text('transaction_hash'),
  reason: text('reason').notNull().default(''),
  decided_by: reference('decided_by'),
  expires_at: moment('expires_at').notNull(),
  paid_at: moment('paid_at'),
  begins_at: moment('begins_at'),
  ends_at: moment('ends_at'),
  coupon: text('coupon').notNull().default(''),
  discount: usdt('discount').notNull().default('0'),
  previous_expires_at: moment('previous_expires_at'),
  ...timestamps(),
});
export type StoredOrder = typeof combo_order.$inferSelect;

export const invoice = pgTable('invoice', {
  id: idColumn(),
  year: integer('year').notNull(),
  serial: integer('serial').notNull(),
  order_id: reference('order_id').notNull(),
  user_id: reference('user_id').notNull(),
  issuer: text('issuer').notNull(),
  buyer: jsonb('buyer').$type<InvoiceBuyer>().notNull(),
  issued_at: moment('issued_at').notNull().default(sql`now()`),
});
export type StoredInvoice = typeof invoice.$inferSelect;

export const order_share = pgTable('order_share', {
  id: idColumn(),
  order_id: reference('order_id').notNull(),
  agent_id: reference('agent_id').notNull(),
  level: integer('level').notNull(),
  /** Basis points. */
  ratio: integer('ratio').notNull(),
  /** The greatest ratio below at that time, of which the agent's own was so much more. */
  below: integer('below').notNull(),
  amount: usdt('amount').notNull(),
  refunded: usdt('refunded').notNull().default('0'),
  created_at: timestamps().created_at,
  state: text('state').$type<ShareState>().notNull().default('held'),
  release_at: moment('release_at').notNull(),
  debt_paid: usdt('debt_paid').notNull().default('0'),
  flags: text('flags').array().$type<ShareFlag[]>().notNull().default([]),
  reviewed_at: moment('reviewed_at'),
  reviewed_by: reference('reviewed_by'),
  review_reason: text('review_reason').notNull().default(''),
});
export type StoredShare = typeof order_share.$inferSelect;

export const coupon = pgTable('coupon', {
  id: idColumn(),
  code: text('code').notNull(),
  remark: text('remark').notNull().default(''),
  /** Basis points, or else an amount. */
  percent: integer('percent'),
  amount: usdt('amount'),
  valid_from: moment('valid_from'),
  valid_to: moment('valid_to'),
  max_uses: integer('max_uses'),
  used: integer('used').notNull().default(0),
  once_a_user: boolean('once_a_user').notNull().default(true),
  combo_ids: bigint('combo_ids', { mode: 'number' }).array().notNull().default([]),
  enabled: boolean('enabled').notNull().default(true),
  ...timestamps(),
});

export const coupon_use = pgTable('coupon_use', {
  id: idColumn(),
  coupon_id: reference('coupon_id').notNull(),
  order_id: reference('order_id').notNull(),
  user_id: reference('user_id').notNull(),
  is_once: boolean('is_once').notNull(),
  given_back_at: moment('given_back_at'),
  created_at: timestamps().created_at,
});

export const member_gift = pgTable('member_gift', {
  id: idColumn(),
  days: integer('days').notNull(),
  reason: text('reason').notNull(),
  given_by: reference('given_by').notNull(),
  undone_at: moment('undone_at'),
  undone_by: reference('undone_by'),
  created_at: timestamps().created_at,
});

export const member_gift_user = pgTable(
  'member_gift_user',
  {
    gift_id: reference('gift_id').notNull(),
    user_id: reference('user_id').notNull(),
    previous_expires_at: moment('previous_expires_at').notNull(),
    expires_at: moment('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.gift_id, table.user_id] })],
);

/** What owners chose to keep whole while they have more than their quota. */
export const kept_row = pgTable(
  'kept_row',
  {
    owner_id: reference('owner_id').notNull(),
    kind: text('kind').$type<KeptKind>().notNull(),
    row_id: reference('row_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner_id, table.kind, table.row_id] })],
);
