import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, id, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { amount } from './ledger.ts';

/** To one of our wallets; between addresses of ours; from one of our wallets to anybody. */
export const usdtTypes = ['deposit', 'internal', 'outgoing'] as const;
export type UsdtType = (typeof usdtTypes)[number];
/** `aside`: below the minimum, kept until the sum reaches it; `nobody`: its wallet has no user; `noted`: it moved no balance. */
export const usdtStates = ['credited', 'aside', 'nobody', 'noted'] as const;
export type UsdtState = (typeof usdtStates)[number];

/** Millionths: less than a cent is sent to be seen, by who wants his address to be taken for one that is known. */
export const dustBelow = 10_000n;

export const usdtTransaction = z.object({
  id,
  amount,
  block: count,
  transaction_hash: z.string(),
  sender: z.string(),
  receiver: z.string(),
  /** The time of the block. */
  at: time,
  type: z.enum(usdtTypes),
  state: z.enum(usdtStates),
  /** Transaction and number of the log: each transfer is counted once by it. */
  fingerprint: z.string(),
  user_id: id.nullable(),
  account: z.string().nullable(),
  remark: z.string(),
  credited_at: time.nullable(),
});
export type UsdtTransaction = z.infer<typeof usdtTransaction>;

export const usdtTransactionRecord = group('usdt_transaction_record', {
  inquire: call({
    summary: 'List solid transfers of USDT from and to the wallets of the site.',
    access: requireAny('usdt_transaction_record'),
    input: listInput(['id', 'at', 'amount', 'block'], {
      /** A hash, an address or an account. */
      search: z.string().max(100).optional(),
      type: z.enum(usdtTypes).optional(),
      state: z.enum(usdtStates).optional(),
      /** Transfers of less than a cent, too; a search finds them anyway. */
      dust: z.boolean().optional(),
      from: day.optional(),
      to: day.optional(),
    }),
    output: pageOf(usdtTransaction),
  }),
  position: call({
    summary: 'How far the network was read.',
    access: requireAny('usdt_transaction_record'),
    input: z.object({}),
    output: z.object({
      network: z.enum(['test', 'tron']),
      block: count.nullable(),
      first_block: count.nullable(),
      solid_head: count.nullable(),
      block_at: time.nullable(),
      last_error: z.string().nullable(),
    }),
  }),
  rescan: call({
    summary: 'Read the blocks from this one up to the present position again, as an operation; nothing is counted twice.',
    access: requireAny('usdt_transaction_record.rescan'),
    input: z.object({ block: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER) }),
    output: z.object({ operation_id: id }),
    writes: true,
  }),
});
