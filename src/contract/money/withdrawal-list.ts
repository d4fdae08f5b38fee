import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, done, id, ids, line, oneOf, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { millionthsOf } from './amounts.ts';
import { amount, heldShares, positiveAmount } from './ledger.ts';
import { payNetwork, tronAddress } from './pay-config.ts';

/** Withdrawal status: 1 pending review, 2 approved, 3 rejected. */
export const withdrawalStatuses = [1, 2, 3] as const;
export type WithdrawalStatus = (typeof withdrawalStatuses)[number];
/**
 * What became of a withdrawal. `confirming`: an administrator named the transaction, which is not solid yet; `paying`: the server pays it
 * by itself.
 */
export const withdrawalStates = ['waiting', 'cancelled', 'rejected', 'approved', 'confirming', 'paying', 'paid'] as const;
export type WithdrawalState = (typeof withdrawalStates)[number];
const [shownFirst, shownLast] = [4, 4];
/** Whether an address looks like another one where people look: at its ends. */
export const looksLike = (address: string, other: string): boolean =>
  address !== other && address.slice(0, shownFirst) === other.slice(0, shownFirst) && address.slice(-shownLast) === other.slice(-shownLast);

/** What was cancelled is rejected by the one who asked for it. */
export const statusOfState: Record<WithdrawalState, WithdrawalStatus> = {
  waiting: 1,
  approved: 2,
  confirming: 2,
  paying: 2,
  paid: 2,
  cancelled: 3,
  rejected: 3,
};

/** Why a transaction that was named does not pay a withdrawal, or the server did not pay it. */
export const payoutProblems = ['payout_missing', 'payout_wrong', 'payout_too_old', 'payout_blacklisted'] as const;
export type PayoutProblem = (typeof payoutProblems)[number];

export const withdrawal = z.object({
  id,
  user_id: id,
  account: z.string(),
  /** What leaves the balance; the fee is part of it. */
  amount,
  fee: amount,
  /** What is paid to the address. */
  arrives: amount,
  address: z.string(),
  status: oneOf(withdrawalStatuses),
  state: z.enum(withdrawalStates),
  transaction_hash: z.string().nullable(),
  reason: z.string(),
  /** Why the transaction that was named last does not count, or the server did not pay. */
  problem: z.enum(payoutProblems).nullable(),
  /** An address that the user knows and that this one only looks like: same at both ends, as others send to be taken for it. */
  resembles: z.string().nullable(),
  /** An address that is new to its user is paid to from this moment on; null: it is known, or this is over. */
  cooling_until: time.nullable(),
  created_at: time,
  decided_at: time.nullable(),
  /** For administrators only. */
  decided_by_account: z.string().nullable(),
  paid_at: time.nullable(),
  /** For administrators only: transactions from the site's payout addresses that fit, where none or several withdrawals did at once. */
  offered: z.array(z.string()),
  /** For administrators only: the last file of payments that it was in, when that was downloaded, and by whom. */
  file: id.nullable(),
  filed_at: time.nullable(),
  filed_by_account: z.string().nullable(),
});
export type Withdrawal = z.infer<typeof withdrawal>;

const filters = {
  /** A part of the account, the address or the hash. */
  search: z.string().max(100).optional(),
  status: oneOf(withdrawalStatuses).optional(),
  state: z.enum(withdrawalStates).optional(),
  created_from: day.optional(),
  created_to: day.optional(),
};
const sortable = ['id', 'amount', 'created_at', 'decided_at', 'paid_at'] as const;
const wholePercent = 10_000n;

type FeeTerms = { fee: string; fee_percent: number };
/** A fixed part and a share of the amount, rounded down to the millionth. In millionths. */
export const withdrawalFee = (millionths: bigint, { fee, fee_percent }: FeeTerms): bigint =>
  millionthsOf(fee) + (millionths * BigInt(Math.round(fee_percent * 100))) / wholePercent;

const terms = z.object({
  network: payNetwork,
  balance: amount,
  /** What of it was earned: what was paid in or given is there to be spent. */
  withdrawable: amount,
  /** Reserved for withdrawals that wait. */
  held: amount,
  shares: heldShares,
  minimum: amount,
  fee: amount,
  fee_percent: z.number(),
  cool_off_hours: count,
  /** The ledger does not add up: nothing is paid until an administrator has looked. */
  frozen: z.boolean(),
  /** Where the caller was paid before, the last one first. */
  addresses: z.array(z.string()),
});
export type WithdrawalTerms = z.infer<typeof terms>;

const paymentFile = z.object({ file: id, payments: count, made_at: time, made_by_account: z.string() });
const paymentsToMake = z.object({
  /** Withdrawals that were in no file yet. */
  fresh: count,
  /** Former files, the newest first, and how many of each still wait for the hash of their payment. */
  files: z.array(paymentFile),
});
export type PaymentsToMake = z.infer<typeof paymentsToMake>;

export const actingWithdrawalList = group('acting_withdrawal_list', {
  inquire: call({
    summary: "The caller's own withdrawals.",
    access: requireAny('acting_withdrawal_list'),
    input: listInput(sortable, filters),
    output: pageOf(withdrawal),
  }),
  terms: call({
    summary: 'What the caller can withdraw, what that costs, and where he was paid before.',
    access: requireAny('acting_withdrawal_list'),
    input: z.object({}),
    output: terms,
  }),
  add: call({
    summary: 'Ask for a withdrawal; its amount is reserved until it is decided about.',
    access: requireAny('acting_withdrawal_list.add'),
    machines: false,
    input: z.object({ amount: positiveAmount, address: tronAddress.min(1, 'required') }),
    output: withdrawal,
    writes: true,
  }),
  cancel: call({
    summary: 'Take back a withdrawal that nobody has decided about; its amount returns to the balance.',
    access: requireAny('acting_withdrawal_list.add'),
    machines: false,
    input: z.object({ id }),
    output: done,
    writes: true,
  }),
});

export const withdrawalList = group('withdrawal_list', {
  inquire: call({
    summary: 'Withdrawals of all users.',
    access: requireAny('withdrawal_list'),
    input: listInput(sortable, { ...filters, user_id: id.optional(), in_file: z.boolean().optional() }),
    output: pageOf(withdrawal),
  }),
  approve: call({
    summary:
      'Let a withdrawal be paid: by password, and by the code of a second factor. Refused to who asked for it, beyond the cap of a day, and while its address is new.',
    access: requireAny('withdrawal_list.approve'),
    proved: true,
    input: z.object({ id }),
    output: withdrawal,
    limit: { max: 120, seconds: 60 },
  }),
  pay: call({
    summary:
      'Name the transaction that paid an approved withdrawal. It must have sent the exact amount to its address; it counts as soon as its block is solid.',
    access: requireAny('withdrawal_list.approve'),
    machines: false,
    input: z.object({ id, transaction_hash: line(70).min(1, 'required') }),
    output: withdrawal,
    limit: { max: 120, seconds: 60 },
  }),
  payments: call({
    summary:
      'What `export_payments` would answer: how many payments are new, and which files were downloaded whose payments have no hash yet.',
    access: requireAny('withdrawal_list.approve'),
    machines: false,
    /** All of them where none are named. */
    input: z.object({ ids: ids.optional() }),
    output: paymentsToMake,
  }),
  export_payments: call({
    summary:
      'Approved withdrawals that the caller has to pay from a wallet of his own, as CSV for wallets that send many payments at once: address, amount that must arrive, number of the withdrawal. Those whose payment went wrong before are left out, and of several to an address all but the first. Each is in one file: what was downloaded is answered again only where `again` names its file, and is then in the new one.',
    access: requireAny('withdrawal_list.approve'),
    machines: false,
    /** All of them where none are named. */
    input: z.object({ ids: ids.optional(), again: id.optional() }),
    output: z.object({
      ...{ csv: z.string(), payments: count, file: id },
      later: count.describe('Further ones to the same addresses, which the next file takes.'),
    }),
    writes: true,
    limit: { max: 120, seconds: 60 },
  }),
  reject: call({
    summary: 'Refuse a withdrawal that is not paid yet, with the reason for its user; its amount returns to the balance.',
    access: requireAny('withdrawal_list.reject'),
    machines: false,
    input: z.object({ id, reason: line(200).min(1, 'required') }),
    output: withdrawal,
    writes: true,
  }),
});
