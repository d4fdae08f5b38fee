import { existsSync, rmSync, statfsSync } from 'node:fs';
import type pg from 'pg';
import type { Log } from '../../kit/calls/context.ts';
import { hasDataAfter } from '../../kit/visits/journal/reader.ts';
import { isWriterAlive } from '../../kit/visits/journal/segment.ts';
import { deleteServedLeases, recoverLeases, sourcesWithoutJournal } from '../loader/leases.ts';
import { finishedBefore, type KnownSegment, type Segments } from '../loader/segments.ts';

type Options = { folder: string; log: Log; retention_seconds: number; lost_source_seconds: number };

const leaseMilliseconds = 1_000;
const sweepMilliseconds = 30_000;
/** From this share of the disk on, loaded segments go after a minute: before the alarm, and long before visits are refused. */
const crowdedDisk = 0.75;
const crowdedRetentionSeconds = 60;

/** What a loader does now and then beside loading: leases of sources that ended, and segments that were kept long enough. */
export function createChores({ folder, log, retention_seconds, lost_source_seconds }: Options) {
  const recovered = new Set<string>();
  /** Segments that were told of, because they hold more than was loaded. */
  const told = new Set<string>();
  let leasesAt = Number.NEGATIVE_INFINITY;
  let sweptAt = Number.NEGATIVE_INFINITY;

  async function recover(client: pg.ClientBase, source: string): Promise<void> {
    const { leases, is_done } = await recoverLeases(client, source);
    if (is_done) recovered.add(source);
    if (leases > 0) log.info({ source, leases }, 'leases of a redirect process that ended were given back');
  }

  async function recoverEnded(client: pg.ClientBase, segments: Segments): Promise<void> {
    for (const source of segments.endedSources()) {
      if (!recovered.has(source)) await recover(client, source);
    }
  }

  async function sweep(client: pg.ClientBase, segments: Segments): Promise<void> {
    for (const source of await sourcesWithoutJournal(client, lost_source_seconds)) {
      if (!segments.has(source) && !isWriterAlive(source, folder)) await recover(client, source);
    }
    await deleteServedLeases(client);
    await removeSegments(client, segments);
  }

  async function removeSegments(client: pg.ClientBase, segments: Segments): Promise<void> {
    const finished = segments.finished();
    if (finished.length === 0) return;
    const keptSeconds = usedShare(folder) >= crowdedDisk ? Math.min(retention_seconds, crowdedRetentionSeconds) : retention_seconds;
    const due = await finishedBefore(client, finished, keptSeconds);
    const ended = new Set(segments.endedSources());
    for (const segment of due) {
      // The last trace of a source goes only after its leases.
      const isNeeded = ended.has(segment.source) && !recovered.has(segment.source);
      if (!isNeeded) await removeSegment(segments, segment);
    }
  }

  async function removeSegment(segments: Segments, segment: KnownSegment): Promise<void> {
    // A writer that was killed leaves the zeros that it had written ahead.
    if (existsSync(segment.path) && (await hasDataAfter(segment.path, segment.offset))) {
      if (!told.has(segment.name))
        log.error({ segment: segment.name, loaded: segment.offset }, 'a finished journal segment holds more; it is kept');
      told.add(segment.name);
      return;
    }
    rmSync(segment.path, { force: true });
    segments.forget(segment);
  }

  return {
    /** Does what is due; what fails is logged and tried again. Only a lost connection is the caller's business. */
    async run(client: pg.ClientBase, segments: Segments): Promise<void> {
      const now = performance.now();
      try {
        if (now - leasesAt >= leaseMilliseconds) {
          leasesAt = now;
          await recoverEnded(client, segments);
        }
        if (now - sweptAt >= sweepMilliseconds) {
          sweptAt = now;
          await sweep(client, segments);
        }
      } catch (error) {
        log.error({ error: error instanceof Error ? error.message : String(error) }, 'a chore of the loader failed; it is tried again');
      }
    },
  };
}

function usedShare(folder: string): number {
  const { blocks, bfree, bavail } = statfsSync(folder);
  const used = blocks - bfree;
  return used + bavail > 0 ? used / (used + bavail) : 0;
}
