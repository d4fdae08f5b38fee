import { z } from 'zod';
import { call, requireAny } from '../kit/call.ts';
import { count, day, id, line, time } from '../kit/fields.ts';
import { liveCodeFields } from './live-code-fields.ts';

/** So many further keys a code may have. */
export const maxAliases = 20;

export const alias = z.object({
  id,
  key: z.string(),
  /** The poster or place that it is for. */
  remark: z.string(),
  /** What its QR image holds, and where that is drawn; null as those of the code are. */
  url: z.string().nullable(),
  qr_image_url: z.string().nullable(),
  /** The path of the forward on the code's entry domain that answers in its place; null: none does. */
  forward_path: z.string().nullable(),
  /** Visits that came by it since the code's history begins; they are among the code's own. Null while those are locked. */
  visits: count.nullable(),
  created_at: time,
});
export type Alias = z.infer<typeof alias>;

/** Visits of a code by the key that they came by. */
export const visitsByKey = z.object({
  own: count,
  aliases: z.array(alias.pick({ id: true, key: true, remark: true }).extend({ visits: count })),
  /** By keys that were taken off since. */
  removed: count,
});
export type VisitsByKey = z.infer<typeof visitsByKey>;

const access = requireAny('qr_code_list.update', 'set_qr_code.save', 'qr_code_list_admin.update');
const remark = line(64);
const aliases = z.object({ aliases: z.array(alias) });

/** Further keys under which a code answers as under its own, each with its visits. */
export const aliasCalls = {
  add_alias: call({
    summary: `Give a live code a further key, under which it answers as under its own; one is made where none is given. ${maxAliases} at most.`,
    access,
    input: z.object({ id, key: liveCodeFields.file_name.optional(), remark: remark.optional() }),
    output: aliases,
    writes: true,
  }),
  update_alias: call({
    summary: 'Change what a further key of a live code is for; the key itself is printed, and stays.',
    access,
    input: z.object({ id, alias_id: id, remark }),
    output: aliases,
    writes: true,
  }),
  remove_alias: call({
    summary: 'Take a further key off a live code: it stops answering, and anybody may take it.',
    access,
    input: z.object({ id, alias_id: id }),
    output: aliases,
    writes: true,
  }),
  visits_by_key: call({
    summary: "A live code's visits of a range of days by the key that they came by: its own, its further ones, and those that are gone.",
    access: requireAny('qr_code_list.statistics', 'qr_code_list_admin'),
    input: z.object({ id, from: day, to: day }),
    output: visitsByKey,
  }),
};
