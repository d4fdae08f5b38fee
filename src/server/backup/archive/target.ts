import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../kit/visits/journal/files.ts';
import { partOf, removeLeftParts } from './parts.ts';

/** Length and checksum of a whole file. */
export type Written = { bytes: number; sha256: string };

/** Where the bytes of an archive go, in order. It has its name once all of them are kept, and leaves nothing behind where they are not. */
export interface ArchiveTarget {
  /** As it is said to the operator. */
  name: string;
  write(chunk: Buffer): Promise<void>;
  finish(signal: AbortSignal): Promise<void>;
  discard(): Promise<void>;
  /** What was kept at last, where that is not what was written to it. */
  written?(): Written;
}

/** A file, under a temporary name beside it until the disk holds it, readable by its owner only. */
export async function openFileTarget(path: string): Promise<ArchiveTarget> {
  await removeLeftParts(dirname(path));
  const temporary = partOf(path);
  const file = await open(temporary, 'wx', 0o600);
  return {
    name: path,
    async write(chunk) {
      for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
    },
    async finish(signal) {
      await file.sync();
      await file.close();
      signal.throwIfAborted();
      await rename(temporary, path);
      await syncFolder(dirname(path));
    },
    async discard() {
      await file.close().catch(() => {});
      await rm(temporary, { force: true });
    },
  };
}
