import { z } from 'zod';
import { call, group, holders } from './kit/call.ts';
import { count, done, id, ids, line, rank, time } from './kit/fields.ts';
import { listInput, pageOf } from './kit/page.ts';
import type { NodeKey } from './permissions.ts';

const fields = { name: line(64).min(1, 'required'), sort: rank, remark: line(200) };

/** A kind of pictures or of documents; `used` counts what is filed under it. */
export const contentType = z.object({ id, ...fields, name: z.string(), sort: z.number(), used: count, created_at: time, updated_at: time });
export type ContentType = z.infer<typeof contentType>;

/**
 * The calls of a screen of types: pictures and documents are filed alike.
 * @param readers further nodes whose holders choose among the types
 */
const typeGroup = <S extends 'rotation_type' | 'document_type'>(screen: S, things: string, readers: readonly NodeKey[]) =>
  group(screen, {
    inquire: call({
      summary: `Types of ${things}.`,
      access: holders(screen),
      input: listInput(['id', 'name', 'sort', 'used', 'created_at'], { name: z.string().max(64).optional() }),
      output: pageOf(contentType),
    }),
    options: call({
      summary: `Types of ${things} to choose from, in their order.`,
      access: holders(screen, ...readers),
      input: z.object({ search: z.string().max(64).optional() }),
      output: z.object({ content: z.array(z.object({ id, name: z.string() })) }),
    }),
    add: call({
      summary: `Make a type of ${things}.`,
      access: holders(`${screen}.add`),
      input: z.object({ ...fields, sort: fields.sort.optional(), remark: fields.remark.optional() }),
      output: contentType,
      writes: true,
    }),
    update: call({
      summary: `Change a type of ${things}.`,
      access: holders(`${screen}.update`),
      input: z.object({ id, ...z.object(fields).partial().shape }),
      output: contentType,
      writes: true,
    }),
    update_sort: call({
      summary: `Rank a type of ${things}: larger comes first, null before all others.`,
      access: holders(`${screen}.update`),
      input: z.object({ id, sort: rank.nullable() }),
      output: contentType,
      writes: true,
    }),
    remove: call({
      summary: `Remove types of ${things} that nothing uses.`,
      access: holders(`${screen}.remove`),
      input: z.object({ ids }),
      output: done,
      writes: true,
    }),
  });

export const rotationType = typeGroup('rotation_type', 'pictures', ['rotation', 'home_page_config']);
export const documentType = typeGroup('document_type', 'documents', ['document_list']);
