import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, id, line, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { amount, heldShares, transferKind } from './ledger.ts';

/** Of which part of a user's money an entry is: what he can dispose of, shares that are held, or what his shares have yet to pay. */
export const billParts = ['user_available', 'share_hold', 'share_debt'] as const;
export type BillPart = (typeof billParts)[number];

const bill = z.object({
  id,
  user_id: id,
  account: z.string(),
  phone: z.string(),
  type: transferKind,
  part: z.enum(billParts),
  /** USDT with six decimals; less than nothing where it went away. */
  change_amount: z.string(),
  balance_before: z.string(),
  balance_after: z.string(),
  remark: z.string(),
  /** Who caused it, where somebody did. */
  actor_account: z.string().nullable(),
  created_at: time,
});
export type Bill = z.infer<typeof bill>;

const filters = {
  user_id: id.optional(),
  type: transferKind.optional(),
  part: z.enum(billParts).optional(),
  created_from: day.optional(),
  created_to: day.optional(),
};

/**
 * What can be wrong with a ledger: sums that are not 0, balances that are not the sum of their entries, gaps, rules that were switched off,
 * orders without their one transfer, and what differs from the network's own word.
 */
export const ledgerFaults = [
  'asset_sum',
  'transfer_sum',
  'balance',
  'version',
  'negative',
  'rule_off',
  'paid_order',
  'deposit',
  'chain_wallet',
] as const;

const verification = z.object({
  id,
  at: time,
  transfers: count,
  entries: count,
  faults: z.array(z.object({ code: z.enum(ledgerFaults), where: z.string(), expected: z.string(), found: z.string() })),
  /** Where something is wrong no money leaves the site, unless an administrator said that it may; that holds as long as the same is found. */
  lifted_at: time.nullable(),
  lifted_by_account: z.string().nullable(),
  lift_reason: z.string(),
});
export type Verification = z.infer<typeof verification>;

export const billGroup = group('bill', {
  inquire: call({
    summary: 'Every change of a balance: the own ones, of all users for administrators.',
    access: requireAny('bill'),
    input: listInput(['id', 'created_at'], filters),
    output: pageOf(bill),
  }),
  sums: call({
    summary: 'What the same filters come to: how many changes, and what came and went of the part, or else of what can be disposed of.',
    access: requireAny('bill'),
    input: z.object(filters),
    output: z.object({ number: count, came: z.string(), went: z.string() }),
  }),
  balances: call({
    summary: 'What the caller can dispose of, and his shares that are held.',
    access: requireAny('bill'),
    input: z.object({}),
    output: z.object({ available: amount, shares: heldShares }),
  }),
  verification: call({
    summary: 'What the last verification of the ledger found; null before the first.',
    access: requireAny('bill.verify'),
    input: z.object({}),
    output: z.object({ last: verification.nullable() }),
  }),
  verify: call({
    summary: 'Go over the whole ledger now.',
    access: requireAny('bill.verify'),
    input: z.object({}),
    output: verification,
    writes: true,
  }),
  lift: call({
    summary:
      'Let withdrawals and collections go on although the last verification found the ledger wrong; 409 where that is not the last one.',
    access: requireAny('bill.verify'),
    input: z.object({ id, reason: line(200).min(1, 'required') }),
    output: verification,
    writes: true,
    proved: true,
  }),
});
