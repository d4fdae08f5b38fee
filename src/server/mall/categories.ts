import { type SQL, sql } from 'drizzle-orm';
import { type CategoryTitle, titleIn } from '../../contract/content/mall-category-list.ts';
import type { Database } from '../kit/postgres/database.ts';

/** `WITH … tree (id, level, path, is_shown)`: every category; in the order of `path` each stands before those below it. */
export const categoryTree: SQL = sql`
  WITH RECURSIVE tree AS (
    SELECT id, 1 AS level, ARRAY[sort::bigint, id] AS path, show_status AS is_shown FROM mall_category WHERE superior_id IS NULL
    UNION ALL SELECT category.id, tree.level + 1, tree.path || ARRAY[category.sort::bigint, category.id], tree.is_shown AND category.show_status
    FROM mall_category AS category JOIN tree ON category.superior_id = tree.id
  )`;

/** The category and all below it, as a subquery of ids. */
export const categoryWithBelow = (id: number): SQL => sql`(
  WITH RECURSIVE below AS (
    SELECT ${id}::bigint AS id
    UNION SELECT category.id FROM mall_category AS category JOIN below ON category.superior_id = below.id
  ) SELECT id FROM below)`;

/** Every category by its whole path, `Home / Kitchen`, in a language. */
export async function categoryPaths(db: Database, language: string): Promise<Map<number, string>> {
  const { rows } = await db.execute<{ id: number; superior_id: number | null; titles: CategoryTitle[] }>(sql`
    ${categoryTree} SELECT category.id::float8 AS id, category.superior_id::float8 AS superior_id, titles
    FROM tree JOIN mall_category AS category USING (id) ORDER BY tree.path`);
  const paths = new Map<number, string>();
  for (const { id, superior_id, titles } of rows) {
    const above = superior_id === null ? undefined : paths.get(superior_id);
    const title = titleIn(titles, language);
    paths.set(id, above === undefined ? title : `${above} / ${title}`);
  }
  return paths;
}
