import { z } from 'zod';
import { call, longBody, requireAny } from '../kit/call.ts';
import { count, done, id, ids, line } from '../kit/fields.ts';
import { targetInput } from './live-code.ts';

/** Targets that one replacement may change; of more it has to be narrowed down. */
export const maxReplaced = 5000;
export const shownReplacements = 50;

const changed = done.extend({ change_id: z.uuid().nullable() });
const found = {
  /** Without ids all codes that the caller may change, but those in the recycle bin. */
  ids: ids.optional(),
  find: line(2000).min(1, 'required'),
  replace: line(2000),
};

const replacement = z.object({
  live_code_id: id,
  name: z.string(),
  target_id: id,
  before: z.string(),
  after: z.string(),
  /** Why it would stay as it is; its words stand under `errors.field.{code}`. */
  fault: z.string().nullable(),
});
export type TargetReplacement = z.infer<typeof replacement>;

/** What is done to the targets of many codes at once. */
export const targetBatches = {
  find_targets: call({
    summary: 'What replacing a text in the addresses of targets would change: how many codes and targets, and the first 50.',
    access: requireAny('qr_code_list.batch', 'qr_code_list_admin.batch'),
    input: z.object(found),
    output: done.extend({ targets: count, refused: count, content: z.array(replacement) }),
  }),
  replace_targets: call({
    summary: 'Replace a text in the addresses of targets; addresses that would not be valid stay as they are.',
    access: requireAny('qr_code_list.batch', 'qr_code_list_admin.batch'),
    input: z.object(found),
    output: changed.extend({ targets: count, refused: count }),
    writes: true,
  }),
  add_target: call({
    summary: 'Add the same target to each of these codes, as its last one; codes that have as many as they may stay as they are.',
    access: requireAny('qr_code_list.batch', 'qr_code_list_admin.batch'),
    bodyLimit: longBody,
    input: z.object({ ids, target: targetInput.omit({ id: true }) }),
    output: changed.extend({ full: count }),
    writes: true,
  }),
};
