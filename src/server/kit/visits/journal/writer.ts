import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DiskGuard, type DiskLimits, watchDisk } from './disk.ts';
import { diskFiles, type JournalFile, type JournalFiles } from './files.ts';
import { encodeRecord, maximumRecordLength, type VisitRecord } from './record.ts';
import { maximumSegmentLength, segmentName } from './segment.ts';

const firstBufferLength = 256 * 1024;
const maximumGroupLength = 8 * 2 ** 20;
/** A group is written when so many turns of the event loop brought no further record, and after so many turns at the latest. */
const quietTurns = 2;
const mostTurns = 16;

export interface JournalOptions<T> {
  folder: string;
  source: string;
  /** Called for each record in order, once the disk holds it; `offset` is its place in segment `number`. */
  answer: (waiter: T, number: number, offset: number) => void;
  /** Called once: nothing more is written or answered, and only a new process on a new segment may go on. */
  onFatal: (error: Error) => void;
  onDiskAlarm?: (message: string) => void;
  files?: JournalFiles;
  segmentLength?: number;
  /** So many bytes wait for the disk at most; further visits are refused until it has caught up. */
  groupLength?: number;
  disk?: Partial<DiskLimits>;
}

export interface JournalStatistics {
  records: number;
  bytes: number;
  groups: number;
  /** Visits that were refused because the disk was full or too slow. */
  refused: number;
  disk_used: number;
  is_disk_alarmed: boolean;
}

export interface Journal<T> {
  /** Takes a record into the next group; false when it cannot be kept, and then its visit must not be answered as if it were. */
  append(record: VisitRecord, waiter: T): boolean;
  /** Whether a record would be taken now. */
  isOpen(): boolean;
  statistics: JournalStatistics;
  /** Resolves when everything appended is on the disk and answered, and the file is closed. */
  close(): Promise<void>;
}

/**
 * Records that share one write. Its lists are never shortened: the memory of one that was given up while it was old would keep everything
 * alive that it held, visits with their requests and answers, until the next collection of old objects.
 */
interface Group<T> {
  buffer: Buffer;
  length: number;
  /** Where the group begins in its segment. */
  base: number;
  number: number;
  count: number;
  waiters: (T | undefined)[];
  offsets: number[];
}

/**
 * Opens the journal of this process on a new segment. Records gather in memory while the disk is busy with the group before, so that one
 * write and sync serves all of them. A write or sync that fails or falls short is never repeated: after a failed sync the system may
 * have dropped the data and report the next sync as good.
 */
export async function openJournal<T>(options: JournalOptions<T>): Promise<Journal<T>> {
  const { folder, source, files = diskFiles, segmentLength = maximumSegmentLength, groupLength = maximumGroupLength } = options;
  mkdirSync(folder, { recursive: true, mode: 0o750 });
  const statistics: JournalStatistics = { records: 0, bytes: 0, groups: 0, refused: 0, disk_used: 0, is_disk_alarmed: false };
  const guard: DiskGuard = await watchDisk({ folder, files, statistics, limits: options.disk, onAlarm: options.onDiskAlarm });

  let file: JournalFile;
  const firstLength = Math.min(firstBufferLength, groupLength);
  let filling = newGroup<T>(firstLength);
  let writing = newGroup<T>(firstLength);
  let openNumber = 1;
  let isBusy = false;
  let isScheduled = false;
  let isFailed = false;
  let onIdle: (() => void) | undefined;

  const create = (number: number) => files.create(join(folder, segmentName(source, number)));
  try {
    file = await create(1);
  } catch (error) {
    guard.stop();
    throw error;
  }

  const fail = (error: Error) => {
    if (isFailed) return;
    isFailed = true;
    guard.stop();
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') guard.releaseReserve();
    options.onFatal(error);
    onIdle?.();
  };

  let gathered = 0;
  let turns = 0;
  let quiet = 0;

  /**
   * Waits while turns of the event loop go on bringing records: a write costs the same for one as for fifty, and where the processor is
   * busy fewer writes leave more of it for visits. A turn without news takes microseconds.
   */
  const gather = () => {
    const { count } = filling;
    quiet = count === gathered ? quiet + 1 : 0;
    gathered = count;
    turns += 1;
    if (quiet < quietTurns && turns < mostTurns) setImmediate(gather);
    else startWrite();
  };

  const schedule = () => {
    isScheduled = true;
    gathered = 0;
    turns = 0;
    quiet = 0;
    setImmediate(gather);
  };

  const startWrite = () => {
    isScheduled = false;
    if (isBusy || isFailed || filling.length === 0) return;
    isBusy = true;
    const group = filling;
    filling = writing;
    writing = group;
    beginAfter(filling, group, segmentLength - groupLength);
    if (group.number === openNumber) writeGroup();
    else rotate(group.number);
  };

  const rotate = (number: number) => {
    file.close().catch(() => {});
    create(number).then((created) => {
      file = created;
      openNumber = number;
      writeGroup();
    }, fail);
  };

  const writeGroup = () => {
    file.write(writing.buffer, writing.length, (error, written) => {
      if (error) return fail(error);
      if (written !== writing.length) return fail(new Error(`short write: ${written} of ${writing.length} bytes`));
      if (file.sync) file.sync((syncError) => (syncError ? fail(syncError) : finishGroup()));
      else finishGroup();
    });
  };

  const finishGroup = () => {
    if (isFailed) return;
    const { count, waiters, offsets, number, length } = writing;
    statistics.groups += 1;
    statistics.records += count;
    statistics.bytes += length;
    for (let index = 0; index < count; index += 1) {
      const waiter = waiters[index] as T;
      waiters[index] = undefined;
      options.answer(waiter, number, offsets[index] as number);
    }
    writing.count = 0;
    writing.length = 0;
    isBusy = false;
    if (filling.length > 0) schedule();
    else onIdle?.();
  };

  return {
    statistics,
    isOpen: () => !isFailed && !guard.isFull(),
    append(record, waiter) {
      const group = filling;
      if (isFailed || guard.isFull() || (group.length + maximumRecordLength > group.buffer.length && !grow(group, groupLength))) {
        statistics.refused += 1;
        return false;
      }
      const at = group.length;
      group.length = encodeRecord(group.buffer, at, group.base + at, record);
      group.waiters[group.count] = waiter;
      group.offsets[group.count] = group.base + at;
      group.count += 1;
      if (!isBusy && !isScheduled) schedule();
      return true;
    },
    async close() {
      if (!isFailed && (isBusy || filling.length > 0)) await new Promise<void>((resolve) => (onIdle = resolve));
      guard.stop();
      if (!isFailed) await file.close();
      isFailed = true;
    },
  };
}

function newGroup<T>(bufferLength: number): Group<T> {
  return { buffer: Buffer.allocUnsafeSlow(bufferLength), length: 0, base: 0, number: 1, count: 0, waiters: [], offsets: [] };
}

/** A group lies wholly in one segment: where the largest one might not fit behind its predecessor, it begins the next segment. */
function beginAfter(group: Group<unknown>, before: Group<unknown>, lastBase: number): void {
  const base = before.base + before.length;
  const isFull = base > lastBase;
  group.base = isFull ? 0 : base;
  group.number = isFull ? before.number + 1 : before.number;
}

function grow(group: Group<unknown>, limit: number): boolean {
  if (group.buffer.length >= limit) return false;
  const larger = Buffer.allocUnsafeSlow(Math.min(limit, group.buffer.length * 2));
  group.buffer.copy(larger, 0, 0, group.length);
  group.buffer = larger;
  return true;
}
