import { z } from 'zod';
import { qrKinds } from '../codes/qr-kind.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, id, ids, line, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

export const ownPicture = z.object({
  id,
  url: z.string(),
  /** At first the name of the uploaded file. */
  title: z.string(),
  content_type: z.string(),
  width: count,
  height: count,
  size: count,
  qr_kind: z.enum(qrKinds).nullable(),
  qr_text: z.string().nullable(),
  /** How many places use it. */
  used: count,
  created_at: time,
});
export type OwnPicture = z.infer<typeof ownPicture>;

/** What can use a picture: a target of a code, a picture of a carousel, a document, a block of the home page, a platform's page, a brand's logo, a setting. */
export const pictureUses = ['target', 'rotation', 'document', 'home', 'platform', 'brand', 'category', 'product', 'setting'] as const;

/** The pictures that the caller uploaded himself. */
export const imageConfigs = group('image_configs', {
  inquire: call({
    summary: 'The own uploads, and how many places use each.',
    access: requireAny('image_configs'),
    input: listInput(['id', 'title', 'size', 'created_at'], {
      /** In the title, and in what the QR code inside says. */
      search: z.string().max(100).optional(),
      used: z.boolean().optional(),
      qr_kind: z.enum(qrKinds).optional(),
    }),
    output: pageOf(ownPicture),
  }),
  uses: call({
    summary: 'Where one of the own pictures is used; 200 places at most.',
    access: requireAny('image_configs'),
    input: z.object({ id }),
    output: z.object({
      content: z.array(
        z.object({
          kind: z.enum(pictureUses),
          id: z.number(),
          name: z.string(),
          /** Of a target: its code. */
          live_code_id: id.nullable(),
          file_name: z.string().nullable(),
          removed: z.boolean(),
        }),
      ),
    }),
  }),
  update: call({
    summary: 'Give one of the own pictures another title.',
    access: requireAny('image_configs.update'),
    input: z.object({ id, title: line(100) }),
    output: done,
    writes: true,
  }),
  replace: call({
    summary: 'Put another own picture in the place of one: all targets that use it follow. Answers how many codes changed.',
    access: requireAny('image_configs.update'),
    input: z.object({ id, file_id: id }),
    output: done,
    writes: true,
  }),
  remove: call({
    summary: 'Remove own pictures that nothing uses. Refused as a whole where one of them is used.',
    access: requireAny('image_configs.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});
