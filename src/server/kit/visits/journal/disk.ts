import { existsSync, unlinkSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalFiles } from './files.ts';

export interface DiskLimits {
  /** Used share of the disk from which on the operator is told. */
  alarm_used: number;
  /** Size of the file that is given up when the disk is nearly full. */
  reserve_bytes: number;
  /** With less than this left the reserve is given up; with less than this left after that, visits are refused. */
  least_free_bytes: number;
  interval_milliseconds: number;
}

/** With less free, nothing more is recorded. */
export const minFreeBytes = 32 * 2 ** 20;

const defaults: DiskLimits = {
  alarm_used: 0.8,
  reserve_bytes: 64 * 2 ** 20,
  least_free_bytes: minFreeBytes,
  interval_milliseconds: 1000,
};

export interface DiskGuard {
  isFull(): boolean;
  /** Gives up the reserve at once, so that the next process finds room to start. */
  releaseReserve(): void;
  stop(): void;
}

interface GuardOptions {
  folder: string;
  files: JournalFiles;
  statistics: { disk_used: number; is_disk_alarmed: boolean };
  limits: Partial<DiskLimits> | undefined;
  onAlarm: ((message: string) => void) | undefined;
}

export const reserveName = 'reserve';

/** Removes the file that keeps room for the journal. @returns false where there is none */
export function releaseReserve(folder: string): boolean {
  try {
    unlinkSync(join(folder, reserveName));
    return true;
  } catch {
    return false;
  }
}

/** Watches the room on the journal's disk: alarm, then the reserve, then no more visits, so that what was answered is always recorded. */
export async function watchDisk({ folder, files, statistics, limits, onAlarm = () => {} }: GuardOptions): Promise<DiskGuard> {
  const { alarm_used, reserve_bytes, least_free_bytes, interval_milliseconds } = { ...defaults, ...limits };
  const reserve = join(folder, reserveName);
  let isFull = false;
  let isStopped = false;
  let isBuilding = false;

  const giveUpReserve = () => {
    const isReleased = releaseReserve(folder);
    if (isReleased) onAlarm('disk nearly full: the reserve was given up');
    return isReleased;
  };

  const check = async () => {
    let { free, used } = await files.space(folder);
    if (free < least_free_bytes && giveUpReserve()) ({ free, used } = await files.space(folder));
    if (isStopped) return;
    statistics.disk_used = used;
    const isAlarmed = used >= alarm_used;
    if (isAlarmed && !statistics.is_disk_alarmed) onAlarm(`disk ${Math.floor(used * 100)} % used`);
    statistics.is_disk_alarmed = isAlarmed;
    const wasFull = isFull;
    isFull = free < least_free_bytes;
    if (isFull && !wasFull) onAlarm('disk full: visits are refused until there is room again');
    // Twice what it takes, so that it is not built and given up in turns.
    if (!isBuilding && free > 2 * (reserve_bytes + least_free_bytes) && !existsSync(reserve)) {
      isBuilding = true;
      buildReserve(reserve, reserve_bytes)
        .catch((error) => onAlarm(`no reserve could be made: ${error.message}`))
        .finally(() => {
          isBuilding = false;
        });
    }
  };

  await check();
  const timer = setInterval(() => check().catch((error) => onAlarm(`disk space unknown: ${error.message}`)), interval_milliseconds);
  timer.unref();
  return {
    isFull: () => isFull,
    releaseReserve: giveUpReserve,
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

/** Written in full, because a file with holes reserves nothing; under a name of its own first, because several processes share it. */
async function buildReserve(path: string, bytes: number): Promise<void> {
  const own = `${path}.${process.pid}`;
  const piece = Buffer.alloc(2 ** 20, 0x5a);
  try {
    const file = await open(own, 'w', 0o640);
    try {
      for (let written = 0; written < bytes; written += piece.length) await file.write(piece, 0, Math.min(piece.length, bytes - written));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(own, path);
  } catch (error) {
    await unlink(own).catch(() => {});
    throw error;
  }
}
