import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, id, ids, line, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

/** So many accounts are named of those who got a gift. */
export const namedUsers = 5;

const gift = z.object({
  id,
  days: count,
  reason: z.string(),
  given_by_account: z.string(),
  users: count,
  accounts: z.array(z.string()),
  undone_at: time.nullable(),
  undone_by_account: z.string().nullable(),
  created_at: time,
});
export type MemberGift = z.infer<typeof gift>;

export const memberGift = group('member_gift', {
  inquire: call({
    summary: 'List what time was given to members, by whom and why.',
    access: requireAny('member_gift'),
    input: listInput(['id', 'created_at', 'days'], {
      /** A part of the account of somebody who got it. */
      account: z.string().max(64).optional(),
    }),
    output: pageOf(gift),
  }),
  add: call({
    summary: 'Give users days of membership, from its end on, or from now where that is over. Who is a member for ever gets none.',
    access: requireAny('member_gift.add'),
    machines: false,
    input: z.object({ ids, days: z.number().int().min(1).max(3650), reason: line(200).min(1, 'required') }),
    output: z.object({ affected: count, /** Members for ever. */ left_out: count }),
    writes: true,
  }),
  undo: call({
    summary: 'Take a gift back: who got it has as many days less; what was bought since then stays.',
    access: requireAny('member_gift.undo'),
    machines: false,
    input: z.object({ id }),
    output: done,
    writes: true,
  }),
});
