import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../kit/database.ts';

/** A search that finds more codes than these is no search: the list itself comes upon them soon enough. */
const mostFound = 50_000;

/** How the table of search words names an owner. */
const ownerGram = (owner_id: number): SQL => sql`(-(${owner_id}::bigint % 2147483647))::integer`;

/**
 * Ids of the codes in whose words the characters of the text stand together somewhere, the owner's only where one is given; the caller
 * still compares the text itself. Undefined where that narrows nothing down: no text, or one that stands in very many codes.
 */
export async function findByWords(db: Database, text: string | undefined, owner_id: number | undefined): Promise<number[] | undefined> {
  const wanted = text?.trim();
  if (!wanted) return undefined;
  const owner = owner_id === undefined ? sql`'{}'::integer[]` : sql`ARRAY[${ownerGram(owner_id)}]`;
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT live_code_id AS id FROM live_code_search
    WHERE grams @> (SELECT search_grams(${wanted}) || ${owner}) LIMIT ${mostFound + 1}`);
  return rows.length > mostFound ? undefined : rows.map(({ id }) => id);
}
