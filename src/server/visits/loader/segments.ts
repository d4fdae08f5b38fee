import { statSync } from 'node:fs';
import type pg from 'pg';
import { isWriterAlive, listSegments, type Segment } from '../../kit/visits/journal/segment.ts';

/** A segment file with the row that says how far it is loaded. */
export type KnownSegment = Segment & {
  id: number;
  /** Everything before it is in the database. */
  offset: number;
  /** Loaded whole: no more may come. */
  is_finished: boolean;
  /** What follows was written by a later version of this program: it waits, and what its writer wrote behind it. */
  is_unreadable: boolean;
  /** So many records are loaded at once; fewer where one of them is refused by the database. */
  limit: number;
};

type Source = {
  segments: KnownSegment[];
  is_alive: boolean;
  /** When that was asked last; moments here are those of `performance.now()`, which no setting of the clock moves. */
  checked_at: number;
  is_busy: boolean;
  not_before: number;
};

export type Job = {
  segment: KnownSegment;
  /** Nobody writes the segment any more. */
  is_final: boolean;
};

export type Segments = ReturnType<typeof createSegments>;

const aliveCheckMilliseconds = 500;
const refreshMilliseconds = 200;

/** The segments of a journal folder, and who loads what. Each source is loaded by one lane at a time, from its oldest segment on. */
export function createSegments(folder: string, maximumRecords: number) {
  const known = new Map<string, KnownSegment>();
  const sources = new Map<string, Source>();
  let turn = 0;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  /** All segments that were there at this moment are known. */
  let completeAt = Number.NEGATIVE_INFINITY;

  /** Finds new segments and gives each its row. */
  async function refresh(client: pg.ClientBase): Promise<void> {
    const startedAt = performance.now();
    if (startedAt - refreshedAt < refreshMilliseconds) return;
    refreshedAt = startedAt;
    const listed = listSegments(folder);
    const fresh = listed.filter(({ name }) => !known.has(name));
    if (fresh.length === 0) {
      completeAt = startedAt;
      return;
    }
    const rows = await rowsOf(client, fresh);
    for (const segment of listed) {
      const row = rows.get(segment.name);
      if (!row || known.has(segment.name)) continue;
      const one: KnownSegment = { ...segment, ...row, is_unreadable: false, limit: maximumRecords };
      known.set(segment.name, one);
      const never = Number.NEGATIVE_INFINITY;
      const source = sources.get(segment.source) ?? { segments: [], is_alive: true, checked_at: never, is_busy: false, not_before: never };
      source.segments.push(one);
      source.segments.sort((a, b) => a.number - b.number);
      sources.set(segment.source, source);
    }
    completeAt = startedAt;
  }

  function isAlive(name: string, source: Source): boolean {
    const now = performance.now();
    // A writer that ended does not come back: it would take a new name.
    if (source.is_alive && now - source.checked_at >= aliveCheckMilliseconds) {
      source.checked_at = now;
      source.is_alive = isWriterAlive(name, folder);
    }
    return source.is_alive;
  }

  function jobOf(name: string, source: Source, now: number): Job | undefined {
    if (source.is_busy || now < source.not_before) return undefined;
    const position = source.segments.findIndex(({ is_finished }) => !is_finished);
    const segment = source.segments[position];
    if (!segment || segment.is_unreadable) return undefined;
    // Asked before the length is: what is written after this moment is not missed.
    const is_final = position < source.segments.length - 1 || !isAlive(name, source);
    // Zeros written ahead make a file longer than its data: how much more it holds is only known once it is read.
    return is_final || lengthOf(segment.path) > segment.offset ? { segment, is_final } : undefined;
  }

  /** The next piece of work that no other lane has, sources in turn; `release` gives it back. */
  function take(): Job | undefined {
    const now = performance.now();
    const names = [...sources.keys()];
    for (let step = 0; step < names.length; step += 1) {
      const name = names[(turn + step) % names.length] ?? '';
      const source = sources.get(name);
      const job = source && jobOf(name, source, now);
      if (!job) continue;
      turn = (turn + step + 1) % names.length;
      source.is_busy = true;
      return job;
    }
    return undefined;
  }

  /** @param pauseMilliseconds after which its source may be loaded next */
  function release({ segment }: Job, pauseMilliseconds: number): void {
    const source = sources.get(segment.source);
    if (!source) return;
    source.is_busy = false;
    source.not_before = performance.now() + pauseMilliseconds;
  }

  /** Sources that write no more and are loaded whole. A last segment may have been begun just before the end, and is known only later. */
  function endedSources(): string[] {
    const hasEnded = ([name, source]: [string, Source]) =>
      !isAlive(name, source) && completeAt > source.checked_at && source.segments.every(({ is_finished }) => is_finished);
    return [...sources].filter(hasEnded).map(([name]) => name);
  }

  /** Finished segments of sources in their order; `forget` drops one whose file is gone. */
  const finished = (): KnownSegment[] => [...known.values()].filter(({ is_finished }) => is_finished);
  function forget({ name, source: sourceName }: KnownSegment): void {
    known.delete(name);
    const source = sources.get(sourceName);
    if (!source) return;
    source.segments = source.segments.filter((segment) => segment.name !== name);
    if (source.segments.length === 0) sources.delete(sourceName);
  }

  return { refresh, take, release, endedSources, finished, forget, has: (source: string) => sources.has(source) };
}

function lengthOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

type SegmentRow = Pick<KnownSegment, 'id' | 'name' | 'offset' | 'is_finished'>;

async function rowsOf(client: pg.ClientBase, segments: readonly Segment[]): Promise<Map<string, SegmentRow>> {
  const find = async () => {
    const { rows } = await client.query<SegmentRow>(
      `SELECT id, name, loaded_offset::float8 AS "offset", finished_at IS NOT NULL AS is_finished
        FROM journal_segment WHERE name = ANY ($1)`,
      [segments.map(({ name }) => name)],
    );
    return new Map(rows.map((row) => [row.name, row]));
  };
  const found = await find();
  const missing = segments.filter(({ name }) => !found.has(name));
  if (missing.length === 0) return found;
  await client.query(
    'INSERT INTO journal_segment (name, source) SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT (name) DO NOTHING',
    [missing.map(({ name }) => name), missing.map(({ source }) => source)],
  );
  return find();
}

/** How far another loader has come. */
export async function readProgress(client: pg.ClientBase, segment: KnownSegment): Promise<void> {
  const row = (await rowsOf(client, [segment])).get(segment.name);
  if (row) Object.assign(segment, row);
}

/** Those of the finished segments that were so for a while, by the database's clock, which said when. */
export async function finishedBefore(
  client: pg.ClientBase,
  segments: readonly KnownSegment[],
  seconds: number,
): Promise<readonly KnownSegment[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM journal_segment WHERE name = ANY ($1) AND finished_at <= clock_timestamp() - make_interval(secs => $2)`,
    [segments.map(({ name }) => name), seconds],
  );
  const due = new Set(rows.map(({ name }) => name));
  return segments.filter(({ name }) => due.has(name));
}

/** Says that the segment is loaded whole. It is on the disk of the database, with all that was loaded before, when this resolves. */
export async function finishSegment(client: pg.ClientBase, segment: KnownSegment): Promise<void> {
  await client.query('UPDATE journal_segment SET finished_at = now() WHERE id = $1 AND loaded_offset = $2 AND finished_at IS NULL', [
    segment.id,
    segment.offset,
  ]);
  await readProgress(client, segment);
}
