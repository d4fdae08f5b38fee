import { z } from 'zod';
import { call, group, holders } from '../kit/call.ts';
import { crud, updateSort } from '../kit/crud.ts';
import { count, id, line, rank, time } from '../kit/fields.ts';
import type { NodeKey } from '../permissions.ts';

const fields = { name: line(64).min(1, 'required'), sort: rank.optional(), remark: line(200).optional() };

/** A kind of pictures or of documents; `used` counts what is filed under it. */
export const contentType = z.object({
  id,
  name: z.string(),
  sort: z.number(),
  remark: z.string(),
  used: count,
  created_at: time,
  updated_at: time,
});
export type ContentType = z.infer<typeof contentType>;

/**
 * The calls of a screen of types: pictures and documents are filed alike.
 * @param readers further nodes whose holders choose among the types
 */
const typeGroup = <S extends 'rotation_type' | 'document_type'>(screen: S, things: string, readers: readonly NodeKey[]) =>
  group(screen, {
    ...crud(screen, {
      row: contentType,
      fields,
      filters: { name: z.string().max(64).optional() },
      sortable: ['id', 'name', 'sort', 'used', 'created_at'],
      nouns: [`a type of ${things}`, `types of ${things}`],
    }),
    update_sort: updateSort(screen, contentType, `a type of ${things}`),
    options: call({
      summary: `Types of ${things} to choose from, in their order.`,
      access: holders(screen, ...readers),
      input: z.object({ search: z.string().max(64).optional() }),
      output: z.object({ content: z.array(z.object({ id, name: z.string() })) }),
    }),
  });

export const rotationType = typeGroup('rotation_type', 'pictures', ['rotation', 'home_page_config']);
export const documentType = typeGroup('document_type', 'documents', ['document_list']);
