import { z } from 'zod';
import { checkJump, jumpFields } from './jump.ts';
import { call, group, holders, loggedIn } from './kit/call.ts';
import { count, done, id, ids, line, rank, text, time } from './kit/fields.ts';
import { listInput, pageOf } from './kit/page.ts';

const fields = {
  type_id: id,
  /** An uploaded picture. */
  file_id: id,
  title: line(100).min(1, 'required'),
  description: text(500),
  ...jumpFields,
  sort: rank,
  remark: line(200),
  enabled: z.boolean(),
};

const shown = { picture_url: z.string(), width: count, height: count };

/** A picture that screens show in turn with the others of its type. */
export const picture = z.object({
  id,
  ...fields,
  title: z.string(),
  sort: z.number(),
  type_name: z.string(),
  ...shown,
  click_count: count,
  created_at: time,
  updated_at: time,
});
export type Picture = z.infer<typeof picture>;

/** What is shown of a picture to the users it is meant for. */
export const banner = picture.pick({ id: true, title: true, description: true, jump_type: true, jump_address: true }).extend(shown);
export type Banner = z.infer<typeof banner>;

const { type_id, file_id, title, ...optional } = fields;

export const rotation = group('rotation', {
  inquire: call({
    summary: 'Pictures shown in turn.',
    access: holders('rotation'),
    input: listInput(['id', 'title', 'sort', 'click_count', 'created_at', 'updated_at'], {
      /** Found in title, description and remark. */
      search: z.string().max(100).optional(),
      type_id: id.optional(),
      enabled: z.boolean().optional(),
    }),
    output: pageOf(picture),
  }),
  add: call({
    summary: 'Add a picture.',
    access: holders('rotation.add'),
    input: z.object({ type_id, file_id, title, ...z.object(optional).partial().shape }).superRefine(checkJump),
    output: picture,
    writes: true,
  }),
  update: call({
    summary: 'Change a picture.',
    access: holders('rotation.update'),
    input: z.object({ id, ...z.object(fields).partial().shape }).superRefine(checkJump),
    output: picture,
    writes: true,
  }),
  update_sort: call({
    summary: 'Rank a picture: larger comes first, null before all others of its type.',
    access: holders('rotation.update'),
    input: z.object({ id, sort: rank.nullable() }),
    output: picture,
    writes: true,
  }),
  update_enabled: call({
    summary: 'Show or hide pictures.',
    access: holders('rotation.update'),
    input: z.object({ ids, enabled: z.boolean() }),
    output: done,
    writes: true,
  }),
  remove: call({
    summary: 'Remove pictures.',
    access: holders('rotation.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  banners: call({
    summary: 'The enabled pictures of a type, in their order.',
    access: loggedIn,
    input: z.object({ type_id: id }),
    output: z.object({ content: z.array(banner) }),
  }),
  click: call({
    summary: "Count the caller's click on a picture. Repetitions within ten seconds are one click.",
    access: loggedIn,
    input: z.object({ id }),
    output: done,
    limit: { max: 120, seconds: 60 },
  }),
});
