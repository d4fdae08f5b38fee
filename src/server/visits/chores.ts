import { statfsSync, statSync, unlinkSync } from 'node:fs';
import type pg from 'pg';
import type { Log } from '../kit/context.ts';
import { isWriterAlive } from '../kit/journal/segment.ts';
import { deleteServedLeases, recoverLeases, sourcesWithoutJournal } from './leases.ts';
import type { KnownSegment, Segments } from './segments.ts';

type Options = { folder: string; log: Log; retention_seconds: number; lost_source_seconds: number };

const leaseMilliseconds = 1_000;
const sweepMilliseconds = 30_000;
/** From this share of the disk on, loaded segments go after a minute: before the alarm, and long before visits are refused. */
const crowdedDisk = 0.75;
const crowdedRetentionSeconds = 60;

/** What a loader does now and then beside loading: leases of sources that ended, and segments that were kept long enough. */
export function createChores({ folder, log, retention_seconds, lost_source_seconds }: Options) {
  const recovered = new Set<string>();
  let leasesAt = 0;
  let sweptAt = 0;

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

  async function sweep(client: pg.ClientBase, segments: Segments, now: number): Promise<void> {
    for (const source of await sourcesWithoutJournal(client, lost_source_seconds)) {
      if (!segments.has(source) && !isWriterAlive(source, folder)) await recover(client, source);
    }
    await deleteServedLeases(client);
    removeSegments(segments, now);
  }

  function removeSegments(segments: Segments, now: number): void {
    const finished = segments.finished();
    if (finished.length === 0) return;
    const keptSeconds = usedShare(folder) >= crowdedDisk ? Math.min(retention_seconds, crowdedRetentionSeconds) : retention_seconds;
    const ended = new Set(segments.endedSources());
    for (const segment of finished) {
      const age = now - (segment.finished_at ?? now);
      // The last trace of a source goes only after its leases.
      const isNeeded = ended.has(segment.source) && !recovered.has(segment.source);
      if (age >= keptSeconds * 1000 && !isNeeded) removeSegment(segments, segment);
    }
  }

  function removeSegment(segments: Segments, segment: KnownSegment): void {
    const length = statSync(segment.path, { throwIfNoEntry: false })?.size ?? 0;
    if (length > segment.offset) {
      log.error({ segment: segment.name, length, loaded: segment.offset }, 'a journal segment grew after it was finished; it is kept');
      return;
    }
    unlinkSync(segment.path);
    segments.forget(segment);
  }

  return {
    /** Does what is due; what fails is logged and tried again. Only a lost connection is the caller's business. */
    async run(client: pg.ClientBase, segments: Segments): Promise<void> {
      const now = Date.now();
      try {
        if (now - leasesAt >= leaseMilliseconds) {
          leasesAt = now;
          await recoverEnded(client, segments);
        }
        if (now - sweptAt >= sweepMilliseconds) {
          sweptAt = now;
          await sweep(client, segments, now);
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
