import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type pg from 'pg';
import type { Clickhouse } from './server.ts';

const decompress = promisify(zstdDecompress);

/** How many rows a day (UTC) has, and all of their ids in one number. */
type Sum = { visits: number; ids: bigint };

const add = (sums: Map<string, Sum>, day: string, visits: number, ids: bigint): void => {
  const known = sums.get(day) ?? { visits: 0, ids: 0n };
  sums.set(day, { visits: known.visits + visits, ids: known.ids ^ ids });
};

/**
 * Compares the copy with the rows of PostgreSQL, day by day, while nothing is written to the copy; what waits to be sent counts as sent.
 * Answers what differs, one line each; none is right, and undefined says that removals wait, so that it has to be asked once more.
 */
export async function differences(client: pg.ClientBase, clickhouse: Clickhouse): Promise<string[] | undefined> {
  const [own, copied] = [new Map<string, Sum>(), new Map<string, Sum>()];
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const { rows: removals } = await client.query('SELECT FROM visit_copy_entry WHERE removal IS NOT NULL LIMIT 1');
    if (removals.length > 0) return undefined;
    const { rows } = await client.query<{ day: string; visits: number; ids: string }>(
      `SELECT (at AT TIME ZONE 'UTC')::date::text AS day, count(*)::float8 AS visits, bit_xor(id)::text AS ids FROM visit GROUP BY 1`,
    );
    for (const { day, visits, ids } of rows) add(own, day, visits, BigInt(ids));
    const { rows: waiting } = await client.query<{ lines: Buffer }>('SELECT lines FROM visit_copy_entry');
    for (const { lines } of waiting)
      for (const line of String(await decompress(lines)).split('\n')) {
        const [id, at] = line.split('\t');
        if (id && at) add(copied, at.slice(0, 10), 1, BigInt(id));
      }
  } finally {
    await client.query('COMMIT');
  }
  const [days = [], visits = [], ids = []] = await clickhouse.columns(
    `SELECT toString(toDate(at, 'UTC')) AS day, count(), toString(groupBitXor(id)) FROM ${clickhouse.database}.visit GROUP BY day`,
    600_000,
  );
  for (const [index, day] of days.entries()) add(copied, String(day), Number(visits[index]), BigInt(String(ids[index])));
  return [...new Set([...own.keys(), ...copied.keys()])].sort().flatMap((day) => {
    const [one, other] = [own.get(day), copied.get(day)];
    if (one?.visits === other?.visits && one?.ids === other?.ids) return [];
    return [`${day}: ${one?.visits ?? 0} visits in PostgreSQL, ${other?.visits ?? 0} in ClickHouse`];
  });
}
