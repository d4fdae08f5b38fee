import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { maxStatisticsDays } from '../../../contract/visits/historical-statistics.ts';
import type { Log } from '../../kit/calls/context.ts';
import { addDays } from '../../kit/visits/site-clock.ts';
import type { Later } from './addresses.ts';
import { layout } from './day-file.ts';
import type { NamedColumn } from './layout.ts';
import type { Recent, RecentTask } from './recent.ts';
import type { CountBy } from './scan.ts';
import { isTail } from './tails.ts';

/**
 * A day of the site that has a file, of itself or of its first hours, a tail of what came after these, or both: when it begins, up to when its
 * visits are asked for, since when where not from its start, and who came after that, on the same day.
 */
export type AskedDay = {
  path: string | undefined;
  tail: string | undefined;
  from: number;
  until: number;
  since?: number | undefined;
  later?: Later | undefined;
};

export type ScanTask = {
  days: readonly AskedDay[];
  codes: Float64Array | undefined;
  /** Codes whose visits are left aside. */
  left: Float64Array | undefined;
  seenSince: readonly [code: number, since: number][];
  /** By a dictionary's ids, or by quarters of an hour of each day. */
  filters: readonly ({ column: NamedColumn; ids: Float64Array } | { slots: readonly Uint8Array[] })[];
  countings: readonly CountBy[];
  /** The step of each quarter of an hour, of each day. */
  steps: { count: number; ofDays: readonly Uint16Array[] } | undefined;
  outcomes: readonly number[] | undefined;
  /** Whether returning visitors are asked for, by target. */
  returning: boolean;
  /** Asked of one day. */
  recent?: RecentTask | undefined;
  /** Asks only where every visit that passed kept a row. */
  mustBeComplete: boolean;
};

/** Numbers by id, which ascend. */
export type ById = readonly [ids: Float64Array, ...numbers: Float64Array[]];

type Found = {
  isIncomplete: false;
  /** Codes some of whose visits that passed kept no row. */
  lacking: Float64Array;
  counts: ById[];
  sums: Float64Array;
  /** Of the tails of days. */
  sumsOfTails: Float64Array;
  /** First visits of a day by target, and those of returning visitors. */
  returning: ById;
  recent?: Recent | undefined;
};
/** Without `lacking` a file was gone. */
export type ScanAnswer = { isIncomplete: true; lacking?: Float64Array } | Found;

type Failure = { message: string; damaged: readonly string[] };
/** A file could not be read, or is none of a day. */
export class FileFault extends Error {
  override name = 'FileFault';
  /** Paths of the files that are not as they were written. */
  readonly damaged: readonly string[];
  constructor({ message, damaged }: Failure) {
    super(message);
    this.damaged = damaged;
  }
}

/** What a file is of: a day that is over, the first hours of one that goes on, or what came `since` then; and the file of less of it that it goes on with. */
export type DayTask = {
  path: string;
  day: string;
  kind: 'day' | 'part' | 'tail';
  from: string;
  to: string;
  since?: string;
  onto?: { path: string; to: string } | undefined;
};

const idleMilliseconds = 60_000;
/** A part or a tail rests for so many times what it took to make, where visits keep coming: what a tail lacks is read of rows meanwhile. */
const defaultRests = { part: 20, tail: 4 };
const maxThreads = 2;

/** Threads that look through days for questions; they end when nobody asks. */
function createThreads() {
  type Thread = { worker: Worker; waiting: Map<number, { resolve: (answer: ScanAnswer) => void; reject: (error: Error) => void }> };
  let threads: Thread[] = [];
  let next = 0;
  let idle: NodeJS.Timeout | undefined;

  function start(): Thread {
    const thread: Thread = { worker: new Worker(new URL('./columns.worker.ts', import.meta.url)), waiting: new Map() };
    const fail = (error: Error) => {
      threads = threads.filter((other) => other !== thread);
      for (const { reject } of thread.waiting.values()) reject(error);
      thread.waiting.clear();
    };
    thread.worker.on('message', ({ id, answer, failure }: { id: number; answer?: ScanAnswer; failure?: Failure }) => {
      const asked = thread.waiting.get(id);
      thread.waiting.delete(id);
      if (answer) asked?.resolve(answer);
      else if (failure) asked?.reject(new FileFault(failure));
    });
    thread.worker.on('error', fail);
    thread.worker.on('exit', (code) => fail(new Error(`a thread ended: ${code}`)));
    thread.worker.unref();
    return thread;
  }

  function end(): void {
    if (threads.some(({ waiting }) => waiting.size > 0)) return;
    for (const { worker } of threads) void worker.terminate();
    threads = [];
  }

  function ask(thread: Thread, task: ScanTask): Promise<ScanAnswer> {
    next += 1;
    const id = next;
    return new Promise((resolve, reject) => {
      thread.waiting.set(id, { resolve, reject });
      thread.worker.postMessage({ id, task });
    });
  }

  return {
    /** @throws FileFault where a file cannot be read, Error where a thread ended */
    async scan(task: ScanTask): Promise<ScanAnswer> {
      clearTimeout(idle);
      const number = Math.min(maxThreads, availableParallelism(), Math.max(1, task.days.length >> 2));
      while (threads.length < number) threads.push(start());
      idle = setTimeout(end, idleMilliseconds);
      idle.unref();
      const parts = threads.slice(0, number).map((thread, part) => ask(thread, partOf(task, part, number)));
      return merged(await allOf(parts));
    },
    end: async () => {
      clearTimeout(idle);
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

/** What all threads answer, or the files that any of them found damaged. */
async function allOf(parts: readonly Promise<ScanAnswer>[]): Promise<ScanAnswer[]> {
  const faults: FileFault[] = [];
  const answers: ScanAnswer[] = [];
  for (const part of await Promise.allSettled(parts)) {
    if (part.status === 'fulfilled') answers.push(part.value);
    else if (part.reason instanceof FileFault) faults.push(part.reason);
    else throw part.reason;
  }
  const [first] = faults;
  if (first) throw new FileFault({ message: first.message, damaged: faults.flatMap(({ damaged }) => damaged) });
  return answers;
}

/** Every second day, so that each thread has as much to do. */
function partOf(task: ScanTask, part: number, number: number): ScanTask {
  if (number === 1) return task;
  const own = <T>(list: readonly T[]): T[] => list.filter((_, index) => index % number === part);
  return {
    ...task,
    days: own(task.days),
    filters: task.filters.map((filter) => ('slots' in filter ? { slots: own(filter.slots) } : filter)),
    steps: task.steps && { ...task.steps, ofDays: own(task.steps.ofDays) },
  };
}

function merged(answers: readonly ScanAnswer[]): ScanAnswer {
  const found: Found[] = [];
  for (const answer of answers) if (!answer.isIncomplete) found.push(answer);
  const lacking = Float64Array.from(new Set(answers.flatMap((answer) => [...(answer.lacking ?? [])])));
  if (found.length < answers.length) return { isIncomplete: true, ...(answers.every((answer) => answer.lacking) && { lacking }) };
  const [first, ...others] = found;
  if (!first) return { isIncomplete: true };
  if (others.length === 0) return first;
  const counts = first.counts.map((own, index) => others.reduce((sum, other) => addedById(sum, other.counts[index] ?? none), own));
  const returning = others.reduce((sum, other) => addedById(sum, other.returning), first.returning);
  const summed = (what: 'sums' | 'sumsOfTails') =>
    first[what].map((sum, position) => others.reduce((total, other) => total + (other[what][position] ?? 0), sum));
  return {
    ...{ isIncomplete: false, lacking, counts },
    ...{ sums: summed('sums'), sumsOfTails: summed('sumsOfTails'), returning },
  };
}

const none: ById = [new Float64Array()];
/** Side by side, as ids ascend: there are tens of thousands of targets, and to look each up takes ten times as long. */
export function addedById([ids, ...numbers]: ById, [otherIds, ...others]: ById): ById {
  const roomForBoth = () => new Float64Array(ids.length + otherIds.length);
  const [foundIds, found] = [roomForBoth(), numbers.map(roomForBoth)];
  let left = 0;
  let right = 0;
  let kept = 0;
  for (; left < ids.length || right < otherIds.length; kept += 1) {
    const id = Math.min(ids[left] ?? Number.POSITIVE_INFINITY, otherIds[right] ?? Number.POSITIVE_INFINITY);
    const isLeft = ids[left] === id;
    const isRight = otherIds[right] === id;
    foundIds[kept] = id;
    for (let column = 0; column < found.length; column += 1)
      (found[column] as Float64Array)[kept] =
        (isLeft ? (numbers[column]?.[left] ?? 0) : 0) + (isRight ? (others[column]?.[right] ?? 0) : 0);
    if (isLeft) left += 1;
    if (isRight) right += 1;
  }
  return [foundIds.subarray(0, kept), ...found.map((list) => list.subarray(0, kept))];
}

type Options = { dataDir: string; databaseUrl: string; log: Pick<Log, 'warn'>; rests?: typeof defaultRests };

/** Days of visits by columns in files of this host, made of the rows in the database where they are asked for and not there. */
export function createColumns({ dataDir, databaseUrl, log, rests = defaultRests }: Options) {
  const folder = join(dataDir, 'visit-columns');
  const threads = createThreads();
  const queue = new Map<string, DayTask>();
  let building: Promise<void> | undefined;
  /** Which of the queue is being made. */
  let present: string | undefined;
  let worker: Worker | undefined;
  let isEnding = false;
  /** What failed to be built is not tried again at once. */
  let restUntil = 0;
  const restUntilOf = { day: 0, part: 0, tail: 0 };

  /** The files of a day of one database, each as its visits stood at a version; and of which versions there are any. */
  function ofDay(database: string, zone: string, day: string) {
    const place = join(folder, createHash('sha256').update(`${database} ${zone} ${layout}`).digest('hex').slice(0, 16));
    return {
      pathOf: (version: string): string => join(place, `${day}.${version}`),
      stored: (): string[] => (existsSync(place) ? readdirSync(place) : []).flatMap((name) => (dayOf(name) === day ? versionOf(name) : [])),
    };
  }

  async function buildAll(): Promise<void> {
    worker = new Worker(new URL('./build.worker.ts', import.meta.url), { workerData: { databaseUrl } });
    worker.unref();
    try {
      for (let next = queue.entries().next().value; next; next = queue.entries().next().value) {
        const [place, task] = next;
        present = place;
        const begunAt = performance.now();
        await buildOne(worker, task);
        const endedAt = performance.now();
        if (task.kind !== 'day') restUntilOf[task.kind] = endedAt + rests[task.kind] * (endedAt - begunAt);
        queue.delete(place);
      }
    } catch (error) {
      restUntil = performance.now() + idleMilliseconds;
      queue.clear();
      if (!isEnding)
        log.warn(
          { error: error instanceof Error ? error.message : String(error) },
          'days of visits were not put in columns; rows are read',
        );
    } finally {
      present = undefined;
      await worker.terminate();
      worker = undefined;
    }
  }

  return {
    ofDay,
    isThere: existsSync,
    scan: threads.scan,
    /** Builds days one after the other, the first asked first; what is not there yet is answered otherwise meanwhile. Whether they will be built. */
    buildSoon(tasks: readonly DayTask[]): boolean {
      if (performance.now() < restUntil) return false;
      // Of what goes on only the longest waits, behind the one that is being made.
      for (const task of tasks) {
        if (performance.now() < restUntilOf[task.kind]) continue;
        const place = task.kind === 'day' ? task.path : `${task.kind} ${task.day}`;
        if (place !== present) queue.set(place, task);
      }
      if (queue.size === 0) return false;
      building ??= buildAll().finally(() => {
        building = undefined;
      });
      return true;
    },
    /** Removes what cannot be read, so that it is built again, in a while. */
    forget(paths: readonly string[]): void {
      restUntil = performance.now() + idleMilliseconds;
      for (const path of paths) rmSync(path, { force: true });
    },
    /** Resolves when all that was asked to be built is there, or failed. */
    built: async () => building,
    end: async () => {
      isEnding = true;
      queue.clear();
      await Promise.all([threads.end(), worker?.terminate()]);
    },
  };
}
export type Columns = ReturnType<typeof createColumns>;
export type FilesOfDay = ReturnType<Columns['ofDay']>;

// The name of a file is its day and its version.
const dayOf = (name: string): string => name.split('.', 1)[0] ?? '';
const versionOf = (name: string): string => name.slice(name.indexOf('.') + 1);

function buildOne(worker: Worker, task: DayTask): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      worker.off('message', hear);
      worker.off('error', fail);
      worker.off('exit', leave);
      settle();
    };
    const hear = ({ failure }: { failure?: string }) => end(() => (failure === undefined ? resolve() : reject(new Error(failure))));
    const fail = (error: Error) => end(() => reject(error));
    const leave = (code: number) => end(() => reject(new Error(`the thread that builds ended: ${code}`)));
    worker.on('message', hear);
    worker.on('error', fail);
    worker.on('exit', leave);
    worker.postMessage(task);
  });
}

/**
 * Removes files of other versions of a day, of days that nobody may ask for any more, and of another clock, database or layout. A part or a
 * tail leaves the one before it, which questions may be about to read.
 */
export function removeOlder({ path, day, kind }: DayTask): void {
  const folder = dirname(path);
  const oldest = addDays(day, -2 * maxStatisticsDays);
  const names = readdirSync(folder);
  const isAlike = (name: string) => kind === 'day' || isTail(versionOf(name)) === (kind === 'tail');
  const others = names.filter((name) => dayOf(name) === day && name !== basename(path) && isAlike(name)).map((name) => join(folder, name));
  const last = kind === 'day' ? Number.POSITIVE_INFINITY : Math.max(...others.map((other) => statSync(other).mtimeMs));
  for (const other of others) if (kind === 'day' || statSync(other).mtimeMs < last) rmSync(other, { force: true });
  for (const name of names) if (name < oldest) rmSync(join(folder, name), { force: true });
  for (const other of readdirSync(dirname(folder)))
    if (other !== basename(folder)) rmSync(join(dirname(folder), other), { recursive: true, force: true });
}
