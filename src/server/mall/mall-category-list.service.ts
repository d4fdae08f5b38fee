import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { type Category, type mallCategoryList, maxCategories, maxDepth, titleIn } from '../../contract/content/mall-category-list.ts';
import { showStatus } from '../../contract/enums.ts';
import type { Context, PublicContext, Service } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { rowsOf } from '../kit/rows/rows.ts';
import { checkPicture, pictureUrl } from '../uploads/pictures.public.ts';
import { categoryTree } from './categories.ts';
import type { MallCache } from './mall.cache.ts';
import { mall_category } from './mall-category-list.table.ts';

const rows = rowsOf(mall_category, {
  fields: getTableColumns(mall_category),
  check: ({ icon_id }, context) => checkPicture(icon_id, 'icon_id', context),
});

/** Who changes what the tree looks like waits here for all others who do; readers wait for nobody. */
const lockTree = (db: Database) => db.execute(sql`LOCK TABLE mall_category IN SHARE ROW EXCLUSIVE MODE`);

type Stored = Omit<Category, 'title' | 'icon_url'> & { icon_name: string | null };

/** The categories in the order of the tree, each before those below it. */
async function readTree({ db, language }: Pick<PublicContext, 'db' | 'language'>, where: { id?: number } = {}): Promise<Category[]> {
  const { rows: found } = await db.execute<Stored>(sql`
    ${categoryTree} SELECT category.id::float8 AS id, superior_id::float8 AS superior_id, titles, icon_id::float8 AS icon_id, sort,
      CASE WHEN show_status THEN 1 ELSE 2 END AS show_status, tree.level, file.name AS icon_name,
      to_json(category.created_at AT TIME ZONE 'UTC') #>> '{}' || 'Z' AS created_at,
      to_json(category.updated_at AT TIME ZONE 'UTC') #>> '{}' || 'Z' AS updated_at,
      coalesce(product.number, 0)::int AS products,
      (SELECT count(*) FROM mall_category AS child WHERE child.superior_id = category.id)::int AS children
    FROM tree JOIN mall_category AS category USING (id) LEFT JOIN file ON file.id = category.icon_id
      LEFT JOIN (SELECT category_id, count(*) AS number FROM mall_product GROUP BY category_id) AS product ON product.category_id = category.id
    WHERE ${where.id === undefined ? sql`true` : sql`category.id = ${where.id}`} ORDER BY tree.path`);
  return found.map(({ icon_name, ...row }) => ({
    ...row,
    title: titleIn(row.titles, language),
    icon_url: icon_name === null ? null : pictureUrl(icon_name),
  }));
}

async function read(id: number, context: Context): Promise<Category> {
  const [found] = await readTree(context, { id });
  if (!found) throw notFound();
  return found;
}

/** Refuses a superior that is not there, lies below the category itself, or would make the tree too deep. */
async function checkSuperior(db: Database, id: number | undefined, superior_id: number | null): Promise<void> {
  if (superior_id === null) return;
  const { rows: above } = await db.execute<{ id: number }>(sql`
    WITH RECURSIVE above AS (
      SELECT id, superior_id FROM mall_category WHERE id = ${superior_id}
      UNION SELECT category.id, category.superior_id FROM mall_category AS category JOIN above ON category.id = above.superior_id
    ) SELECT id::float8 AS id FROM above`);
  if (above.length === 0) throw invalidField('superior_id', 'unknown_category');
  if (above.some((category) => category.id === id)) throw invalidField('superior_id', 'category_below_itself');
  const { rows: below } = await db.execute<{ height: number }>(sql`
    WITH RECURSIVE below AS (
      SELECT ${id ?? 0}::bigint AS id, 1 AS height
      UNION ALL SELECT category.id, height + 1 FROM mall_category AS category JOIN below ON category.superior_id = below.id
    ) SELECT max(height)::int AS height FROM below`);
  if (above.length + (below[0]?.height ?? 1) > maxDepth) throw invalidField('superior_id', 'category_too_deep');
}

const isBelow = (superior_id: number | null): SQL => sql`superior_id IS NOT DISTINCT FROM ${superior_id}::bigint`;

/** Puts a category below a superior and before one of those that are there, or last, and counts their places anew. */
async function place(db: Database, id: number, { superior_id, before_id }: { superior_id: number | null; before_id: number | null }) {
  await checkSuperior(db, id, superior_id);
  const { rows: siblings } = await db.execute<{ id: number }>(sql`
    SELECT id::float8 AS id FROM mall_category WHERE ${isBelow(superior_id)} AND id <> ${id} ORDER BY sort, id`);
  const order = siblings.map((sibling) => sibling.id);
  const at = before_id === null ? order.length : order.indexOf(before_id);
  if (at < 0) throw invalidField('before_id', 'unknown_category');
  order.splice(at, 0, id);
  await db.execute(sql`
    UPDATE mall_category SET sort = given.place, superior_id = ${superior_id}::bigint, updated_at = now()
    FROM unnest(${sql.param(order)}::bigint[]) WITH ORDINALITY AS given (id, place)
    WHERE mall_category.id = given.id AND (mall_category.id = ${id} OR sort <> given.place)`);
}

async function requireEmpty(ids: readonly number[], db: Database): Promise<void> {
  const given = sql`${sql.param([...ids])}::bigint[]`;
  const { rows: found } = await db.execute<{ products: number; children: number }>(sql`
    SELECT (SELECT count(*) FROM mall_product WHERE category_id = ANY(${given}))::int AS products,
      (SELECT count(*) FROM mall_category WHERE superior_id = ANY(${given}) AND id <> ALL(${given}))::int AS children`);
  const { products = 0, children = 0 } = found[0] ?? {};
  if (products + children > 0) throw new AppError(409, 'mall_category.in_use', { params: { products, children } });
}

async function add({ superior_id = null, ...input }: Parameters<Calls['add']>[0], context: Context): Promise<Category> {
  const { db } = context;
  await lockTree(db);
  if ((await db.$count(mall_category)) >= maxCategories) throw new AppError(409, 'mall_category.too_many', { params: { maxCategories } });
  const { id } = await rows.add(input, context);
  await place(db, id, { superior_id, before_id: null });
  return read(id, context);
}

async function update({ superior_id, ...input }: Parameters<Calls['update']>[0], context: Context): Promise<Category> {
  const { db } = context;
  await lockTree(db);
  const before = await rows.read(input.id, context);
  await rows.change(input, context);
  if (superior_id !== undefined && superior_id !== before.superior_id) await place(db, input.id, { superior_id, before_id: null });
  return read(input.id, context);
}

type Calls = Service<typeof mallCategoryList>;

/** Categories belong to the site, not to a user: all that may open the screen see all of them, anybody those that are shown. */
export const mallCategoryListService = (cache: MallCache): Calls => ({
  inquire: (_input, context) =>
    cache(['categories', context.language], async () => {
      const { rows: shown } = await context.db.execute<{ id: number; products: number }>(sql`
        ${categoryTree} SELECT tree.id::float8 AS id, count(product.id)::int AS products
        FROM tree LEFT JOIN mall_product AS product ON product.category_id = tree.id AND product.enabled
        WHERE tree.is_shown GROUP BY tree.id`);
      const products = new Map(shown.map((row) => [row.id, row.products]));
      const content = (await readTree(context)).filter(({ id }) => products.has(id));
      return { content: content.map((row) => ({ ...row, products: products.get(row.id) ?? 0 })) };
    }),
  inquire_all: async (_input, context) => ({ content: await readTree(context) }),
  add,
  update,

  async move({ id, superior_id, before_id }, context) {
    const { db } = context;
    await lockTree(db);
    const before = await rows.read(id, context);
    await place(db, id, { superior_id, before_id });
    context.audit({ before: { superior_id: before.superior_id, sort: before.sort }, after: { superior_id, before_id } });
    return read(id, context);
  },

  async update_show_status({ ids, show_status }, context) {
    const found = await rows.lock(ids, context);
    const changed = found.filter((row) => row.show_status !== show_status).map((row) => row.id);
    await context.db.update(mall_category).set({ show_status, updated_at: sql`now()` }).where(isOneOf(mall_category.id, changed));
    const other = show_status === showStatus.shown ? showStatus.hidden : showStatus.shown;
    context.audit({ before: { ids: changed, show_status: other }, after: { show_status } });
    return { affected: found.length };
  },

  async remove({ ids }, context) {
    await lockTree(context.db);
    await requireEmpty(ids, context.db);
    return rows.remove({ ids }, context);
  },
});
