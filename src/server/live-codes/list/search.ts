import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../kit/postgres/database.ts';
import { contains, isOneOf } from '../../kit/rows/list.ts';
import { live_code, live_code_key } from '../live-codes.table.ts';

/** A search that finds more codes than these is no search: the list itself comes upon them soon enough. */
const maxFound = 50_000;

/** Text whose every part stands in this share of all codes narrows nothing down either; to count them in the index would take longest of all. */
const maxShare = 0.2;

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
  if ((await shareOf(db, grams)) > maxShare) return undefined;
  const { rows } = await db.execute<{ ids: string | null }>(sql`
    SELECT CASE WHEN count(*) <= ${maxFound} THEN coalesce(array_agg(live_code_id), '{}')::text END AS ids
    FROM (SELECT live_code_id FROM live_code_search
      WHERE grams @> (SELECT ${grams}) LIMIT ${maxFound + 1}) AS found`);
  const ids = rows[0]?.ids;
  return ids ? { ids } : undefined;
}

// Names are written out: without a join the query builder leaves the table of a column away, and both tables have an `id`.
const isAliasOfCode = sql`live_code_key.live_code_id = live_code.id AND NOT live_code_key.own`;

/** Codes with the text in one of these columns of theirs, or in one of their aliases. */
export function hasText(columns: readonly AnyColumn[], text: string | undefined): SQL | undefined {
  const isInColumns = contains(columns, text);
  return (
    isInColumns &&
    sql`(${isInColumns} OR EXISTS (SELECT FROM live_code_key WHERE ${isAliasOfCode} AND ${contains(live_code_key.key, text)}))`
  );
}

/** Of these codes those that have the text in none of these columns, each with the alias in which it stands: the very text first. */
export async function foundAliases(
  db: Database,
  ids: readonly number[],
  columns: readonly AnyColumn[],
  text: string | undefined,
): Promise<Map<number, string>> {
  const isInColumns = contains(columns, text);
  if (!isInColumns || ids.length === 0) return new Map();
  const { rows } = await db.execute<{ id: number; key: string }>(sql`
    SELECT DISTINCT ON (live_code.id) live_code.id::float8 AS id, live_code_key.key FROM live_code JOIN live_code_key ON ${isAliasOfCode}
    WHERE ${isOneOf(live_code.id, ids)} AND NOT (${isInColumns}) AND ${contains(live_code_key.key, text)}
    ORDER BY live_code.id, live_code_key.key <> lower(trim(${text ?? ''})), live_code_key.id`);
  return new Map(rows.map(({ id, key }) => [id, key]));
}
