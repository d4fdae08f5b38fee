import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type pg from 'pg';
import type { Log } from '../../kit/calls/context.ts';
import { visitColumns } from '../loader/batch.ts';
import { type Copy, endCopy, inTransaction, type Removal, readCopy, whileAlone } from './copy.ts';
import { changes, type Layout, migrateClickhouse, tableOfRows } from './schema.ts';
import { type Clickhouse, openClickhouse, quoted } from './server.ts';

export type Address = { url: string; cluster: string | undefined };

const decompress = promisify(zstdDecompress);
/** So many entries, of so many compressed bytes, are sent together. */
const maxEntries = 200;
const maxBytes = 4 * 2 ** 20;
/** Parts are written anew without what is removed. */
const removalMilliseconds = 6 * 3_600_000;

/**
 * Adds rows under a token: those that came with the same one before are not added again. All of them are one block, so that the token
 * stands for all or nothing of them, in each month and on each server.
 */
export async function insertLines(clickhouse: Clickhouse, token: string, lines: string): Promise<void> {
  await clickhouse.insert(`${clickhouse.database}.visit (${visitColumns})`, lines, {
    async_insert: 0,
    insert_deduplicate: 1,
    insert_deduplication_token: token,
    date_time_input_format: 'best_effort',
    input_format_null_as_default: 1,
    input_format_parallel_parsing: 0,
    max_insert_block_size: '10000000',
    min_insert_block_size_rows: '10000000',
    min_insert_block_size_bytes: '0',
    max_partitions_per_insert_block: '0',
    distributed_foreground_insert: 1,
  });
}

const moment = (at: string): string => `fromUnixTimestamp64Milli(${Date.parse(at)}, 'UTC')`;
const conditionOf = ({ codes, from, before }: Removal): string =>
  [
    `at < ${moment(before)}`,
    ...(from === null ? [] : [`at >= ${moment(from)}`]),
    ...(codes === null ? [] : [`live_code_id IN (${codes.map(Number).join(', ')})`]),
  ].join(' AND ');

async function remove(clickhouse: Clickhouse, layout: Layout, removals: readonly Removal[]): Promise<void> {
  const conditions = removals.map((removal) => `(${conditionOf(removal)})`).join(' OR ');
  await clickhouse.run(`ALTER TABLE ${tableOfRows(layout)} DELETE WHERE ${conditions} SETTINGS mutations_sync = 2`, removalMilliseconds);
}

/** What only ClickHouse knows of was undone here: the database was restored from a backup. Both go their own ways from there. */
export class SetBackError extends Error {
  override name = 'SetBackError';
}

async function refuseSetBack(clickhouse: Clickhouse, { tag, pieces }: Copy): Promise<void> {
  const [[known] = []] = await clickhouse.columns(`SELECT max(pieces) FROM ${clickhouse.database}.visit_piece WHERE tag = ${quoted(tag)}`);
  if (Number(known) > pieces) throw new SetBackError('the database was set back to a state before what ClickHouse has');
}

type Entry = { id: number; piece: number; lines: Buffer | null; removal: Removal | null };

/**
 * What is sent next: a piece that was settled before, or one that is settled now, of entries of one kind, the oldest first. Its commit is
 * waited for on the disk, and with it the batches that noted the entries: a crash of the server cannot undo what ClickHouse knows.
 */
async function nextPiece(client: pg.ClientBase): Promise<Entry[]> {
  const settled = `SELECT id, piece, lines, removal FROM visit_copy_entry
    WHERE piece = (SELECT min(piece) FROM visit_copy_entry WHERE piece IS NOT NULL) ORDER BY id`;
  const { rows } = await client.query<Entry>(settled);
  if (rows.length > 0) return rows;
  await inTransaction(client, async () => {
    await client.query('SET LOCAL synchronous_commit = on');
    const { rowCount } = await client.query(
      `WITH oldest AS (
          SELECT id, lines IS NULL AS removes, first_value(lines IS NULL) OVER (ORDER BY id) AS first_removes,
            sum(coalesce(length(lines), 0)) OVER (ORDER BY id) - coalesce(length(lines), 0) AS bytes_before
          FROM (SELECT * FROM visit_copy_entry ORDER BY id LIMIT $1) AS entry
        ), other AS (SELECT min(id) AS id FROM oldest WHERE removes <> first_removes)
        UPDATE visit_copy_entry SET piece = (SELECT min(id) FROM oldest)
        WHERE id IN (SELECT oldest.id FROM oldest, other WHERE bytes_before < $2 AND (other.id IS NULL OR oldest.id < other.id))`,
      [maxEntries, maxBytes],
    );
    if (rowCount) await client.query('UPDATE visit_copy SET pieces = pieces + 1');
  });
  return (await client.query<Entry>(settled)).rows;
}

/** Sends the next piece. Answers how many entries that were; killed at any point, the same ones are sent again under the same token. */
async function sendPiece(client: pg.ClientBase, clickhouse: Clickhouse, layout: Layout, { tag }: Copy): Promise<number> {
  const entries = await nextPiece(client);
  const [first] = entries;
  if (!first) return 0;
  // Known there before anything of the piece is.
  await clickhouse.run(
    `INSERT INTO ${clickhouse.database}.visit_piece SETTINGS async_insert = 0 VALUES (${quoted(tag)}, ${(await readCopy(client))?.pieces ?? 0})`,
  );
  const removals = entries.flatMap(({ removal }) => removal ?? []);
  if (removals.length > 0) await remove(clickhouse, layout, removals);
  else {
    const lines = await Promise.all(entries.map(async ({ lines }) => (lines ? String(await decompress(lines)) : '')));
    await insertLines(clickhouse, `${tag}:${first.piece}`, lines.join(''));
  }
  await client.query('DELETE FROM visit_copy_entry WHERE piece = $1', [first.piece]);
  return entries.length;
}

/** The server and the table of the copy, with its schema as this program knows it. */
export async function openCopy(client: pg.ClientBase, address: Address, copy: Copy): Promise<{ clickhouse: Clickhouse; layout: Layout }> {
  const clickhouse = openClickhouse(address.url, copy.database);
  const layout = { database: copy.database, cluster: address.cluster };
  if (copy.schema_version < changes.length) {
    const version = await migrateClickhouse(clickhouse, layout, copy.schema_version);
    await client.query('UPDATE visit_copy SET schema_version = $1 WHERE tag = $2', [version, copy.tag]);
  }
  return { clickhouse, layout };
}

/** Sends all that waits. Answers how many entries that were; 0 also where somebody else is at it. */
export async function sendEntries(client: pg.ClientBase, address: Address, isOver = () => false): Promise<number> {
  const sent = await whileAlone(client, async () => {
    const copy = await readCopy(client);
    if (!copy) return 0;
    const { clickhouse, layout } = await openCopy(client, address, copy);
    await refuseSetBack(clickhouse, copy);
    for (let total = 0; ; ) {
      const entries = isOver() ? 0 : await sendPiece(client, clickhouse, layout, copy);
      if (entries === 0) return total;
      total += entries;
    }
  });
  return sent ?? 0;
}

const pauseMilliseconds = 1_000;
const maxPauseMilliseconds = 30_000;

/** Sends what waits, from now on and until it is stopped; a server that is away is waited for. Without an address nothing is sent. */
export function startSending(pool: pg.Pool, { url, cluster }: Partial<Address>, log: Log): { stop: () => Promise<void> } {
  if (url === undefined) return warnOfCopy(pool, log);
  const address = { url, cluster };
  const stopping = new AbortController();
  let pause = pauseMilliseconds;
  async function turn(): Promise<void> {
    const client = await pool.connect();
    let failure: Error | undefined;
    try {
      await sendEntries(client, address, () => stopping.signal.aborted);
      if (pause > pauseMilliseconds) log.info({}, 'visits go to ClickHouse again');
      pause = pauseMilliseconds;
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      if (error instanceof SetBackError) return endSetBack(pool, log);
      if (pause === pauseMilliseconds)
        log.warn({ error: failure.message }, 'visits do not reach ClickHouse; they wait, and PostgreSQL answers');
      pause = Math.min(pause * 2, maxPauseMilliseconds);
    } finally {
      // The lock goes with the connection, whatever became of it.
      client.release(failure);
    }
  }
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await turn().catch((error: unknown) => log.warn({ error: String(error) }, 'the database is away; what goes to ClickHouse waits'));
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function endSetBack(pool: pg.Pool, log: Log): Promise<void> {
  const client = await pool.connect();
  await endCopy(client).finally(() => client.release());
  log.error(
    {},
    'the database was restored to a state before what ClickHouse has: the copy was ended, PostgreSQL answers; npm run visits:move -- --anew makes another',
  );
}

/** A copy that is begun gathers what is to be sent: an address that was taken away must not go unnoticed. */
function warnOfCopy(pool: pg.Pool, log: Log): { stop: () => Promise<void> } {
  const told = readCopy(pool)
    .then((copy) => {
      if (copy)
        log.warn(
          { database: copy.database },
          'visits are copied to ClickHouse, but CLICKHOUSE_URL is not set: they wait; npm run visits:move -- --end ends the copy',
        );
    })
    .catch(() => {});
  return { stop: () => told };
}
