import type pg from 'pg';
import { type Batch, visitColumns } from './batch.ts';
import { copyRows, plainArray } from './copy.ts';
import { markExhausted } from './exhausted.ts';
import { addSources } from './sources.store.ts';

/** The part of a segment that a batch was made of. */
export type Piece = { segment_id: number; from: number; next: number; records: number; damaged_bytes: number };

/** Any constant, as long as nothing else in the product locks it. */
const visitorLock = 7_301_190_247;

/**
 * Writes a batch and moves the segment's offset on, in one transaction: rows, visitors, rollups, totals, leases and offset hold all of it or
 * nothing. Answers false where another loader has loaded the piece already; then nothing is written.
 * @param today the site's day now and a minute ago; one day but just after midnight
 */
export async function writeBatch(client: pg.ClientBase, piece: Piece, batch: Batch, today: ReadonlySet<string>): Promise<boolean> {
  try {
    // A crash of the server may undo the last batches whole, offset included: they are loaded again, because journals are kept longer.
    await client.query('BEGIN; SET LOCAL synchronous_commit = off');
    const isOurs = await advance(client, piece);
    if (isOurs) await writeAll(client, batch, today);
    await client.query(isOurs ? 'COMMIT' : 'ROLLBACK');
    return isOurs;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Locks the segment's row. A second loader waits here, finds another offset than it expects and gives up. */
async function advance(client: pg.ClientBase, { segment_id, from, next, records, damaged_bytes }: Piece): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'advance',
    text: `UPDATE journal_segment SET loaded_offset = $3, loaded_records = loaded_records + $4, damaged_bytes = damaged_bytes + $5
      WHERE id = $1 AND loaded_offset = $2`,
    values: [segment_id, from, next, records, damaged_bytes],
  });
  return rowCount === 1;
}

async function writeAll(client: pg.ClientBase, batch: Batch, today: ReadonlySet<string>): Promise<void> {
  const flags = await writeVisitors(client, batch, today);
  const suffixes = countUniques(batch, flags);
  await copyRows(client, `COPY visit (${visitColumns}) FROM STDIN`, batch.rows.map((row, index) => row + suffixes[index]).join(''));
  await copyRows(
    client,
    'COPY visit_hour (live_code_id, hour, outcome, visits, ips, new_ips) FROM STDIN',
    batch.hours.map((of) => `${of.live_code_id}\t${of.hour}\t${of.outcome}\t${of.visits}\t${of.ips}\t${of.new_ips}\n`).join(''),
  );
  const byCode = ({ live_code_id, hour, value, visits }: Batch['places'][number]) => `${live_code_id}\t${hour}\t${value}\t${visits}\n`;
  await copyRows(client, 'COPY visit_hour_place (live_code_id, hour, place_id, visits) FROM STDIN', batch.places.map(byCode).join(''));
  await copyRows(client, 'COPY visit_hour_device (live_code_id, hour, device_id, visits) FROM STDIN', batch.devices.map(byCode).join(''));
  await copyRows(
    client,
    'COPY visit_hour_target (target_id, hour, visits, presses) FROM STDIN',
    batch.targets.map(({ target_id, hour, visits, presses }) => `${target_id}\t${hour}\t${visits}\t${presses}\n`).join(''),
  );
  await markExhausted(client, batch);
  await addSources(client, batch.sources);
  await addTotals(client, batch);
  await addPresses(client, batch);
  await addForwards(client, batch);
  await serveLeases(client, batch);
}

/**
 * Adds the batch's visits to its visitors. Answers for each: 0 was here today already, 1 first visit of the day, 2 first visit ever.
 * "Ever" asks for other days' rows. Two loaders that write different days at once would not see each other's: batches of today go side by
 * side, any other one goes alone.
 */
async function writeVisitors(client: pg.ClientBase, { visitors, first_day, last_day }: Batch, today: ReadonlySet<string>): Promise<string> {
  if (visitors.length === 0) return '';
  const isOnlyToday = today.size === 1 && today.has(first_day) && today.has(last_day);
  await client.query(`SELECT pg_advisory_xact_lock${isOnlyToday ? '_shared' : ''}($1)`, [visitorLock]);
  const column = (of: (visitor: Batch['visitors'][number]) => number | string) => plainArray(visitors.map(of));
  const { rows } = await client.query<{ flags: string }>({
    name: 'visitors',
    // The outer query sees the table as it was before, and the subquery with its LIMIT is always an index look-up.
    text: `WITH seen AS (
        INSERT INTO visitor AS known (live_code_id, ip, day, visits, first_at, last_at, place_id, agent_id)
        SELECT * FROM unnest($1::bigint[], $2::inet[], $3::date[], $4::integer[], $5::timestamptz[], $6::timestamptz[], $7::integer[], $8::integer[])
        ON CONFLICT (live_code_id, ip, day) DO UPDATE SET
          visits = known.visits + excluded.visits,
          first_at = least(known.first_at, excluded.first_at),
          last_at = greatest(known.last_at, excluded.last_at),
          place_id = CASE WHEN excluded.last_at < known.last_at THEN known.place_id ELSE excluded.place_id END,
          agent_id = CASE WHEN excluded.last_at < known.last_at THEN known.agent_id ELSE excluded.agent_id END
        RETURNING live_code_id, ip, xmax = 0 AS is_first_today
      )
      SELECT coalesce(string_agg(CASE WHEN NOT is_first_today THEN '0'
        WHEN (SELECT true FROM visitor WHERE visitor.live_code_id = seen.live_code_id AND visitor.ip = seen.ip LIMIT 1) THEN '1'
        ELSE '2' END, ''), '') AS flags FROM seen`,
    values: [
      column(({ live_code_id }) => live_code_id),
      column(({ ip }) => ip),
      column(({ day }) => day),
      column(({ visits }) => visits),
      column(({ first_at }) => new Date(first_at).toISOString()),
      column(({ last_at }) => new Date(last_at).toISOString()),
      column(({ place_id }) => place_id),
      column(({ agent_id }) => agent_id),
    ],
  });
  const flags = rows[0]?.flags ?? '';
  if (flags.length !== visitors.length) throw new Error(`${visitors.length} visitors were written, ${flags.length} answered`);
  return flags;
}

/** Counts first visits in the groups by hour, and answers the end of each row's line. */
function countUniques({ visitors, hours, rows, row_records }: Batch, flags: string): string[] {
  const endings = new Map<number, string>();
  let before: Batch['visitors'][number] | undefined;
  for (const [index, visitor] of visitors.entries()) {
    const flag = flags[index];
    // An address that comes on two days of one batch is new on the first of them only.
    const isSameAddress = before?.live_code_id === visitor.live_code_id && before.ip === visitor.ip;
    before = visitor;
    if (flag === '0') continue;
    const isNew = flag === '2' && !isSameAddress;
    const hour = hours[visitor.hour_group];
    if (hour) {
      hour.ips += 1;
      hour.new_ips += isNew ? 1 : 0;
    }
    endings.set(visitor.first, isNew ? '\tt\tt\n' : '\tt\tf\n');
  }
  return rows.map((_, index) => endings.get(row_records[index] ?? -1) ?? '\tf\tf\n');
}

/**
 * A lease that is served whole has nothing to give back, and is not needed any more. Last in the transaction and in the order of ids,
 * because the redirect process that holds them may be giving some of them back at this moment.
 */
async function serveLeases(client: pg.ClientBase, { leases }: Batch): Promise<void> {
  if (leases.size === 0) return;
  const ids = plainArray([...leases.keys()]);
  await client.query({
    name: 'serve_leases',
    text: `WITH locked AS (
        SELECT lease.id, counted.visits FROM target_lease AS lease JOIN unnest($1::bigint[], $2::integer[]) AS counted (id, visits) ON counted.id = lease.id
        ORDER BY lease.id FOR UPDATE OF lease
      )
      UPDATE target_lease AS lease SET served = lease.served + locked.visits FROM locked WHERE lease.id = locked.id`,
    values: [ids, plainArray([...leases.values()])],
  });
  await client.query({
    name: 'delete_leases',
    text: 'DELETE FROM target_lease WHERE id = ANY ($1::bigint[]) AND served >= granted',
    values: [ids],
  });
}

async function addPresses(client: pg.ClientBase, { targets }: Batch): Promise<void> {
  const sorted = byTarget(targets, 'presses');
  if (sorted.length === 0) return;
  await client.query({
    name: 'press_totals',
    text: `INSERT INTO target_press_total AS total (target_id, presses) SELECT * FROM unnest($1::bigint[], $2::bigint[])
      ON CONFLICT (target_id) DO UPDATE SET presses = total.presses + excluded.presses`,
    values: [plainArray(sorted.map(([id]) => id)), plainArray(sorted.map(([, count]) => count))],
  });
}

/** Counts by target over all hours, in the order of their ids; targets without any are left out. */
function byTarget(groups: Batch['targets'], what: 'visits' | 'presses'): [id: number, count: number][] {
  const counts = new Map<number, number>();
  for (const group of groups) if (group[what] > 0) counts.set(group.target_id, (counts.get(group.target_id) ?? 0) + group[what]);
  return [...counts].sort(([a], [b]) => a - b);
}

/** Hits of forwards, in the order of their ids, as every loader locks them. */
async function addForwards(client: pg.ClientBase, { forwards }: Batch): Promise<void> {
  if (forwards.size === 0) return;
  const sorted = [...forwards].sort(([a], [b]) => a - b);
  await client.query({
    name: 'forward_totals',
    text: `INSERT INTO forward_total AS total (forward_id, hits, last_at)
      SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::timestamptz[])
      ON CONFLICT (forward_id) DO UPDATE SET hits = total.hits + excluded.hits, last_at = greatest(total.last_at, excluded.last_at)`,
    values: [
      plainArray(sorted.map(([id]) => id)),
      plainArray(sorted.map(([, { hits }]) => hits)),
      plainArray(sorted.map(([, { last_at }]) => new Date(last_at).toISOString())),
    ],
  });
}

/** Late in the transaction, because these rows are the ones that other loaders wait for most; sorted, so that none deadlocks. */
async function addTotals(client: pg.ClientBase, { hours, targets }: Batch): Promise<void> {
  const codes = new Map<number, { visits: number; ips: number }>();
  for (const { live_code_id, outcome, visits, ips } of hours) {
    if (outcome !== 0 || live_code_id === 0) continue;
    const total = codes.get(live_code_id) ?? { visits: 0, ips: 0 };
    codes.set(live_code_id, { visits: total.visits + visits, ips: total.ips + ips });
  }
  if (codes.size === 0) return;
  const sortedCodes = [...codes].sort(([a], [b]) => a - b);
  await client.query({
    name: 'code_totals',
    text: `INSERT INTO live_code_total AS total (live_code_id, visits, ips)
      SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
      ON CONFLICT (live_code_id) DO UPDATE SET visits = total.visits + excluded.visits, ips = total.ips + excluded.ips`,
    values: [
      plainArray(sortedCodes.map(([id]) => id)),
      plainArray(sortedCodes.map(([, { visits }]) => visits)),
      plainArray(sortedCodes.map(([, { ips }]) => ips)),
    ],
  });
  const sortedTargets = byTarget(targets, 'visits');
  await client.query({
    name: 'target_totals',
    text: `INSERT INTO target_total AS total (target_id, visits) SELECT * FROM unnest($1::bigint[], $2::bigint[])
      ON CONFLICT (target_id) DO UPDATE SET visits = total.visits + excluded.visits`,
    values: [plainArray(sortedTargets.map(([id]) => id)), plainArray(sortedTargets.map(([, visits]) => visits))],
  });
}
