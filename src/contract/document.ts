import { z } from 'zod';
import { anybody, call, group, holders } from './kit/call.ts';
import { count, done, id, ids, line, rank, time } from './kit/fields.ts';
import { listInput, pageOf } from './kit/page.ts';
import { richText } from './kit/rich-text.ts';

export const maximumBody = 200_000;

const fields = {
  type_id: id,
  title: line(200).min(1, 'required'),
  /** An uploaded picture above the text; null for none. */
  cover_id: id.nullable(),
  body: richText(maximumBody),
  sort: rank,
  enabled: z.boolean(),
};

/** A document as lists show it, without its text. */
export const documentRow = z.object({
  id,
  type_id: id,
  type_name: z.string(),
  title: z.string(),
  cover_id: id.nullable(),
  cover_url: z.string().nullable(),
  sort: z.number(),
  enabled: z.boolean(),
  /** The beginning of the text, without its form. */
  summary: z.string(),
  created_at: time,
  updated_at: time,
});
export type DocumentRow = z.infer<typeof documentRow>;
export const documentDetails = documentRow.extend({ body: z.string() });
export type DocumentDetails = z.infer<typeof documentDetails>;

/** What anybody may read of an enabled document. */
export const publicDocument = z.object({
  id,
  title: z.string(),
  type_name: z.string(),
  cover: z.object({ url: z.string(), width: count, height: count }).nullable(),
  body: z.string(),
  updated_at: time,
});
export type PublicDocument = z.infer<typeof publicDocument>;

const { type_id, title, ...optional } = fields;

export const documentList = group('document_list', {
  inquire: call({
    summary: 'Documents, without their texts.',
    access: holders('document_list'),
    input: listInput(['id', 'title', 'sort', 'created_at', 'updated_at'], {
      /** Found in title and text. */
      search: z.string().max(100).optional(),
      type_id: id.optional(),
      enabled: z.boolean().optional(),
    }),
    output: pageOf(documentRow),
  }),
  details: call({
    summary: 'A document with its text, for editing.',
    access: holders('document_list'),
    input: z.object({ id }),
    output: documentDetails,
  }),
  add: call({
    summary: 'Write a document. Of its text what is not rich text is left out.',
    access: holders('document_list.add'),
    input: z.object({ type_id, title, ...z.object(optional).partial().shape }),
    output: documentDetails,
    writes: true,
  }),
  update: call({
    summary: 'Change a document.',
    access: holders('document_list.update'),
    input: z.object({ id, ...z.object(fields).partial().shape }),
    output: documentDetails,
    writes: true,
  }),
  update_sort: call({
    summary: 'Rank a document: larger comes first, null before all others.',
    access: holders('document_list.update'),
    input: z.object({ id, sort: rank.nullable() }),
    output: documentRow,
    writes: true,
  }),
  update_enabled: call({
    summary: 'Publish documents or take them back.',
    access: holders('document_list.update'),
    input: z.object({ ids, enabled: z.boolean() }),
    output: done,
    writes: true,
  }),
  remove: call({
    summary: 'Remove documents.',
    access: holders('document_list.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  show: call({
    summary: 'A published document, for anybody who has its address.',
    access: anybody,
    input: z.object({ id }),
    output: publicDocument,
    limit: { max: 240, seconds: 60 },
  }),
});
