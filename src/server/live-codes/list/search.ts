import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../kit/postgres/database.ts';

/** A search that finds more codes than these is no search: the list itself comes upon them soon enough. */
const mostFound = 50_000;

/** Text whose every part stands in this share of all codes narrows nothing down either; to count them in the index would take longest of all. */
const mostShare = 0.2;

/** How the table of search words names an owner. */
const ownerGram = (owner_id: number): SQL => sql`(-(${owner_id}::bigint % 2147483647))::integer`;

/** Codes that a search found: their ids as PostgreSQL writes an array, so that thousands are not read and written again for each question. */
export type Found = { ids: string };
export const isFound = (column: AnyColumn | SQL, { ids }: Found): SQL => sql`${column} = ANY(${ids}::bigint[])`;

/** The share of all codes, 0–1, that hold the rarest of these grams, as the server's statistics know it: 0 where they know none of it. */
async function shareOf(db: Database, grams: SQL): Promise<number> {
  const { rows } = await db.execute<{ share: number }>(sql`
    SELECT min(coalesce(known.share, 0))::float8 AS share FROM unnest(${grams}) AS gram LEFT JOIN (
      SELECT listed.gram, listed.share
      FROM pg_stats, unnest(most_common_elems::text::integer[], most_common_elem_freqs) AS listed (gram, share)
      WHERE schemaname = current_schema() AND tablename = 'live_code_search' AND attname = 'grams'
    ) AS known USING (gram)`);
  return rows[0]?.share ?? 0;
}

/**
 * The codes in whose words the characters of the text stand together somewhere, the owner's only where one is given; the caller
 * still compares the text itself. Undefined where that narrows nothing down: no text, or one that stands in very many codes.
 */
export async function findByWords(db: Database, text: string | undefined, owner_id: number | undefined): Promise<Found | undefined> {
  const wanted = text?.trim();
  if (!wanted) return undefined;
  const owner = owner_id === undefined ? sql`'{}'::integer[]` : sql`ARRAY[${ownerGram(owner_id)}]`;
  const grams = sql`(search_grams(${wanted}) || ${owner})`;
  if ((await shareOf(db, grams)) > mostShare) return undefined;
  const { rows } = await db.execute<{ ids: string | null }>(sql`
    SELECT CASE WHEN count(*) <= ${mostFound} THEN coalesce(array_agg(live_code_id), '{}')::text END AS ids
    FROM (SELECT live_code_id FROM live_code_search
      WHERE grams @> (SELECT ${grams}) LIMIT ${mostFound + 1}) AS found`);
  const ids = rows[0]?.ids;
  return ids ? { ids } : undefined;
}
