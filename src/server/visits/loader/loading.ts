import { existsSync } from 'node:fs';
import pg from 'pg';
import { visitSettingsOf } from '../../../contract/settings.visits.ts';
import type { Log } from '../../kit/calls/context.ts';
import { readBatch } from '../../kit/visits/journal/reader.ts';
import type { DecodedRecord } from '../../kit/visits/journal/record.ts';
import { type SiteClock, siteClock } from '../../kit/visits/site-clock.ts';
import { type FactVersions, readFactVersions } from '../facts/versions.ts';
import { ensurePartitions } from '../maintenance/partitions.ts';
import { groupBatch, maxBatchRecords } from './batch.ts';
import { createLookup, type FactSources, type Lookup, markPrograms } from './lookup.ts';
import { nameReached } from './older-records.ts';
import { finishSegment, type Job, type KnownSegment, readProgress } from './segments.ts';
import { type Piece, type Written, writeBatch } from './store.ts';

type Options = { facts: FactSources; batch_bytes: number; log: Log };

/** What was loaded of a segment, and whether more of it is waiting. */
export type Loaded = { records: number; is_more: boolean };

const settingsMilliseconds = 5_000;
const minute = 60_000;
/** SQLSTATE classes of what is wrong with the data itself: exceptions, violated constraints, sizes beyond what the server can hold. */
const dataErrors = /^(22|23|54)/;

/** Loads pieces of segments. It remembers what the database holds, so that a lost connection takes a new one. */
export function createLoading({ facts, batch_bytes, log }: Options) {
  /** What facts are looked up with, and as of which of their versions. A batch keeps those that it began with. */
  let current: { lookup: Lookup; versions: FactVersions } | undefined;
  const partitions = new Set<string>();
  let clock: { zone: string; of: SiteClock; read_at: number } | undefined;

  async function currentClock(client: pg.ClientBase): Promise<SiteClock> {
    const now = performance.now();
    if (clock && now - clock.read_at < settingsMilliseconds) return clock.of;
    const { rows } = await client.query<{ key: string; value: unknown }>('SELECT key, value FROM setting');
    const { time_zone: zone } = visitSettingsOf(rows);
    clock = { zone, of: clock?.zone === zone ? clock.of : siteClock(zone), read_at: now };
    return clock.of;
  }

  /** What was changed is read, and everything that was remembered of it is forgotten. */
  async function renewed(client: pg.ClientBase) {
    const versions = await readFactVersions(client);
    const kinds = (['device', 'place'] as const).filter((kind) => current?.versions[kind] !== versions[kind]);
    if (current && kinds.length === 0) return current;
    await facts.renew?.(client, kinds);
    current = { lookup: createLookup(facts), versions };
    return current;
  }

  async function write(client: pg.ClientBase, piece: Piece, records: readonly DecodedRecord[]): Promise<boolean> {
    await nameReached(client, records);
    for (;;) {
      const written = await tryToWrite(client, piece, records, current ?? (await renewed(client)));
      if (written !== 'stale') return written === 'written';
      await renewed(client);
    }
  }

  async function tryToWrite(
    client: pg.ClientBase,
    piece: Piece,
    records: readonly DecodedRecord[],
    { lookup, versions }: NonNullable<typeof current>,
  ): Promise<Written> {
    markPrograms(records, facts.agentOf);
    const time = await currentClock(client);
    const found = await lookup(
      client,
      records.map(({ record }) => record),
    );
    const batch = groupBatch(piece.segment_id, records, found, time);
    const missing = [...batch.partitions].filter((day) => !partitions.has(day));
    await ensurePartitions(client, missing);
    for (const day of missing) partitions.add(day);
    const now = Date.now();
    return writeBatch(client, piece, batch, { today: new Set([time.dayOf(now), time.dayOf(now - minute)]), versions });
  }

  /** Loads what a segment holds beyond what is loaded, up to a batch. */
  async function load(client: pg.ClientBase, { segment, is_final }: Job): Promise<Loaded> {
    if (!existsSync(segment.path)) {
      log.error({ segment: segment.name, loaded: segment.offset }, 'a journal segment is gone before it was finished');
      if (is_final) await finishSegment(client, segment);
      return { records: 0, is_more: false };
    }
    const read = await readBatch(segment.path, segment.offset, { isFinal: is_final, bytes: batch_bytes });
    if (read.unknown_version !== undefined && read.next <= segment.offset) {
      segment.is_unreadable = true;
      log.error(
        { segment: segment.name, loaded: segment.offset, version: read.unknown_version },
        'a journal segment was written by a later version of this program; it is kept, and waits for that version to load it',
      );
      return { records: 0, is_more: false };
    }
    if (read.next <= segment.offset) {
      if (is_final) await finishSegment(client, segment);
      return { records: 0, is_more: is_final };
    }
    const records = read.records.slice(0, segment.limit);
    const isWhole = records.length === read.records.length;
    const next = isWhole ? read.next : (records.at(-1)?.next ?? read.next);
    const damaged_bytes = isWhole ? read.damaged_bytes : records.reduce((sum, { skipped }) => sum + skipped, 0);
    const piece = { segment_id: segment.id, from: segment.offset, next, records: records.length, damaged_bytes };
    if (!(await write(client, piece, records))) {
      await readProgress(client, segment);
      return { records: 0, is_more: true };
    }
    segment.offset = next;
    segment.limit = Math.min(segment.limit * 2, maxBatchRecords);
    if (damaged_bytes > 0) log.warn({ segment: segment.name, before: next, damaged_bytes }, 'a journal segment is damaged');
    return { records: records.length, is_more: next < read.length };
  }

  /**
   * After a batch that failed. No single record may hold up the others: where the data is at fault, the next batch is smaller, until the
   * record is alone; then it is passed over. Answers whether trying again at once makes sense.
   */
  async function recover(client: pg.ClientBase, segment: KnownSegment, error: unknown): Promise<boolean> {
    // A partition that was dropped meanwhile is made again.
    partitions.clear();
    if (!(error instanceof pg.DatabaseError) || !dataErrors.test(error.code ?? '')) return false;
    if (segment.limit > 1) segment.limit = Math.ceil(Math.min(segment.limit, 4096) / 4);
    else await passOver(client, segment);
    return true;
  }

  async function passOver(client: pg.ClientBase, segment: KnownSegment): Promise<void> {
    const read = await readBatch(segment.path, segment.offset, { isFinal: false });
    const refused = read.records[0];
    if (!refused) return;
    log.error(
      { segment: segment.name, offset: refused.offset, record: refused.record },
      'a visit that the database refuses was passed over',
    );
    await client.query(
      'UPDATE journal_segment SET loaded_offset = $3, damaged_bytes = damaged_bytes + $3 - $2 WHERE id = $1 AND loaded_offset = $2',
      [segment.id, segment.offset, refused.next],
    );
    await readProgress(client, segment);
  }

  return { load, recover };
}
