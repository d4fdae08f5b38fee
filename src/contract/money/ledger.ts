import { z } from 'zod';
import { time } from '../kit/fields.ts';
import { decimals } from './amounts.ts';

/** Why money was moved, as bills show it. */
export const transferKinds = [
  'deposit',
  'deposit_aside',
  'deposit_release',
  'order',
  'share',
  'share_release',
  'order_refund',
  'share_refund',
  'withdrawal_hold',
  'withdrawal_return',
  'withdrawal_approve',
  'payout',
  'collection',
  'network_fee',
  'balance_edit',
  'balance_payment',
] as const;
export const transferKind = z.enum(transferKinds);
export type TransferKind = z.infer<typeof transferKind>;

/** Beyond all money there is, and far from the end of the database's integers. */
const maxDigits = 12;

/** USDT with up to 6 digits after the point, such as `12.5`; answers always have all six. */
export const amount = z
  .string()
  .trim()
  .max(maxDigits + decimals + 1)
  .regex(/^\d{1,12}(\.\d{1,6})?$/, 'invalid_amount');
/** The same, more than nothing. */
export const positiveAmount = amount.refine((value) => /[1-9]/.test(value), 'not_positive');
/** The same, not nothing, and less than nothing where something is taken away. */
export const signedAmount = z
  .string()
  .trim()
  .max(maxDigits + decimals + 2)
  .regex(/^[+-]?\d{1,12}(\.\d{1,6})?$/, 'invalid_amount')
  .refine((value) => /[1-9]/.test(value), 'not_zero');

/**
 * Shares that are not their agent's to dispose of: what is held, what of that waits for an administrator, from when on the first and the last
 * of the rest are his, and what his shares have yet to pay.
 */
export const heldShares = z.object({ amount, reviewing: amount, from: time.nullable(), until: time.nullable(), debt: amount });
export type HeldShares = z.infer<typeof heldShares>;

/**
 * What an administrator's edit of a balance is: a gift (`balance_edit`), which pays no shares, or money that came in on another way
 * (`balance_payment`), which counts as a deposit. With a negative amount the same is taken back.
 */
export const balanceEdits = ['gift', 'payment'] as const;
export type BalanceEdit = (typeof balanceEdits)[number];
export const kindOfEdit: Record<BalanceEdit, TransferKind> = { gift: 'balance_edit', payment: 'balance_payment' };

/** Who pays an approved withdrawal: an administrator, who names the transaction, or the server's signer. */
export const payoutWays = ['hash', 'server'] as const;
export type PayoutWay = (typeof payoutWays)[number];
