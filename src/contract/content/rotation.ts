import { z } from 'zod';
import { call, group, loggedIn } from '../kit/call.ts';
import { crud, updateEnabled, updateSort } from '../kit/crud.ts';
import { count, done, id, line, rank, text, time } from '../kit/fields.ts';
import { checkJump, jumpFields } from '../links/jump.ts';

const fields = {
  type_id: id,
  /** An uploaded picture. */
  file_id: id,
  title: line(100).min(1, 'required'),
  description: text(500).optional(),
  jump_type: jumpFields.jump_type.optional(),
  jump_address: jumpFields.jump_address.optional(),
  sort: rank.optional(),
  remark: line(200).optional(),
  enabled: z.boolean().optional(),
};

const shown = { picture_url: z.string(), width: count, height: count };

/** A picture that screens show in turn with the others of its type. */
export const picture = z.object({
  id,
  ...z.object(fields).required().shape,
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

const rows = crud('rotation', {
  row: picture,
  fields,
  filters: {
    /** Found in title, description and remark. */
    search: z.string().max(100).optional(),
    type_id: id.optional(),
    enabled: z.boolean().optional(),
  },
  sortable: ['id', 'title', 'sort', 'click_count', 'created_at', 'updated_at'],
  nouns: ['a picture shown in turn', 'pictures shown in turn'],
});

export const rotation = group('rotation', {
  ...rows,
  add: { ...rows.add, input: rows.add.input.superRefine(checkJump) },
  update: { ...rows.update, input: rows.update.input.superRefine(checkJump) },
  update_sort: updateSort('rotation', picture, 'a picture among those of its type'),
  update_enabled: updateEnabled('rotation', 'pictures'),
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
