import type { FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { journalFolder, listSegments } from '../kit/visits/journal/segment.ts';
import type { ArchiveWriter } from './archive/writer.ts';
import { addPath, openIfThere, type Tally } from './tree.ts';

/** More often than the loader removes a segment that it has just loaded. */
const lookMilliseconds = 10_000;
export const journalName = 'journal';

export interface PinnedJournals {
  /** Opens what has come since. */
  look(): Promise<void>;
  /** Adds all that is there or was. */
  addTo(archive: ArchiveWriter): Promise<Tally>;
  close(): Promise<void>;
}

/**
 * Keeps the journal's segments open from before the database is copied: one that is loaded and removed meanwhile can still be read, and
 * holds what the copy of the database may not. Segments that are loaded whole already are copied only if they stay.
 */
export async function pinJournals(dataDir: string, client: pg.Client | undefined): Promise<PinnedJournals> {
  const folder = journalFolder(dataDir);
  const finished = await finishedSegments(client);
  const pinned = new Map<string, FileHandle>();
  const stop = new AbortController();

  const look = async () => {
    for (const { name, path } of listSegments(folder)) {
      if (pinned.has(name) || finished.has(name)) continue;
      const file = await openIfThere(path);
      if (file) pinned.set(name, file);
    }
  };
  const watch = async () => {
    while (!stop.signal.aborted) {
      await delay(lookMilliseconds, undefined, { signal: stop.signal, ref: false }).catch(() => {});
      if (!stop.signal.aborted) await look();
    }
  };
  await look();
  let failure: unknown;
  const watching = watch().catch((error) => {
    failure = error;
  });

  return {
    look,
    async addTo(archive) {
      stop.abort();
      await watching;
      if (failure) throw failure;
      await look();
      const tally = { files: 0, bytes: 0 };
      for (const [name, file] of pinned) {
        tally.bytes += await archive.addFile(`${journalName}/${name}`, file);
        tally.files += 1;
      }
      for (const { name, path } of listSegments(folder)) {
        if (!pinned.has(name)) await addPath(archive, `${journalName}/${name}`, path, tally);
      }
      return tally;
    },
    async close() {
      stop.abort();
      await watching;
      for (const file of pinned.values()) await file.close();
    },
  };
}

/** What the database holds whole, so that the files add nothing to it. */
async function finishedSegments(client: pg.Client | undefined): Promise<Set<string>> {
  if (!client) return new Set();
  const { rows } = await client.query<{ name: string }>('SELECT name FROM journal_segment WHERE finished_at IS NOT NULL');
  return new Set(rows.map(({ name }) => name));
}
