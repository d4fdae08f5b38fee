import type pg from 'pg';
import { maxSegmentLength } from '../../kit/visits/journal/segment.ts';
import { inTransaction, whileAlone } from './copy.ts';
import { insertLines } from './sending.ts';
import type { Clickhouse } from './server.ts';

/** So many rows are sent at once. */
const maxRows = 100_000;

type Moving = { client: pg.ClientBase; clickhouse: Clickhouse; tag: string; log: (line: string) => void; isOver: () => boolean };
type Day = { day: string; moved_to: number; moving_to: number | null };

/** The row as a line of COPY. */
const line = `concat_ws(E'\\t', visit.id, to_char(date_trunc('milliseconds', at AT TIME ZONE 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  coalesce(live_code_id, 0), coalesce(short_code_id, 0), coalesce(target_id, 0), coalesce(forward_id, 0), host(ip), host_id, path_id,
  coalesce(referer_id, 0), coalesce(language_id, 0), agent_id, place_id, outcome, unique_ip, first_visit)`;

/** The rows of a day that were there before the copy: of records before the place that their segment was loaded to then. */
const rowsOfDay = `FROM visit LEFT JOIN journal_segment ON journal_segment.id = visit.id / ${maxSegmentLength}
  WHERE at >= $1::date::timestamp AT TIME ZONE 'UTC' AND at < ($1::date + 1)::timestamp AT TIME ZONE 'UTC' AND visit.id > $2
    AND (copied_from IS NULL OR visit.id % ${maxSegmentLength} < copied_from)`;

/** Notes the days that there are rows of; those that are noted go on where they were. */
async function noteDays(client: pg.ClientBase): Promise<void> {
  await client.query(`INSERT INTO visit_copy_day (day)
    SELECT to_date(right(relname::text, 8), 'YYYYMMDD') FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'visit'::regclass ON CONFLICT DO NOTHING`);
}

async function daysLeft(client: pg.ClientBase): Promise<Day[]> {
  const { rows } = await client.query<Day>(
    'SELECT day::text, moved_to::float8, moving_to::float8 FROM visit_copy_day WHERE NOT done ORDER BY day DESC',
  );
  return rows;
}

/** A range is noted on the disk before it is sent, so that its token always means the same rows, less those that were removed since. */
async function moveRange({ client, clickhouse, tag }: Moving, day: string, to: number, lines: readonly string[]): Promise<void> {
  await client.query('UPDATE visit_copy_day SET moving_to = $2 WHERE day = $1', [day, to]);
  if (lines.length > 0) await insertLines(clickhouse, `${tag}:${day}:${to}`, `${lines.join('\n')}\n`);
  await client.query('UPDATE visit_copy_day SET moved_to = $2, moving_to = NULL, rows = rows + $3 WHERE day = $1', [day, to, lines.length]);
}

/**
 * One day, while nothing else is written to the copy: what is removed from PostgreSQL after its rows were read is removed from the copy
 * after they came there. The rows are read as they were at one moment, over a connection of its own that keeps them in order.
 */
async function moveDay(moving: Moving, reader: pg.ClientBase, { day, moved_to, moving_to }: Day): Promise<void> {
  let from = moved_to;
  if (moving_to !== null) {
    const { rows } = await reader.query<{ line: string }>(`SELECT ${line} AS line ${rowsOfDay} AND visit.id <= $3 ORDER BY visit.id`, [
      day,
      from,
      moving_to,
    ]);
    await moveRange(
      moving,
      day,
      moving_to,
      rows.map((row) => row.line),
    );
    from = moving_to;
  }
  await inTransaction(reader, async () => {
    await reader.query(`DECLARE moved CURSOR FOR SELECT visit.id::float8 AS id, ${line} AS line ${rowsOfDay} ORDER BY visit.id`, [
      day,
      from,
    ]);
    while (!moving.isOver()) {
      const { rows } = await reader.query<{ id: number; line: string }>(`FETCH ${maxRows} FROM moved`);
      const last = rows.at(-1);
      if (!last) {
        await moving.client.query('UPDATE visit_copy_day SET done = true WHERE day = $1', [day]);
        return;
      }
      await moveRange(
        moving,
        day,
        last.id,
        rows.map((row) => row.line),
      );
    }
  });
}

/**
 * Moves what was there before the copy, the newest days first, and lets `between` send what waits. Killed at any point, it goes on where it
 * was. Answers whether all is moved.
 */
export async function moveDays(moving: Moving, reader: pg.ClientBase, between: () => Promise<unknown>): Promise<boolean> {
  const { client, log } = moving;
  await noteDays(client);
  const days = await daysLeft(client);
  for (const [index, day] of days.entries()) {
    const isAlone = await untilAlone(moving, () => moveDay(moving, reader, day));
    if (moving.isOver() || !isAlone) return false;
    await between();
    const { rows } = await client.query<{ rows: number }>('SELECT rows::float8 FROM visit_copy_day WHERE day = $1', [day.day]);
    log(`${day.day}: ${rows[0]?.rows ?? 0} visits, ${days.length - index - 1} days left`);
  }
  return !moving.isOver();
}

/** Waits for a worker that is sending. */
export async function untilAlone({ client, isOver }: Pick<Moving, 'client' | 'isOver'>, work: () => Promise<void>): Promise<boolean> {
  while (!isOver()) {
    const done = await whileAlone(client, async () => {
      await work();
      return true;
    });
    if (done) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}
