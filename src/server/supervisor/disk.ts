import { statfsSync } from 'node:fs';
import { minFreeBytes, releaseReserve } from '../kit/visits/journal/disk.ts';
import { journalFolder } from '../kit/visits/journal/segment.ts';

const megabytes = (bytes: number): number => Math.floor(bytes / 2 ** 20);

function freeBytes(dataDir: string): number {
  const { bavail, bsize } = statfsSync(dataDir);
  return bavail * bsize;
}

/** Whether the disk has the room that a start, PostgreSQL's included, needs. */
export const hasRoom = (dataDir: string): boolean => freeBytes(dataDir) >= minFreeBytes;

/** Gives up the journal's reserve where the disk is too full to start on. Without one, visits are refused until there is room. */
export function makeRoom(dataDir: string, log: (line: string) => void): void {
  if (hasRoom(dataDir)) return;
  log(`The disk of ${dataDir} is nearly full (${megabytes(freeBytes(dataDir))} MB free).`);
  if (releaseReserve(journalFolder(dataDir))) log(`Its reserve was given up (${megabytes(freeBytes(dataDir))} MB free).`);
  if (!hasRoom(dataDir))
    log(`At least ${megabytes(minFreeBytes)} MB are needed: visits are refused and the database waits until there is room.`);
}

/**
 * Whether what failed may succeed once there is room: there was none before or after it. Room that was made between the failure and a look at
 * the disk would else make it one that stays.
 * @param isRoomy asked before each attempt, and after one that failed
 */
export function untilRoom<T>(isRoomy: () => boolean, work: () => Promise<T>): { attempt: () => Promise<T>; mayPass: () => boolean } {
  let wasRoomy = true;
  return {
    attempt: () => {
      wasRoomy = isRoomy();
      return work();
    },
    mayPass: () => !wasRoomy || !isRoomy(),
  };
}
