import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { visitOf } from '../../testing/visit-record.ts';
import { reserveName } from './disk.ts';
import { diskFiles, type JournalFile, type JournalFiles } from './files.ts';
import { readBatch } from './reader.ts';
import { encodeRecord, maxRecordLength } from './record.ts';
import { isWriterAlive, listSegments, livingPredecessors, newSource, sourceName } from './segment.ts';
import { type JournalOptions, openJournal } from './writer.ts';

let folder: string;
const source = sourceName('t0', Date.now());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'livecode-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const visit = (index: number) => visitOf({ at: 1_700_000_000_000 + index, live_code_id: index, path: `/code${index}` });

type Answer = { waiter: number; number: number; offset: number };
const noDisk = { reserve_bytes: 0, least_free_bytes: 0 };

async function openTest(options: Partial<JournalOptions<number>> = {}) {
  const answers: Answer[] = [];
  const errors: Error[] = [];
  const journal = await openJournal<number>({
    folder,
    source,
    answer: (waiter, number, offset) => answers.push({ waiter, number, offset }),
    onFatal: (error) => errors.push(error),
    disk: noDisk,
    ...options,
  });
  return { journal, answers, errors };
}

const readAll = async () => {
  const batches = await Promise.all(listSegments(folder).map(({ path }) => readBatch(path, 0, { isFinal: true })));
  return batches.flatMap(({ records }) => records.map(({ record }) => record.live_code_id));
};

/** As many turns of the event loop as the journal gathers visits for at most. */
const turn = async () => {
  for (let count = 0; count < 20; count += 1) await new Promise<void>((resolve) => setImmediate(resolve));
};

/** A disk whose writes and syncs end when the test says so, and how. */
function manualDisk(hasSync: boolean) {
  const writes: { length: number; end: (error: Error | null, written?: number) => void }[] = [];
  const syncs: ((error: Error | null) => void)[] = [];
  const file: JournalFile = {
    write: (_buffer, length, done) => writes.push({ length, end: (error, written = length) => done(error, written) }),
    ...(hasSync && { sync: (done) => syncs.push(done) }),
    close: async () => {},
  };
  const files: JournalFiles = { create: async () => file, space: async () => ({ free: 2 ** 40, used: 0.1 }) };
  return { files, writes, syncs };
}

describe('the journal', () => {
  it('answers every visit in order with the place where it stands', async () => {
    const { journal, answers, errors } = await openTest();
    for (let index = 0; index < 2000; index += 1) expect(journal.append(visit(index), index)).toBe(true);
    await journal.close();
    expect(errors).toEqual([]);
    expect(answers.map(({ waiter }) => waiter)).toEqual(Array.from({ length: 2000 }, (_, index) => index));
    const [segment] = listSegments(folder);
    const { records, next, length, damaged_bytes } = await readBatch(segment?.path ?? '', 0, { isFinal: false });
    expect(records.map(({ offset }) => offset)).toEqual(answers.map(({ offset }) => offset));
    expect({ next, damaged_bytes }).toEqual({ next: length, damaged_bytes: 0 });
  });

  it('goes on in a new segment before one grows too long, and loses nothing there', async () => {
    const { journal, answers } = await openTest({ segmentLength: 40_000, groupLength: 10_000 });
    for (let index = 0; index < 3000; index += 1) {
      while (!journal.append(visit(index), index)) await turn();
      if (index % 50 === 0) await turn();
    }
    await journal.close();
    const segments = listSegments(folder);
    expect(segments.length).toBeGreaterThan(5);
    expect(segments.map(({ number }) => number)).toEqual(segments.map((_, index) => index + 1));
    for (const { path } of segments) expect(statSync(path).size).toBeLessThanOrEqual(40_000);
    expect(await readAll()).toEqual(Array.from({ length: 3000 }, (_, index) => index));
    expect(answers.length).toBe(3000);
  });

  it('writes on where its file was not filled ahead in time', async () => {
    const { journal, answers, errors } = await openTest();
    const long = 'x'.repeat(500);
    const total = 12_000;
    for (let index = 0; index < total; index += 1) {
      expect(journal.append({ ...visit(index), user_agent: long, referer: long }, index)).toBe(true);
      // A few megabytes at once, then in small groups.
      if (index > 6000 && index % 200 === 0) await turn();
    }
    await journal.close();
    expect(errors).toEqual([]);
    expect(answers.length).toBe(total);
    const [segment] = listSegments(folder);
    expect(statSync(segment?.path ?? '').size).toBe(journal.statistics.bytes);
    let offset = 0;
    let count = 0;
    for (;;) {
      const batch = await readBatch(segment?.path ?? '', offset, { isFinal: true });
      expect(batch.damaged_bytes).toBe(0);
      count += batch.records.length;
      offset = batch.next;
      if (offset >= batch.length) break;
    }
    expect(count).toBe(total);
  });

  it('never writes to a segment that is there already', async () => {
    const { journal } = await openTest();
    await journal.close();
    await expect(openTest()).rejects.toThrow('EEXIST');
  });

  it('refuses visits while more wait for the disk than it may hold', async () => {
    const disk = manualDisk(false);
    const { journal, answers } = await openTest({ files: disk.files, groupLength: 300_000 });
    let taken = 0;
    while (journal.append(visit(taken), taken)) taken += 1;
    expect(taken).toBeGreaterThan(1000);
    expect(journal.statistics.refused).toBe(1);
    await turn();
    disk.writes[0]?.end(null);
    expect(answers.length).toBe(taken);
    expect(journal.append(visit(0), 0)).toBe(true);
  });
});

describe.each([
  ['a disk that must be synced', true],
  ['a disk whose writes are durable', false],
])('with %s', (_, hasSync) => {
  /** Ends the oldest write, and its sync, well. */
  const endGroup = (disk: ReturnType<typeof manualDisk>) => {
    disk.writes.shift()?.end(null);
    disk.syncs.shift()?.(null);
  };

  it('no visit is answered before the sync that covers it', async () => {
    const disk = manualDisk(hasSync);
    const { journal, answers } = await openTest({ files: disk.files });
    journal.append(visit(1), 1);
    await turn();
    // This one comes while the write of the first is under way: that sync does not cover it.
    journal.append(visit(2), 2);
    journal.append(visit(3), 3);
    await turn();
    expect({ writes: disk.writes.length, syncs: disk.syncs.length, answers }).toEqual({ writes: 1, syncs: 0, answers: [] });
    disk.writes.shift()?.end(null);
    if (hasSync) {
      expect(answers).toEqual([]);
      disk.syncs.shift()?.(null);
    }
    expect(answers.map(({ waiter }) => waiter)).toEqual([1]);
    await turn();
    expect(answers.map(({ waiter }) => waiter)).toEqual([1]);
    endGroup(disk);
    expect(answers.map(({ waiter }) => waiter)).toEqual([1, 2, 3]);
  });

  it.each([
    ['a failed write', (disk: ReturnType<typeof manualDisk>) => disk.writes[0]?.end(new Error('EIO'))],
    ['a short write', (disk: ReturnType<typeof manualDisk>) => disk.writes[0]?.end(null, 10)],
    [
      'a failed sync',
      (disk: ReturnType<typeof manualDisk>) => {
        if (!hasSync) return disk.writes[0]?.end(new Error('EIO'), 0);
        disk.writes[0]?.end(null);
        disk.syncs[0]?.(new Error('EIO'));
      },
    ],
  ])('%s ends everything: nothing is answered, nothing tried again', async (_name, fault) => {
    const disk = manualDisk(hasSync);
    const { journal, answers, errors } = await openTest({ files: disk.files });
    journal.append(visit(1), 1);
    await turn();
    journal.append(visit(2), 2);
    fault(disk);
    await turn();
    expect(errors.length).toBe(1);
    expect(answers).toEqual([]);
    expect(disk.writes.length).toBe(1);
    expect(disk.syncs.length).toBeLessThanOrEqual(1);
    expect(journal.isOpen()).toBe(false);
    expect(journal.append(visit(3), 3)).toBe(false);
    await journal.close();
    expect(answers).toEqual([]);
  });

  it('a segment that cannot be made ends everything, too', async () => {
    const disk = manualDisk(hasSync);
    let isFull = false;
    const create = disk.files.create;
    disk.files.create = (path) => (isFull ? Promise.reject(new Error('ENOSPC')) : create(path));
    const { journal, answers, errors } = await openTest({
      files: disk.files,
      segmentLength: maxRecordLength + 102,
      groupLength: maxRecordLength + 52,
    });
    journal.append(visit(1), 1);
    await turn();
    isFull = true;
    journal.append(visit(2), 2);
    endGroup(disk);
    await turn();
    await turn();
    expect(answers.map(({ waiter }) => waiter)).toEqual([1]);
    expect(errors.map(({ message }) => message)).toEqual(['ENOSPC']);
  });
});

describe('the disk guard', () => {
  it('tells at 80 %, gives up its reserve, refuses visits, and takes them again', async () => {
    const space = { free: 1000 * 2 ** 20, used: 0.5 };
    const files: JournalFiles = { ...diskFiles, space: async () => ({ ...space }) };
    const alarms: string[] = [];
    const { journal } = await openTest({
      files,
      onDiskAlarm: (message) => alarms.push(message),
      disk: { alarm_used: 0.8, reserve_bytes: 100_000, least_free_bytes: 50_000, interval_milliseconds: 5 },
    });
    const hasReserve = () => readdirSync(folder).includes(reserveName);
    await expect.poll(hasReserve).toBe(true);
    expect(statSync(join(folder, reserveName)).size).toBe(100_000);

    space.used = 0.81;
    await expect.poll(() => journal.statistics.is_disk_alarmed).toBe(true);
    expect(alarms).toEqual(['disk 81 % used']);
    expect(journal.append(visit(1), 1)).toBe(true);

    space.free = 10_000;
    await expect.poll(() => journal.isOpen()).toBe(false);
    expect(hasReserve()).toBe(false);
    expect(journal.append(visit(2), 2)).toBe(false);

    space.free = 1000 * 2 ** 20;
    await expect.poll(() => journal.isOpen()).toBe(true);
    expect(journal.append(visit(3), 3)).toBe(true);
    await journal.close();
    expect(await readAll()).toEqual([1, 3]);
  });
});

describe('segments', () => {
  it('are listed oldest writer first, and nothing else is', async () => {
    const first = sourceName('r0', 1_700_000_000_000, 10);
    const second = sourceName('r0', 1_700_000_000_001, 9);
    for (const own of [second, first]) {
      const { journal } = await openTest({ source: own });
      await journal.close();
    }
    expect(listSegments(folder).map((segment) => segment.source)).toEqual([first, second]);
    expect(listSegments(join(folder, 'missing'))).toEqual([]);
  });

  it('belong to a living writer while its process runs and no newer one took its slot', async () => {
    const own = sourceName('r1', 1_700_000_000_000);
    const { journal } = await openTest({ source: own });
    await journal.close();
    expect(isWriterAlive(own, folder)).toBe(true);
    expect(isWriterAlive(sourceName('r1', 1_700_000_000_000, 2 ** 30), folder)).toBe(false);
    const successor = await openTest({ source: sourceName('r1', 1_700_000_000_500) });
    await successor.journal.close();
    expect(isWriterAlive(own, folder)).toBe(false);
    expect(isWriterAlive(sourceName('r2', 1_700_000_000_500), folder)).toBe(true);
  });

  it('belong to the later writer of a slot, also where the clock was set back between the two', async () => {
    const dayAgo = Date.now() - 86_400_000;
    const own = newSource('r3', folder);
    await (await openTest({ source: own })).journal.close();
    const successor = newSource('r3', folder, dayAgo);
    expect(livingPredecessors(successor, folder)).toEqual([]);
    await (await openTest({ source: successor })).journal.close();
    expect(isWriterAlive(own, folder)).toBe(false);
    expect(isWriterAlive(successor, folder)).toBe(true);
    expect(listSegments(folder).map((segment) => segment.source)).toEqual([own, successor]);
  });

  it('of a writer that is gone do not belong to another slot whose process was given its id', async () => {
    const gone = newSource('r4', folder);
    await (await openTest({ source: gone })).journal.close();
    const other = newSource('r5', folder, Date.now() - 86_400_000);
    await (await openTest({ source: other })).journal.close();
    expect(isWriterAlive(gone, folder)).toBe(false);
    expect(isWriterAlive(other, folder)).toBe(true);
  });
});

describe('a copy of a journal folder', () => {
  it('is written by nobody, also while the writers of the original run', async () => {
    const own = newSource('r1', folder);
    const { journal } = await openTest({ source: own });
    await journal.close();
    const copy = `${folder}-copy`;
    cpSync(folder, copy, { recursive: true });
    onTestFinished(() => rmSync(copy, { recursive: true }));
    expect(listSegments(copy).map(({ source: name }) => name)).toEqual([own]);
    expect(isWriterAlive(own, folder)).toBe(true);
    expect(isWriterAlive(own, copy)).toBe(false);
  });
});

describe('reading', () => {
  it('waits for a torn tail while its writer lives, and passes it afterwards', async () => {
    const { journal } = await openTest();
    journal.append(visit(1), 1);
    journal.append(visit(2), 2);
    await journal.close();
    const [segment] = listSegments(folder);
    const path = segment?.path ?? '';
    const bytes = readFileSync(path);
    const torn = join(folder, 'torn');
    writeFileSync(torn, bytes.subarray(0, bytes.length - 5));
    const live = await readBatch(torn, 0, { isFinal: false });
    expect(live.records.map(({ record }) => record.live_code_id)).toEqual([1]);
    expect(live.damaged_bytes).toBe(0);
    const final = await readBatch(torn, live.next, { isFinal: true });
    expect(final.records).toEqual([]);
    expect(final.next).toBe(bytes.length - 5);
    expect(final.damaged_bytes).toBe(bytes.length - 5 - live.next);
    writeFileSync(torn, bytes);
    expect((await readBatch(torn, live.next, { isFinal: false })).records.map(({ record }) => record.live_code_id)).toEqual([2]);
  });

  it('takes zeros at the end for room that was made ahead, and zeros before records for a part that was lost', async () => {
    const { journal } = await openTest();
    for (let index = 0; index < 50; index += 1) journal.append(visit(index), index);
    await journal.close();
    const [segment] = listSegments(folder);
    const bytes = readFileSync(segment?.path ?? '');
    const path = join(folder, 'filled');
    writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(2_000_000)]));
    for (const isFinal of [false, true]) {
      const batch = await readBatch(path, 0, { isFinal });
      expect(batch.records.length).toBe(50);
      expect(batch).toMatchObject({ next: bytes.length, length: bytes.length, damaged_bytes: 0 });
      const after = await readBatch(path, bytes.length, { isFinal });
      expect(after).toEqual({ records: [], next: bytes.length, length: bytes.length, damaged_bytes: 0 });
    }

    const lost = join(folder, 'lost');
    const gap = 6_000_000;
    const tail = Buffer.alloc(300);
    const length = encodeRecord(tail, 0, bytes.length + gap, visit(99));
    writeFileSync(lost, Buffer.concat([bytes, Buffer.alloc(gap), tail.subarray(0, length), Buffer.alloc(1_500_000)]));
    const seen: number[] = [];
    let damaged = 0;
    for (let offset = 0; ; ) {
      const batch = await readBatch(lost, offset, { isFinal: true });
      seen.push(...batch.records.map(({ record }) => record.live_code_id));
      damaged += batch.damaged_bytes;
      if (batch.next <= offset) break;
      offset = batch.next;
    }
    expect(seen).toEqual([...Array.from({ length: 50 }, (_, index) => index), 99]);
    expect(damaged).toBe(gap);
  });

  it('passes damage that is longer than what it reads at once', async () => {
    const { journal } = await openTest();
    for (let index = 0; index < 400; index += 1) journal.append(visit(index), index);
    await journal.close();
    const [segment] = listSegments(folder);
    const path = segment?.path ?? '';
    const bytes = readFileSync(path);
    bytes.fill(0xff, 1000, 30_000);
    writeFileSync(path, bytes);
    let offset = 0;
    let damaged = 0;
    const seen: number[] = [];
    for (;;) {
      const batch = await readBatch(path, offset, { isFinal: true, bytes: 4000 });
      seen.push(...batch.records.map(({ record }) => record.live_code_id));
      damaged += batch.damaged_bytes;
      offset = batch.next;
      if (offset === batch.length) break;
    }
    expect(damaged).toBeGreaterThanOrEqual(29_000);
    expect(damaged).toBeLessThan(29_000 + 400);
    expect(seen.at(-1)).toBe(399);
    expect(new Set(seen).size).toBe(seen.length);
  });
});
