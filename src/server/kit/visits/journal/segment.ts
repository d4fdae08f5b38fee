import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderIdentity } from '../../files.ts';

/** A file of visit records: `<source>.<number>.journal`, written by one process from start to end and never opened for writing again. */
export interface Segment {
  name: string;
  path: string;
  source: string;
  /** From 1, growing by one. */
  number: number;
}

/** The process that writes a segment: its place among the redirect processes of this machine, its start, process id and folder. */
interface Source {
  slot: string;
  /** Milliseconds since 1970; after every source before it in the folder, also where the clock was set back. */
  started_at: number;
  pid: number;
  /** Tells the journal folder that it writes from every copy; undefined where the name stands for the same writer in every copy. */
  folder: string | undefined;
}

/** `visit.id` is the segment's id × 2^26 + the record's offset, so that no segment may be longer. */
export const maxSegmentLength = 2 ** 26;

const segmentPattern = /^([a-z0-9]+-[a-z0-9]+-\d+(?:-[a-f0-9]+)?)\.(\d{6,})\.journal$/;
const sourcePattern = /^([a-z0-9]+)-([a-z0-9]+)-(\d+)(?:-([a-f0-9]+))?$/;

export const journalFolder = (dataDir: string): string => join(dataDir, 'journal');

export const segmentName = (source: string, number: number): string => `${source}.${String(number).padStart(6, '0')}.journal`;

/** Tells the writers of a folder from those of the one that it is a copy of, whose processes may run beside it. */
const folderMark = (folder: string): string => createHash('sha256').update(folderIdentity(folder)).digest('hex').slice(0, 10);

/** The name of a process as a writer, wherever it writes; `slot` is lower-case letters and digits. */
export function sourceName(slot: string, startedAt: number, pid = process.pid): string {
  if (!/^[a-z0-9]{1,20}$/.test(slot)) throw new RangeError(`A slot is lower-case letters and digits, not ${JSON.stringify(slot)}.`);
  return `${slot}-${startedAt.toString(36)}-${pid}`;
}

/**
 * The name of this process as a writer of the folder, which is made where it is missing: later than any that is there, because it tells
 * who writes a slot.
 */
export function newSource(slot: string, folder: string, now = Date.now()): string {
  mkdirSync(folder, { recursive: true, mode: 0o750 });
  const latest = listSegments(folder).reduce((start, { source }) => Math.max(start, parseSource(source)?.started_at ?? 0), 0);
  return `${sourceName(slot, Math.max(now, latest + 1))}-${folderMark(folder)}`;
}

function parseSource(source: string): Source | undefined {
  const [, slot, started, pid, folder] = sourcePattern.exec(source) ?? [];
  return slot && started && pid ? { slot, started_at: Number.parseInt(started, 36), pid: Number(pid), folder } : undefined;
}

/** The segments of a journal folder, oldest first; none where the folder isn't there yet. Other files in it are left out. */
export function listSegments(folder: string): Segment[] {
  const segments: (Segment & { started_at: number })[] = [];
  for (const name of readNames(folder)) {
    const [, source, number] = segmentPattern.exec(name) ?? [];
    if (!source || !number) continue;
    const started_at = parseSource(source)?.started_at ?? 0;
    segments.push({ name, path: join(folder, name), source, number: Number(number), started_at });
  }
  segments.sort((a, b) => a.started_at - b.started_at || (a.source < b.source ? -1 : a.source > b.source ? 1 : a.number - b.number));
  return segments.map(({ started_at: _, ...segment }) => segment);
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Whether the process of a source may still write here. It does not once its process is gone, where it writes another folder that this
 * one is a copy of, or once a newer one took its slot or has its process id: a writer takes a slot only when its predecessor is gone, and
 * an id is given out again only when its process is.
 */
export function isWriterAlive(source: string, folder: string): boolean {
  const own = parseSource(source);
  if (!own || !isProcessAlive(own.pid)) return false;
  if (own.folder !== undefined && own.folder !== folderMark(folder)) return false;
  return !listSegments(folder).some((segment) => {
    const other = parseSource(segment.source);
    if (!other || other.started_at <= own.started_at) return false;
    return other.slot === own.slot || other.pid === own.pid;
  });
}

/** Sources of the same slot whose process still runs as a redirect process: a successor waits until there are none. */
export function livingPredecessors(source: string, folder: string): string[] {
  const slot = parseSource(source)?.slot;
  const sources = new Set(listSegments(folder).map((segment) => segment.source));
  sources.delete(source);
  return [...sources].filter((other) => {
    const parsed = parseSource(other);
    return parsed?.slot === slot && parsed !== undefined && isWriterAlive(other, folder) && !isAnotherProgram(parsed.pid);
  });
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, but belongs to another user of the system.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether a process id was given out again to something else; where that can't be seen it counts as not. */
function isAnotherProgram(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
    return command !== '' && !command.includes('redirect');
  } catch {
    return false;
  }
}
