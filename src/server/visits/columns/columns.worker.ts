import { parentPort } from 'node:worker_threads';
import type { ScanAnswer, ScanTask } from './columns.ts';
import { openDay } from './day-file.ts';
import {
  type Asked,
  addFigures,
  addReturning,
  countInto,
  createCounts,
  type Filter,
  figures,
  isComplete,
  look,
  marksOf,
  slotLength,
} from './scan.ts';

function scan({ days, codes, seenSince, ofCodes, filters, countings, steps, outcomes, targets, mustBeComplete }: ScanTask): ScanAnswer {
  const asked: Asked = { codes: codes && marksOf(codes), seenSince: new Map(seenSince), ofCodes };
  const marks = filters.map((filter): Filter | undefined =>
    'ids' in filter ? { column: filter.column, marks: marksOf(filter.ids) } : undefined,
  );
  const wanted = targets && marksOf(targets);
  const found = countings.map(createCounts);
  const sums = new Float64Array(figures * ((steps?.count ?? 0) + 1));
  const returning = { all: createCounts(), returning: createCounts() };
  const first = Math.min(...days.map(({ from }) => from));
  const spared = countings.reduce((bits, { without }) => (without === undefined ? bits : bits | (1 << without)), 0);
  const areComplete = days.every(({ path }) => isWhole(path, asked));
  if (mustBeComplete && !areComplete) return { isIncomplete: true };
  for (const [number, { path, from, until, later }] of days.entries()) {
    const day = openDay(path);
    try {
      const ofDay = filters.map(
        (filter, position): Filter => marks[position] ?? { slots: ('slots' in filter && filter.slots[number]) || new Uint8Array() },
      );
      const looked = look(day, from, until, asked, ofDay, spared);
      if (looked.rows.length === 0 && !later) continue;
      for (const [index, counting] of countings.entries()) {
        const counts = found[index];
        if (counts) countInto(counts, looked, counting, Math.round((from - first) / slotLength));
      }
      if (steps) addFigures(sums, looked, { steps: steps.ofDays[number] ?? new Uint16Array(), outcomes, later });
      if (wanted) addReturning(returning, looked, wanted);
    } finally {
      day.close();
    }
  }
  return {
    isIncomplete: false,
    isComplete: areComplete,
    counts: found.map((counts, index) => {
      const [ids, visits] = counts.all();
      if (countings[index]?.by === 'hour') return [ids.map((slot) => (first + slot * slotLength) / 1000), visits];
      return [ids, visits];
    }),
    sums,
    returning: [...returning.all.all()[0]].map((id) => [id, [returning.all.of(id), returning.returning.of(id)]]),
  };
}

/** Told by a few bytes, before any visits are looked at. */
function isWhole(path: string, asked: Asked): boolean {
  const day = openDay(path);
  try {
    return isComplete(day, asked);
  } finally {
    day.close();
  }
}

parentPort?.on('message', ({ id, task }: { id: number; task: ScanTask }) => {
  try {
    parentPort?.postMessage({ id, answer: scan(task) });
  } catch (error) {
    // Another version of the day is there by now.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      parentPort?.postMessage({ id, answer: { isIncomplete: true } });
    else parentPort?.postMessage({ id, failure: error instanceof Error ? error.message : String(error) });
  }
});
