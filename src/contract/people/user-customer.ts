import { z } from 'zod';
import { yesNo } from '../enums.ts';
import { call, group, holders } from '../kit/call.ts';
import { count, day, id, oneOf, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

/** A customer as the one who invited him sees him: no address, no phone, nothing of his own affairs. */
export const customer = z.object({
  id,
  account: z.string(),
  name: z.string(),
  member_expires_at: time.nullable(),
  expired: z.boolean(),
  disabled: oneOf(yesNo),
  created_at: time,
});
export type Customer = z.infer<typeof customer>;

export const userCustomer = group('user_customer', {
  inquire: call({
    summary: "The caller's own customers: users whose superior he is, whatever else his role may see.",
    access: holders('user_customer'),
    input: listInput(['id', 'account', 'name', 'member_expires_at', 'created_at'], {
      /** A part of account or name. */
      search: z.string().max(64).optional(),
      expired: z.boolean().optional(),
      created_from: day.optional(),
      created_to: day.optional(),
    }),
    output: pageOf(customer),
  }),
  invitation: call({
    summary: "The caller's invitation code and how many customers he has; the code is null where his role may not invite.",
    access: holders('user_customer'),
    input: z.object({}),
    output: z.object({ invitation_code: z.string().nullable(), customers: count, joined_this_month: count }),
  }),
});
