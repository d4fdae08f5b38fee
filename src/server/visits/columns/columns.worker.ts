import { parentPort } from 'node:worker_threads';
import type { AskedDay, ScanAnswer, ScanTask } from './columns.ts';
import { isDamaged, type OpenDay, openDay } from './day-file.ts';
import { slotLength } from './layout.ts';
import {
  type Asked,
  addFigures,
  addReturning,
  type CountBy,
  countInto,
  createCounts,
  createSums,
  type Filter,
  figuresOf,
  look,
  marksOf,
} from './scan.ts';
import { addFirsts, addSums, addTotals, isComplete, isOfAll } from './totals.ts';

function scan(task: ScanTask): ScanAnswer {
  const days = task.days.map(({ path }) => openDay(path));
  try {
    return scanDays(task, days);
  } finally {
    for (const day of days) day.close();
  }
}

function scanDays(task: ScanTask, opened: readonly OpenDay[]): ScanAnswer {
  const { days, codes, seenSince, filters, countings, steps, outcomes, targets, mustBeComplete } = task;
  const asked: Asked = { codes: codes && marksOf(codes), seenSince: new Map(seenSince) };
  // Told by a few bytes, before any visits are looked at.
  const areComplete = opened.every((day) => isComplete(day, asked));
  if (mustBeComplete && !areComplete) return { isIncomplete: true };
  const marks = filters.map((filter): Filter | undefined =>
    'ids' in filter ? { column: filter.column, marks: marksOf(filter.ids) } : undefined,
  );
  const wanted = targets && marksOf(targets);
  const found = countings.map((counting) => ({ counting, counts: createCounts() }));
  const sums = createSums(steps?.count ?? 0);
  const returning = { all: createCounts(), returning: createCounts() };
  const first = Math.min(...days.map(({ from }) => from));
  // What leaves the only filter aside is asked of all visits.
  const isUnfiltered = ({ without }: CountBy) => filters.length === (without === undefined ? 0 : 1);
  for (const [number, day] of opened.entries()) {
    const { from, until, later } = days[number] as AskedDay;
    const ofAll = isOfAll(day, { from, until }, asked);
    const unknown = found.filter(({ counting, counts }) => !addSums(counts, day, asked, counting));
    const left = unknown.filter(({ counting, counts }) => !(ofAll && isUnfiltered(counting) && addTotals(counts, day, counting)));
    const looksAtFirsts = wanted && !(ofAll && filters.length === 0);
    if (wanted && !looksAtFirsts) addFirsts(returning, day, wanted);
    if (left.length === 0 && !steps && !looksAtFirsts) continue;
    const spared = left.reduce((bits, { counting: { without } }) => (without === undefined ? bits : bits | (1 << without)), 0);
    const ofDay = filters.map(
      (filter, position): Filter => marks[position] ?? { slots: ('slots' in filter && filter.slots[number]) || new Uint8Array() },
    );
    const looked = look(day, { from, until }, asked, ofDay, spared);
    if (looked.rows.length === 0 && !later) continue;
    for (const { counting, counts } of left) countInto(counts, looked, counting, Math.round((from - first) / slotLength));
    if (steps) addFigures(sums, looked, { steps: steps.ofDays[number] ?? new Uint16Array(), outcomes, later });
    if (looksAtFirsts) addReturning(returning, looked, wanted);
  }
  return {
    isIncomplete: false,
    isComplete: areComplete,
    counts: found.map(({ counting, counts }) => {
      const [ids, visits] = counts.all();
      return counting.by === 'hour' ? [ids.map((slot) => (first + slot * slotLength) / 1000), visits] : [ids, visits];
    }),
    sums: figuresOf(sums, outcomes),
    returning: [...returning.all.all()[0]].map((id) => [id, [returning.all.of(id), returning.returning.of(id)]]),
  };
}

parentPort?.on('message', ({ id, task }: { id: number; task: ScanTask }) => {
  try {
    parentPort?.postMessage({ id, answer: scan(task) });
  } catch (error) {
    // Another version of the day is there by now.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      parentPort?.postMessage({ id, answer: { isIncomplete: true } });
    else {
      const damaged = task.days.flatMap(({ path }) => (isDamaged(path) ? [path] : []));
      parentPort?.postMessage({ id, failure: { message: error instanceof Error ? error.message : String(error), damaged } });
    }
  }
});
