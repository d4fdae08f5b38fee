import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, id, ids, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { amount } from './ledger.ts';

/** `deposit` takes the payments of a user; `fee` holds the TRX that collections cost; `payout` what withdrawals are paid from. */
export const walletPurposes = ['deposit', 'fee', 'payout'] as const;
export type WalletPurpose = (typeof walletPurposes)[number];

export const wallet = z.object({
  id,
  address: z.string(),
  address_hex: z.string(),
  public_key: z.string(),
  purpose: z.enum(walletPurposes),
  user_id: id.nullable(),
  account: z.string().nullable(),
  trx_balance: amount,
  usdt_balance: amount,
  /** When the network was asked for the balances; null: never. */
  balance_at: time.nullable(),
  removed_at: time.nullable(),
  created_at: time,
});
export type Wallet = z.infer<typeof wallet>;

/** Why a wallet is left out of a collection. */
export const skipReasons = ['below_threshold', 'over_limit', 'fees_missing', 'reverted', 'blacklisted'] as const;
export type SkipReason = (typeof skipReasons)[number];

const planned = z.object({
  id,
  address: z.string(),
  account: z.string().nullable(),
  /** USDT that would be collected. */
  amount,
  /** TRX that the wallet is missing for the fee, and would be sent. */
  fund_amount: amount,
  /** TRX that it costs in all, at most. */
  cost: amount,
  skip: z.enum(skipReasons).nullable(),
});

/** How a collection's energy is paid: TRX that is burnt, or energy of a stake that is delegated and taken back. */
export const energyWays = ['burn', 'delegate'] as const;

const energyComparison = z.object({
  /** Energy of its own stake that the fee wallet could delegate now, and for how many wallets it is enough. */
  available: count,
  wallets: count,
  /** TRX that one wallet costs on average, at most. */
  burnt: amount,
  delegated: amount,
  cheaper: z.enum(energyWays),
});

export const collectionPlan = z.object({
  collecting_address: z.string(),
  /** So many wallets are shown; more may be collected. */
  wallets: z.array(planned),
  /** Of all, without those that are left out. */
  number: count,
  amount,
  cost: amount,
  energy_price: count,
  energy: energyComparison.nullable(),
  /** Where TRX for fees is kept, and how much there is. */
  fee_address: z.string(),
  fee_balance: amount,
  /** Collections that are under way already. */
  under_way: count,
});
export type CollectionPlan = z.infer<typeof collectionPlan>;
/** A plan names no more wallets than these; the whole of it is summed. */
export const maxPlanned = 200;

export const tronGroup = group('tron', {
  inquire: call({
    summary: 'List the wallets of the site. Private keys are never part of a list.',
    access: requireAny('tron'),
    input: listInput(['id', 'usdt_balance', 'trx_balance', 'created_at', 'balance_at'], {
      /** An address, in either form, or an account. */
      search: z.string().max(100).optional(),
      purpose: z.enum(walletPurposes).optional(),
      removed: z.boolean().optional(),
      funded: z.boolean().optional(),
    }),
    output: pageOf(wallet),
  }),
  generate: call({
    summary: 'Make the wallets that are missing: one for each user who has none, and the one that pays fees.',
    access: requireAny('tron.generate'),
    input: z.object({}),
    output: done,
    writes: true,
  }),
  balance: call({
    summary: 'Ask the network for the balances of one wallet now.',
    access: requireAny('tron'),
    input: z.object({ id }),
    output: wallet,
    limit: { max: 60, seconds: 60 },
  }),
  synchronise: call({
    summary: 'Ask the network for the balances of all wallets, as an operation.',
    access: requireAny('tron.synchronise'),
    input: z.object({}),
    output: z.object({ operation_id: id }),
    writes: true,
  }),
  plan: call({
    summary:
      'What collecting would do and cost now: by live prices, of these wallets or of all above the threshold; and what it would cost with energy that the fee wallet has, which is never delegated by itself. Changes nothing.',
    access: requireAny('tron.collect', 'tron.collect_all'),
    input: z.object({ ids: ids.optional() }),
    output: collectionPlan,
    limit: { max: 20, seconds: 60 },
  }),
  collect: call({
    summary: 'Collect the USDT of these wallets, as an operation; also below the threshold.',
    access: requireAny('tron.collect'),
    input: z.object({ ids }),
    output: z.object({ operation_id: id }),
    writes: true,
  }),
  collect_all: call({
    summary: 'Collect the USDT of all wallets that hold as much as the threshold, as an operation.',
    access: requireAny('tron.collect_all'),
    input: z.object({}),
    output: z.object({ operation_id: id }),
    writes: true,
  }),
  reveal: call({
    summary: 'Show the private key of one wallet, once: to a person, by password and second factor.',
    access: requireAny('tron.reveal'),
    proved: { needs_code: true },
    input: z.object({ id }),
    output: z.object({ private_key: z.string() }),
    limit: { max: 30, seconds: 60 },
  }),
  remove: call({
    summary: 'Remove wallets without balances; their users get other addresses. What arrives at a removed one is still counted.',
    access: requireAny('tron.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});
