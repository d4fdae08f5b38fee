import { z } from 'zod';
import { yesNo } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, id, oneOf, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { amount } from '../money/ledger.ts';

/** A customer as the one who invited him sees him: what he bought and has, but no address, no phone, and not what he does with it. */
export const customer = z.object({
  id,
  account: z.string(),
  name: z.string(),
  member_expires_at: time.nullable(),
  expired: z.boolean(),
  disabled: oneOf(yesNo),
  /** The combo that he has now. */
  combo: z.string().nullable(),
  balance: amount,
  /** Orders that were paid and not refunded, and what they came to. */
  orders: count,
  paid: amount,
  created_at: time,
});
export type Customer = z.infer<typeof customer>;

export const userCustomer = group('user_customer', {
  inquire: call({
    summary: "The caller's own customers: users whose superior he is, whatever else his role may see.",
    access: requireAny('user_customer'),
    input: listInput(['id', 'account', 'name', 'member_expires_at', 'balance', 'orders', 'paid', 'created_at'], {
      /** A part of account or name. */
      search: z.string().max(64).optional(),
      expired: z.boolean().optional(),
      /** Days on which it ends. */
      expires_from: day.optional(),
      expires_to: day.optional(),
      created_from: day.optional(),
      created_to: day.optional(),
    }),
    output: pageOf(customer),
  }),
  invitation: call({
    summary: "The caller's invitation code and how many customers he has; the code is null where his role may not invite.",
    access: requireAny('user_customer'),
    input: z.object({}),
    output: z.object({ invitation_code: z.string().nullable(), customers: count, joined_this_month: count }),
  }),
});
