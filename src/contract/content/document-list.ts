import { z } from 'zod';
import { anybody, call, group, holders } from '../kit/call.ts';
import { crud, updateEnabled, updateSort } from '../kit/crud.ts';
import { count, id, line, rank, time } from '../kit/fields.ts';
import { richText } from '../kit/rich-text.ts';

export const maximumBody = 200_000;

const fields = {
  type_id: id,
  title: line(200).min(1, 'required'),
  /** An uploaded picture above the text; null for none. */
  cover_id: id.nullable().optional(),
  body: richText(maximumBody).optional(),
  sort: rank.optional(),
  enabled: z.boolean().optional(),
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

const rows = crud('document_list', {
  row: documentRow,
  fields,
  filters: {
    /** Found in title and text. */
    search: z.string().max(100).optional(),
    type_id: id.optional(),
    enabled: z.boolean().optional(),
  },
  sortable: ['id', 'title', 'sort', 'created_at', 'updated_at'],
  nouns: ['a document, of whose text only rich text is kept', 'documents, without their texts'],
});

export const documentList = group('document_list', {
  ...rows,
  add: { ...rows.add, output: documentDetails },
  update: { ...rows.update, output: documentDetails },
  update_sort: updateSort('document_list', documentRow, 'a document among those of its type'),
  update_enabled: updateEnabled('document_list', 'documents for the public'),
  details: call({
    summary: 'A document with its text, for editing.',
    access: holders('document_list'),
    input: z.object({ id }),
    output: documentDetails,
  }),
  show: call({
    summary: 'A published document, for anybody who has its address.',
    access: anybody,
    input: z.object({ id }),
    output: publicDocument,
    limit: { max: 240, seconds: 60 },
  }),
});
