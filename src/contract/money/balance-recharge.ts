import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, id, oneOf, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { amount } from './ledger.ts';
import { payNetwork, qrCodeSwitches } from './pay-config.ts';

/** `aside`: below the minimum, kept until the sum reaches it. */
export const deposit = z.object({
  id,
  amount,
  state: z.enum(['credited', 'aside']),
  block: count,
  transaction_hash: z.string(),
  sender: z.string(),
  at: time,
});
export type Deposit = z.infer<typeof deposit>;

/** Where the caller pays to, under which terms, what he has, and what is on its way. */
export const recharge = z.object({
  network: payNetwork,
  address: z.string(),
  balance: amount,
  /** What is kept until the sum reaches the minimum. */
  aside: amount,
  minimum_deposit: amount,
  qr_code_switch: oneOf(qrCodeSwitches),
  confirmations: count,
  /** Payments in blocks that are not solid yet, with the number of blocks above them. */
  confirming: z.array(z.object({ amount, sender: z.string(), transaction_hash: z.string(), block: count, at: time, confirmations: count })),
});
export type Recharge = z.infer<typeof recharge>;

export const balanceRecharge = group('balance_recharge', {
  inquire: call({
    summary: 'The own deposit address, which is made at the first look, the balance, and payments on their way.',
    access: requireAny('balance_recharge'),
    input: z.object({}),
    output: recharge,
  }),
  deposits: call({
    summary: 'List the own payments that are solid.',
    access: requireAny('balance_recharge'),
    input: listInput(['id', 'at', 'amount'], {}),
    output: pageOf(deposit),
  }),
});
