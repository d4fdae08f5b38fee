import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { type DocumentDetails, type DocumentRow, type documentList, maximumBody } from '../../contract/document.ts';
import { changesBetween } from '../kit/changes.ts';
import type { Context, Service } from '../kit/context.ts';
import type { Database } from '../kit/database.ts';
import { notFound } from '../kit/errors.ts';
import { contains, equals, isOneOf, list } from '../kit/list.ts';
import { file } from '../uploads/uploads.table.ts';
import { document, document_type } from './content.table.ts';
import { rankFor } from './ranks.ts';
import { cleanRichText, plainText } from './rich-text.ts';
import { checkFile, checkType, pictureUrl } from './rules.ts';

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

async function details(db: Database, id: number): Promise<DocumentDetails> {
  const query = db
    .select({ ...fields, body: document.body })
    .from(document)
    .$dynamic();
  for (const [table, on] of joins) query.leftJoin(table, on);
  const [found] = await query.where(eq(document.id, id));
  if (!found) throw notFound();
  return found;
}

type Fields = Partial<Pick<DocumentDetails, 'type_id' | 'title' | 'cover_id' | 'body' | 'sort' | 'enabled'>>;

async function checked(input: Fields, context: Context): Promise<Fields & { plain?: string }> {
  await checkType(document_type, input.type_id, context);
  await checkFile(input.cover_id, 'cover_id', context);
  if (input.body === undefined) return input;
  const body = cleanRichText(input.body, maximumBody, 'body');
  return { ...input, body, plain: plainText(body) };
}

async function change(id: number, input: Fields, context: Context): Promise<DocumentDetails> {
  const { db, audit } = context;
  const [row] = await db.select().from(document).where(eq(document.id, id)).for('update');
  if (!row) throw notFound();
  const { plain: _plain, ...before } = row;
  const { plain, ...written } = await checked(input, context);
  await db
    .update(document)
    .set({ ...written, ...(plain === undefined ? {} : { plain }), updated_at: sql`now()` })
    .where(eq(document.id, id));
  audit(changesBetween(before, { ...before, ...written }));
  return details(db, id);
}

const lock = ({ db }: Context, ids: readonly number[]) =>
  db
    .select({ id: document.id, title: document.title, enabled: document.enabled, body: document.body })
    .from(document)
    .where(isOneOf(document.id, ids))
    .orderBy(asc(document.id))
    .for('update');

/** Documents belong to the site, not to a user: whoever may open the screen sees all of them, anybody those that are published. */
export const documentListService: Service<typeof documentList> = {
  inquire: ({ search, type_id, enabled, ...input }, { db }) =>
    list(db, input, {
      fields,
      from: document,
      joins,
      where: and(contains([document.title, document.plain], search), equals(document.type_id, type_id), equals(document.enabled, enabled)),
      sorts: document,
      key: document.id,
    }),

  details: ({ id }, { db }) => details(db, id),

  async add({ type_id, title, ...input }, context) {
    const values = { ...(await checked({ type_id, ...input }, context)), type_id, title };
    const [added] = await context.db.insert(document).values(values).returning({ id: document.id });
    if (!added) throw new Error('the document was not returned');
    return details(context.db, added.id);
  },

  update: ({ id, ...input }, context) => change(id, input, context),

  async update_sort({ id, sort }, context): Promise<DocumentRow> {
    const { type_id } = await details(context.db, id);
    return change(id, { sort: await rankFor(context.db, document, sort, eq(document.type_id, type_id)) }, context);
  },

  async update_enabled({ ids, enabled }, context) {
    const rows = await lock(context, ids);
    const changed = rows.filter((row) => row.enabled !== enabled).map(({ id, title }) => ({ id, title }));
    const which: SQL = isOneOf(
      document.id,
      changed.map(({ id }) => id),
    );
    await context.db.update(document).set({ enabled, updated_at: sql`now()` }).where(which);
    context.audit({ before: changed.map((row) => ({ ...row, enabled: !enabled })), after: { enabled } });
    return { affected: rows.length };
  },

  async remove({ ids }, context) {
    const rows = await lock(context, ids);
    const own = rows.map((row) => row.id);
    await context.db.delete(document).where(isOneOf(document.id, own));
    context.audit({ before: rows });
    return { affected: own.length };
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
