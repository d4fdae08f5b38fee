import { renameSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { visitOf } from '../src/server/kit/testing/visit-record.ts';
import { journalFolder } from '../src/server/kit/visits/journal/segment.ts';
import { livingSource, writeSegment } from '../src/server/visits/testing/journal.ts';
import { manyPeople, randomSource } from './journal-data.ts';

/** What `statistics-beside` tells this thread: the codes with their targets, where to write, in which folder beside it, and how many a second. */
export type WriterData = { codes: readonly { id: number; targets: number[] }[]; dataDir: string; aside: string; rate: number };
const { codes, dataDir, aside, rate }: WriterData = workerData;

/** Who comes, again and again. */
const peopleNumber = 500_000;
const random = randomSource(1);
const people = manyPeople(random, peopleNumber);
const oneOf = <T>(list: readonly T[], skew = 1): T | undefined => list[Math.floor(random() ** skew * list.length)];
const visit = () => {
  const { id = 0, targets = [] } = oneOf(codes, 3) ?? {};
  return visitOf({
    live_code_id: id,
    target_id: oneOf(targets) ?? 0,
    ...oneOf(people),
    host: `d${Math.floor(random() * 20)}.example.com`,
  });
};

// Two redirect processes, each of which ends a segment every second.
const sources = ['one', 'two'].map((name) => livingSource(name));
let number = 0;
const writing = setInterval(() => {
  number += 1;
  for (const source of sources) {
    const written = writeSegment(aside, source, number, Array.from({ length: rate / sources.length }, visit));
    // Whole at once, as the loader finds it.
    renameSync(written, written.replace(aside, journalFolder(dataDir)));
  }
}, 1_000);
parentPort?.once('message', () => clearInterval(writing));
parentPort?.postMessage('ready');
