import type { Query } from '../rotation/leases.queries.ts';
import type { LoadingCache } from './loading-cache.ts';
import { shortKey } from './shorts.ts';

/** So many are read at once that visits wait some milliseconds for it, and no more. */
const keysAtOnce = 200;

/** Reads rows that are not held. It stops where the database does not answer in time: visits may wait for it. */
export async function readAhead<T>(cache: LoadingCache<T>, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += keysAtOnce) {
    const lacking = keys.slice(from, from + keysAtOnce).filter((key) => cache.find(key) === undefined);
    const areLoaded = await Promise.all(lacking.map((key) => new Promise<boolean>((resolve) => cache.load(key, resolve))));
    if (areLoaded.includes(false)) return;
  }
}

/**
 * Keys of live codes, those of aliases with them: the most visited first, then the newest. Each is read by an index, so that a million codes
 * take no longer than a statement may.
 */
export async function codeKeys(query: Query, limit: number): Promise<string[]> {
  const rows = await query<{ key: string }>({
    name: 'code_keys',
    text: `WITH chosen AS (
        (SELECT live_code_id AS id, 0 AS turn, visits FROM live_code_total ORDER BY visits DESC, live_code_id DESC LIMIT $1)
        UNION ALL (SELECT id, 1, 0 FROM live_code ORDER BY id DESC LIMIT $1))
      SELECT asked.key FROM chosen JOIN live_code AS code ON code.id = chosen.id JOIN live_code_key AS asked ON asked.live_code_id = code.id
      WHERE NOT code.removed GROUP BY asked.key ORDER BY min(chosen.turn), max(chosen.visits) DESC LIMIT $1`,
    values: [limit],
  });
  return rows.map(({ key }) => key);
}

/** Keys of short codes on our own domains: the most visited first. */
export async function shortKeys(query: Query, limit: number): Promise<string[]> {
  const rows = await query<{ domain_id: number; short: string }>({
    name: 'short_keys',
    text: `SELECT short_code.domain_id, short_code.short FROM short_code
      LEFT JOIN short_code_total AS total ON total.short_code_id = short_code.id
      WHERE short_code.short IS NOT NULL AND short_code.domain_id IS NOT NULL
      ORDER BY total.visits DESC NULLS LAST, short_code.id DESC LIMIT $1`,
    values: [limit],
  });
  return rows.map(({ domain_id, short }) => shortKey(domain_id, short));
}
