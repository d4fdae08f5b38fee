import { and, eq, sql } from 'drizzle-orm';
import { type DocumentDetails, type documentList, maxBody } from '../../contract/content/document-list.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { notFound } from '../kit/calls/errors.ts';
import { contains, equals } from '../kit/rows/list.ts';
import { rowsOf } from '../kit/rows/rows.ts';
import { checkPicture, pictureUrl } from '../uploads/pictures.public.ts';
import { file } from '../uploads/uploads.table.ts';
import { document, document_type } from './content.table.ts';
import { cleanRichText, plainText } from './rich-text.public.ts';
import { checkType } from './rules.ts';

const summaryLength = 120;

const coverUrl = sql<string | null>`${file.name}`.mapWith((name: string | null) => (name === null ? null : pictureUrl(name)));
const fields = {
  id: document.id,
  type_id: document.type_id,
  type_name: sql<string>`${document_type.name}`,
  title: document.title,
  cover_id: document.cover_id,
  cover_url: coverUrl,
  sort: document.sort,
  enabled: document.enabled,
  summary: sql<string>`left(${document.plain}, ${summaryLength})`,
  created_at: document.created_at,
  updated_at: document.updated_at,
};
const joins = [
  [document_type, eq(document_type.id, document.type_id)],
  [file, eq(file.id, document.cover_id)],
] as const;

const rows = rowsOf(document, {
  fields,
  joins,
  async check(input, context) {
    await checkType(document_type, input.type_id, context);
    await checkPicture(input.cover_id, 'cover_id', context);
    if (input.body === undefined) return undefined;
    const body = cleanRichText(input.body, maxBody, 'body');
    return { body, plain: plainText(body) };
  },
});

async function details({ id }: { id: number }, context: Context): Promise<DocumentDetails> {
  const row = await rows.read(id, context);
  const [text] = await context.db.select({ body: document.body }).from(document).where(eq(document.id, id));
  return { ...row, body: text?.body ?? '' };
}

/** Documents belong to the site, not to a user: all that may open the screen see all of them, anybody those that are published. */
export const documentListService: Service<typeof documentList> = {
  inquire: ({ search, type_id, enabled, ...input }, context) => {
    const searched = contains([document.title, document.plain], search);
    return rows.page(input, context, and(searched, equals(document.type_id, type_id), equals(document.enabled, enabled)));
  },
  details,
  add: async (input, context) => details(await rows.add(input, context), context),
  update: async (input, context) => details(await rows.change(input, context), context),
  update_enabled: rows.setEnabled,
  remove: rows.remove,

  async update_sort(input, context) {
    const { type_id } = await rows.read(input.id, context);
    return rows.setSort(input, context, eq(document.type_id, type_id));
  },

  async show({ id }, { db }) {
    const [found] = await db
      .select({
        id: document.id,
        title: document.title,
        type_name: document_type.name,
        cover_name: file.name,
        width: file.width,
        height: file.height,
        body: document.body,
        updated_at: document.updated_at,
      })
      .from(document)
      .innerJoin(document_type, eq(document_type.id, document.type_id))
      .leftJoin(file, eq(file.id, document.cover_id))
      .where(and(eq(document.id, id), eq(document.enabled, true)));
    if (!found) throw notFound();
    const { cover_name, width, height, ...rest } = found;
    return { ...rest, cover: cover_name === null ? null : { url: pictureUrl(cover_name), width: width ?? 0, height: height ?? 0 } };
  },
};
