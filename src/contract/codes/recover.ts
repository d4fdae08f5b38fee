import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, done, id, ids, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

export const accessClearing = z.object({
  id,
  live_code_id: id,
  code_name: z.string(),
  file_name: z.string(),
  owner_id: id,
  owner_account: z.string(),
  cleared_at: time,
  /** Visits that were shown until then; null while the code's figures are locked. */
  visits: count.nullable(),
  user_account: z.string().nullable(),
  impersonator_account: z.string().nullable(),
  restored_at: time.nullable(),
  restored_by_account: z.string().nullable(),
  /** The newest of its code that is not restored: behind a newer one nothing could be seen. */
  restorable: z.boolean(),
});
export type AccessClearing = z.infer<typeof accessClearing>;

export const recover = group('recover', {
  inquire: call({
    summary: 'Access histories that were cleared, and what became of them.',
    access: requireAny('recover'),
    input: listInput(['id', 'cleared_at', 'visits', 'restored_at'], {
      /** Found in name and file name of the code. */
      search: z.string().max(100).optional(),
      live_code_id: id.optional(),
      restored: z.boolean().optional(),
      from: day.optional(),
      to: day.optional(),
    }),
    output: pageOf(accessClearing),
  }),
  restore: call({
    summary: 'Show the visits again that were hidden. One behind a newer clearing of its code is restored together with that only.',
    access: requireAny('recover.restore'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});
