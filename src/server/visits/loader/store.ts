import type pg from 'pg';
import { noteLines } from '../clickhouse/copy.ts';
import { noteLate, visitorLock } from '../columns/versions.ts';
import { type FactVersions, readFactVersions, shareFacts } from '../facts/versions.ts';
import { markSeen } from '../own/seen.ts';
import { type Batch, isOfSite, visitColumns } from './batch.ts';
import { copyRows, plainArray } from './copy.ts';
import { markExhausted } from './exhausted.ts';
import { addReports } from './reports/reports.ts';
import { addSources } from './sources.store.ts';

/** The part of a segment that a batch was made of. */
export type Piece = { segment_id: number; from: number; next: number; records: number; damaged_bytes: number };

type Current = { today: ReadonlySet<string>; versions: FactVersions };
type Ours = { is_copied: boolean };
export type Written = 'written' | 'taken' | 'stale';

/**
 * Writes a batch and moves the segment's offset on, in one transaction: rows, visitors, rollups, totals, leases and offset hold all of it or
 * nothing. Nothing is written where another loader has loaded the piece already, nor where facts changed since they were looked up.
 * @param today the site's day now and a minute ago; one day but just after midnight
 */
export async function writeBatch(client: pg.ClientBase, piece: Piece, batch: Batch, { today, versions }: Current): Promise<Written> {
  try {
    // A crash of the server may undo the last batches whole, offset included: they are loaded again, because journals are kept longer.
    await client.query(`BEGIN; SET LOCAL synchronous_commit = off; ${shareFacts}`);
    const found = await readFactVersions(client);
    const isStale = found.device !== versions.device || found.place !== versions.place;
    const ours = isStale ? undefined : await advance(client, piece);
    if (ours) await writeAll(client, batch, today, ours);
    await client.query(ours ? 'COMMIT' : 'ROLLBACK');
    if (isStale) return 'stale';
    return ours ? 'written' : 'taken';
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/**
 * Locks the segment's row. A second loader waits here, finds another offset than it expects and gives up. Answers also whether visits are
 * copied, which changes only while no batch is under way.
 */
async function advance(client: pg.ClientBase, { segment_id, from, next, records, damaged_bytes }: Piece): Promise<Ours | undefined> {
  const { rows } = await client.query<Ours>({
    name: 'advance',
    text: `UPDATE journal_segment SET loaded_offset = $3, loaded_records = loaded_records + $4, damaged_bytes = damaged_bytes + $5
      WHERE id = $1 AND loaded_offset = $2 RETURNING (SELECT began_at IS NOT NULL FROM visit_copy) AS is_copied`,
    values: [segment_id, from, next, records, damaged_bytes],
  });
  return rows[0];
}

async function writeAll(client: pg.ClientBase, batch: Batch, today: ReadonlySet<string>, { is_copied }: Ours): Promise<void> {
  await lockDays(client, batch, today);
  const flags = await writeVisitors(client, batch);
  const suffixes = countUniques(batch, flags);
  const lines = batch.rows.map((row, index) => row + suffixes[index]).join('');
  await copyRows(client, `COPY visit (${visitColumns}) FROM STDIN`, lines);
  if (is_copied) await noteLines(client, lines);
  await copyRows(
    client,
    'COPY visit_hour (live_code_id, short_code_id, hour, outcome, visits, ips, new_ips) FROM STDIN',
    batch.hours
      .map((of) => `${of.live_code_id}\t${of.short_code_id}\t${of.hour}\t${of.outcome}\t${of.visits}\t${of.ips}\t${of.new_ips}\n`)
      .join(''),
  );
  await copyRows(
    client,
    'COPY visit_hour_origin (live_code_id, hour, place_id, device_id, visits) FROM STDIN',
    batch.origins.map((of) => `${of.live_code_id}\t${of.hour}\t${of.place_id}\t${of.device_id}\t${of.visits}\n`).join(''),
  );
  await copyRows(
    client,
    'COPY visit_hour_target (target_id, hour, visits, presses) FROM STDIN',
    batch.targets.map(({ target_id, hour, visits, presses }) => `${target_id}\t${hour}\t${visits}\t${presses}\n`).join(''),
  );
  await copyRows(
    client,
    'COPY visit_hour_key (live_code_id, key_id, hour, visits) FROM STDIN',
    batch.keys.map((of) => `${of.live_code_id}\t${of.key_id}\t${of.hour}\t${of.visits}\n`).join(''),
  );
  await copySite(client, batch);
  await markExhausted(client, batch);
  await addSources(client, batch.sources);
  await addReports(client, batch.reports);
  await markSeen(client, batch.own_devices);
  await addTotals(client, batch);
  await addPresses(client, batch);
  await addForwards(client, batch);
  await serveLeases(client, batch);
}

const hourLength = 3_600_000;

/**
 * Two loaders that write different days at once would not see each other's visitors: batches of today go side by side, any other one goes
 * alone. What comes for a day that is over, or nearly, tells so; which it is the database's clock decides, once the lock is held.
 */
async function lockDays(client: pg.ClientBase, { first_day, last_day, days }: Batch, today: ReadonlySet<string>): Promise<void> {
  const isOnlyToday = first_day === '' || (today.size === 1 && today.has(first_day) && today.has(last_day));
  await client.query(`SELECT pg_advisory_xact_lock${isOnlyToday ? '_shared' : ''}($1)`, [visitorLock]);
  const soon = Date.now() + hourLength;
  if ([...days.values()].some((end) => end <= soon)) await noteLate(client, days);
}

/** Adds the batch's visits to its visitors. Answers for each: 0 was here today already, 1 first visit of the day, 2 first visit ever. */
async function writeVisitors(client: pg.ClientBase, { visitors }: Batch): Promise<string> {
  if (visitors.length === 0) return '';
  // Those of short codes stand first.
  const shorts = visitors.findIndex(({ live_code_id }) => live_code_id > 0);
  const firstLive = shorts < 0 ? visitors.length : shorts;
  return (
    (await writeVisitorsOf(client, 'short_code_visitor', 'short_code_id', visitors.slice(0, firstLive))) +
    (await writeVisitorsOf(client, 'visitor', 'live_code_id', visitors.slice(firstLive)))
  );
}

type CodeColumn = 'live_code_id' | 'short_code_id';

async function writeVisitorsOf(client: pg.ClientBase, table: string, code: CodeColumn, visitors: Batch['visitors']): Promise<string> {
  if (visitors.length === 0) return '';
  const column = (of: (visitor: Batch['visitors'][number]) => number | string) => plainArray(visitors.map(of));
  const { rows } = await client.query<{ flags: string }>({
    name: table,
    // The outer query sees the table as it was before, and the subquery with its LIMIT is always an index look-up.
    text: `WITH seen AS (
        INSERT INTO ${table} AS known (${code}, ip, day, visits, first_at, last_at, place_id, agent_id)
        SELECT * FROM unnest($1::bigint[], $2::inet[], $3::date[], $4::integer[], $5::timestamptz[], $6::timestamptz[], $7::integer[], $8::integer[])
        ON CONFLICT (${code}, ip, day) DO UPDATE SET
          visits = known.visits + excluded.visits,
          first_at = least(known.first_at, excluded.first_at),
          last_at = greatest(known.last_at, excluded.last_at),
          place_id = CASE WHEN excluded.last_at < known.last_at THEN known.place_id ELSE excluded.place_id END,
          agent_id = CASE WHEN excluded.last_at < known.last_at THEN known.agent_id ELSE excluded.agent_id END
        RETURNING ${code}, ip, xmax = 0 AS is_first_today
      )
      SELECT coalesce(string_agg(CASE WHEN NOT is_first_today THEN '0'
        WHEN (SELECT true FROM ${table} AS before WHERE before.${code} = seen.${code} AND before.ip = seen.ip LIMIT 1) THEN '1'
        ELSE '2' END, ''), '') AS flags FROM seen`,
    values: [
      column((visitor) => visitor[code]),
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
    const isSameCode = before?.live_code_id === visitor.live_code_id && before.short_code_id === visitor.short_code_id;
    const isSameAddress = isSameCode && before?.ip === visitor.ip;
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
  await addTotalsOf(client, 'live_code_total', 'live_code_id', hours);
  await addTotalsOf(client, 'short_code_total', 'short_code_id', hours);
  const sortedTargets = byTarget(targets, 'visits');
  if (sortedTargets.length === 0) return;
  await client.query({
    name: 'target_totals',
    text: `INSERT INTO target_total AS total (target_id, visits) SELECT * FROM unnest($1::bigint[], $2::bigint[])
      ON CONFLICT (target_id) DO UPDATE SET visits = total.visits + excluded.visits`,
    values: [plainArray(sortedTargets.map(([id]) => id)), plainArray(sortedTargets.map(([, visits]) => visits))],
  });
}

async function addTotalsOf(client: pg.ClientBase, table: string, code: CodeColumn, hours: Batch['hours']): Promise<void> {
  const totals = new Map<number, { visits: number; ips: number }>();
  for (const { [code]: id, outcome, visits, ips } of hours) {
    if (outcome !== 0 || id === 0) continue;
    const total = totals.get(id) ?? { visits: 0, ips: 0 };
    totals.set(id, { visits: total.visits + visits, ips: total.ips + ips });
  }
  if (totals.size === 0) return;
  const sorted = [...totals].sort(([a], [b]) => a - b);
  await client.query({
    name: table,
    text: `INSERT INTO ${table} AS total (${code}, visits, ips)
      SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
      ON CONFLICT (${code}) DO UPDATE SET visits = total.visits + excluded.visits, ips = total.ips + excluded.ips`,
    values: [
      plainArray(sorted.map(([id]) => id)),
      plainArray(sorted.map(([, { visits }]) => visits)),
      plainArray(sorted.map(([, { ips }]) => ips)),
    ],
  });
}

/** Adds up numbers under keys that begin a line of COPY. */
function createSums() {
  const sums = new Map<string, number[]>();
  return {
    add(key: string, numbers: readonly number[]): void {
      const known = sums.get(key);
      if (known) for (const [index, number] of numbers.entries()) known[index] = (known[index] ?? 0) + number;
      else sums.set(key, [...numbers]);
    },
    lines: () => [...sums].map(([key, numbers]) => `${key}\t${numbers.join('\t')}\n`).join(''),
  };
}

/** Writes what the batch adds to the counts over all codes. */
async function copySite(client: pg.ClientBase, { hours, slices, unlogged, origins }: Batch): Promise<void> {
  const [site, places, devices] = [createSums(), createSums(), createSums()];
  const [dayPlaces, dayDevices] = [createSums(), createSums()];
  for (const group of hours) if (isOfSite(group)) site.add(`${group.hour}\t${group.outcome}`, [group.visits, group.ips, group.new_ips]);
  for (const { hour, day_start, place_id, device_id, visits } of origins) {
    places.add(`${hour}\t${place_id}`, [visits]);
    devices.add(`${hour}\t${device_id}`, [visits]);
    dayPlaces.add(`${day_start}\t${place_id}`, [visits]);
    dayDevices.add(`${day_start}\t${device_id}`, [visits]);
  }
  await copyRows(client, 'COPY visit_site_hour (hour, outcome, visits, ips, new_ips) FROM STDIN', site.lines());
  const lines = [...slices].map(([start, { visits, unlogged }]) => `${new Date(start).toISOString()}\t${visits}\t${unlogged}\n`).join('');
  await copyRows(client, 'COPY visit_site_slice (starts_at, visits, unlogged) FROM STDIN', lines);
  await addUnlogged(client, unlogged);
  await copyRows(client, 'COPY visit_site_place (hour, place_id, visits) FROM STDIN', places.lines());
  await copyRows(client, 'COPY visit_site_device (hour, device_id, visits) FROM STDIN', devices.lines());
  await copyRows(client, 'COPY visit_day_place (day, place_id, visits) FROM STDIN', dayPlaces.lines());
  await copyRows(client, 'COPY visit_day_device (day, device_id, visits) FROM STDIN', dayDevices.lines());
}

/** A code may stand there twice for an hour: loaders that meet do not wait for each other. */
async function addUnlogged(client: pg.ClientBase, unlogged: Batch['unlogged']): Promise<void> {
  const found = [...unlogged].flatMap(([hour, codes]) => [...codes].map((code) => [hour, code] as const));
  if (found.length === 0) return;
  await client.query({
    name: 'unlogged_codes',
    text: `INSERT INTO visit_unlogged_code (hour, live_code_id) SELECT hour, live_code_id FROM unnest($1::timestamptz[], $2::bigint[]) AS came (hour, live_code_id)
      WHERE NOT EXISTS (SELECT FROM visit_unlogged_code AS known WHERE known.hour = came.hour AND known.live_code_id = came.live_code_id)`,
    values: [plainArray(found.map(([hour]) => hour)), plainArray(found.map(([, code]) => code))],
  });
}
