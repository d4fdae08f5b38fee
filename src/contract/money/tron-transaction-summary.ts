import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, done, id, ids, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { amount } from './ledger.ts';

/**
 * Where a collection stands: `plan`; TRX for its fee is signed, is solid; the USDT is signed, is solid, is booked; or it came to nothing.
 */
export const collectionStates = [
  'plan',
  'fund_signed',
  'fund_solid',
  'sweep_signed',
  'sweep_solid',
  'booked',
  'failed',
  'cancelled',
] as const;
export type CollectionState = (typeof collectionStates)[number];

/** What people are told of it. */
export const collectionStatuses = ['under_way', 'success', 'fail'] as const;
export type CollectionStatus = (typeof collectionStatuses)[number];

export const collection = z.object({
  id,
  account: z.string().nullable(),
  sender: z.string(),
  receiver: z.string(),
  amount,
  transaction_hash: z.string().nullable(),
  /** The transaction that brought TRX for the fee, where there was one. */
  fund_hash: z.string().nullable(),
  status: z.enum(collectionStatuses),
  state: z.enum(collectionStates),
  /** An administrator must decide: it was tried too often. */
  is_held: z.boolean(),
  /** TRX that it cost, as far as it is known. */
  fee: amount,
  /** What it waits for, or why it failed, in the caller's language. */
  remark: z.string(),
  created_at: time,
  finished_at: time.nullable(),
});
export type Collection = z.infer<typeof collection>;

const filters = {
  /** An address, a hash or an account. */
  search: z.string().max(100).optional(),
  status: z.enum(collectionStatuses).optional(),
  from: day.optional(),
  to: day.optional(),
};

export const sumsBy = ['day', 'address'] as const;
export const collectionSum = z.object({
  /** The day, or the address that was collected from. */
  key: z.string(),
  account: z.string().nullable(),
  number: count,
  amount,
  fee: amount,
});
export type CollectionSum = z.infer<typeof collectionSum>;

export const tronTransactionSummary = group('tron_transaction_summary', {
  inquire: call({
    summary: 'List collections: USDT on its way from wallets to the collecting address.',
    access: requireAny('tron_transaction_summary'),
    input: listInput(['id', 'amount', 'created_at', 'finished_at'], filters),
    output: pageOf(collection),
  }),
  sums: call({
    summary: 'What was collected successfully, summed by day of the site or by address.',
    access: requireAny('tron_transaction_summary'),
    input: listInput(['key', 'amount', 'number', 'fee'], { ...filters, by: z.enum(sumsBy) }),
    output: pageOf(collectionSum).extend({ total_amount: amount, total_fee: amount }),
  }),
  hold: call({
    summary: 'Hold collections of which nothing is signed yet, until they are tried again.',
    access: requireAny('tron_transaction_summary.retry'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  retry: call({
    summary: 'Try collections again that failed or are held. What was signed and may still count is waited for first.',
    access: requireAny('tron_transaction_summary.retry'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});
