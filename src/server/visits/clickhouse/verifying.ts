import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type pg from 'pg';
import type { Clickhouse } from './server.ts';

const decompress = promisify(zstdDecompress);

/** How many rows a code has on a day (UTC), and all of their ids in one number. */
type Sum = { visits: number; ids: bigint };
/** By the id of the live code; 0 stands for none. */
type Codes = Map<string, Sum>;

const add = (codes: Codes, code: string, visits: number, ids: bigint): void => {
  const known = codes.get(code) ?? { visits: 0, ids: 0n };
  codes.set(code, { visits: known.visits + visits, ids: known.ids ^ ids });
};

const maxQuestionMilliseconds = 600_000;

/**
 * Compares the copy with the rows of PostgreSQL, a code and day after the other, while nothing is written to the copy; what waits to be sent
 * counts as sent. Answers what differs, one line each; none is right, and undefined says that removals wait, so that it has to be asked once
 * more. One day at a time is held in memory.
 */
export async function differences(client: pg.ClientBase, clickhouse: Clickhouse): Promise<string[] | undefined> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const { rows: removals } = await client.query('SELECT FROM visit_copy_entry WHERE removal IS NOT NULL LIMIT 1');
    if (removals.length > 0) return undefined;
    const waiting = await waitingRows(client);
    const found: string[] = [];
    for (const day of await daysOf(client, clickhouse, waiting)) {
      const own = await ownRows(client, day);
      const copied = await copiedRows(clickhouse, day, waiting.get(day));
      found.push(...differencesOf(day, own, copied));
    }
    return found;
  } finally {
    await client.query('COMMIT');
  }
}

/** What waits to be sent, by day. */
async function waitingRows(client: pg.ClientBase): Promise<Map<string, Codes>> {
  const waiting = new Map<string, Codes>();
  const { rows } = await client.query<{ lines: Buffer }>('SELECT lines FROM visit_copy_entry');
  for (const { lines } of rows)
    for (const line of String(await decompress(lines)).split('\n')) {
      const [id, at, code] = line.split('\t');
      if (!id || !at || !code) continue;
      const day = at.slice(0, 10);
      const codes = waiting.get(day) ?? new Map();
      waiting.set(day, codes);
      add(codes, code, 1, BigInt(id));
    }
  return waiting;
}

async function daysOf(client: pg.ClientBase, clickhouse: Clickhouse, waiting: ReadonlyMap<string, Codes>): Promise<string[]> {
  const { rows } = await client.query<{ day: string }>(`SELECT DISTINCT (at AT TIME ZONE 'UTC')::date::text AS day FROM visit`);
  const [copied = []] = await clickhouse.columns(
    `SELECT DISTINCT toString(toDate(at, 'UTC')) FROM ${clickhouse.database}.visit`,
    maxQuestionMilliseconds,
  );
  return [...new Set([...rows.map(({ day }) => day), ...copied.map(String), ...waiting.keys()])].sort();
}

async function ownRows(client: pg.ClientBase, day: string): Promise<Codes> {
  const codes: Codes = new Map();
  const { rows } = await client.query<{ code: string; visits: number; ids: string }>(
    `SELECT coalesce(live_code_id, 0)::text AS code, count(*)::float8 AS visits, bit_xor(id)::text AS ids FROM visit
     WHERE at >= $1::date::timestamp AT TIME ZONE 'UTC' AND at < ($1::date + 1)::timestamp AT TIME ZONE 'UTC' GROUP BY 1`,
    [day],
  );
  for (const { code, visits, ids } of rows) add(codes, code, visits, BigInt(ids));
  return codes;
}

async function copiedRows(clickhouse: Clickhouse, day: string, waiting: Codes | undefined): Promise<Codes> {
  const codes: Codes = new Map(waiting);
  const [ids = [], visits = [], sums = []] = await clickhouse.columns(
    `SELECT toString(live_code_id) AS code, count(), toString(groupBitXor(id)) FROM ${clickhouse.database}.visit
     WHERE at >= toDateTime64('${day} 00:00:00', 3, 'UTC') AND at < toDateTime64('${day} 00:00:00', 3, 'UTC') + INTERVAL 1 DAY GROUP BY code`,
    maxQuestionMilliseconds,
  );
  for (const [index, code] of ids.entries()) add(codes, String(code), Number(visits[index]), BigInt(String(sums[index])));
  return codes;
}

function differencesOf(day: string, own: Codes, copied: Codes): string[] {
  return [...new Set([...own.keys(), ...copied.keys()])].flatMap((code) => {
    const [one, other] = [own.get(code), copied.get(code)];
    if (one?.visits === other?.visits && one?.ids === other?.ids) return [];
    const [here, there] = [one?.visits ?? 0, other?.visits ?? 0];
    const fault = here === there ? `${here} visits in both, but not the same` : `${here} visits in PostgreSQL, ${there} in ClickHouse`;
    return [`${day}, ${code === '0' ? 'no live code' : `live code ${code}`}: ${fault}`];
  });
}
