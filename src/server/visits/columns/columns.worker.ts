import { parentPort } from 'node:worker_threads';
import { addLater, hashesOf, readAddresses, visitorsOf } from './addresses.ts';
import type { AskedDay, ById, ScanAnswer, ScanTask } from './columns.ts';
import { isDamaged, type OpenDay, openDay } from './day-file.ts';
import { slotLength } from './layout.ts';
import { createRecent } from './recent.ts';
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
  type Looked,
  look,
  marksOf,
} from './scan.ts';
import { addFirsts, addSums, addTotals, isOfAll, lackingOf } from './totals.ts';

/** The file of a day, or of its first hours, and what came since: one of them may be missing. */
type OpenFiles = { whole: OpenDay | undefined; tail: OpenDay | undefined };

function scan(task: ScanTask): ScanAnswer {
  const opened: OpenDay[] = [];
  const open = (path: string | undefined) => {
    if (path === undefined) return undefined;
    opened.push(openDay(path));
    return opened.at(-1);
  };
  try {
    return scanDays(
      task,
      task.days.map(({ path, tail }) => ({ whole: open(path), tail: open(tail) })),
    );
  } finally {
    for (const day of opened) day.close();
  }
}

function scanDays(task: ScanTask, opened: readonly OpenFiles[]): ScanAnswer {
  const { days, codes, left, seenSince, filters, countings, steps, outcomes, mustBeComplete } = task;
  const asked: Asked = { codes: codes && marksOf(codes), left: left && marksOf(left), seenSince: new Map(seenSince) };
  // Told by a few bytes, before any visits are looked at.
  const lacking = Float64Array.from(new Set(opened.flatMap(({ whole }) => (whole ? [...lackingOf(whole, asked)] : []))));
  if (mustBeComplete && lacking.length > 0) return { isIncomplete: true, lacking };
  const marks = filters.map((filter): Filter | undefined =>
    'ids' in filter ? { column: filter.column, marks: marksOf(filter.ids) } : undefined,
  );
  const found = countings.map((counting) => ({ counting, counts: createCounts() }));
  const [sums, sumsOfTails] = [createSums(steps?.count ?? 0), createSums(steps?.count ?? 0)];
  const returning = { all: createCounts(), returning: createCounts() };
  const recent = task.recent && createRecent(task.recent);
  const first = Math.min(...days.map(({ from }) => from));
  // What leaves the only filter aside is asked of all visits; what is counted by what is filtered, of all that have some ids.
  const isUnfiltered = ({ without }: CountBy) => filters.length === (without === undefined ? 0 : 1);
  const [only] = marks.length === 1 ? marks : [];
  const idsOf = ({ by, without }: CountBy) =>
    only && 'column' in only && only.column === by && without === undefined ? only.marks : undefined;

  /** Adds what one file has of a day. Answers the visits that figures are to be added of. */
  function lookAt(day: OpenDay, number: number, isTail: boolean): Looked | undefined {
    const { from, until, since } = days[number] as AskedDay;
    if (since !== undefined && day.last < since - from) return undefined;
    const ofAll = isOfAll(day, { from, until, since }, asked);
    const ofFile = isTail ? found.filter(({ counting }) => !counting.leavesTails) : found;
    const unknown = ofFile.filter(({ counting, counts }) => !addSums(counts, day, asked, counting));
    const isTotal = (counting: CountBy) => ofAll && (isUnfiltered(counting) || idsOf(counting) !== undefined);
    const left = unknown.filter(({ counting, counts }) => !(isTotal(counting) && addTotals(counts, day, counting, idsOf(counting))));
    const looksAtFirsts = task.returning && !(ofAll && filters.length === 0);
    if (task.returning && !looksAtFirsts) addFirsts(returning, day);
    if (left.length === 0 && !steps && !looksAtFirsts && !recent) return undefined;
    const spared = left.reduce((bits, { counting: { without } }) => (without === undefined ? bits : bits | (1 << without)), 0);
    const ofDay = filters.map(
      (filter, position): Filter => marks[position] ?? { slots: ('slots' in filter && filter.slots[number]) || new Uint8Array() },
    );
    const looked = look(day, { from, until, since }, asked, ofDay, spared);
    if (looked.rows.length === 0) return undefined;
    for (const { counting, counts } of left) countInto(counts, looked, counting, Math.round((from - first) / slotLength));
    if (looksAtFirsts) addReturning(returning, looked);
    recent?.add(looked, from, hashesOf(day.addresses(), asked.codes));
    return looked;
  }

  for (const [number, { whole, tail }] of opened.entries()) {
    const { later } = days[number] as AskedDay;
    const [ofPart, ofTail] = [whole?.visitors ?? 1, tail?.visitors ?? 0];
    const addressesIn = (day: OpenDay | undefined) => readAddresses(day?.addresses(), asked.codes);
    const visitors = steps && (tail || later) ? visitorsOf(addressesIn(whole), addressesIn(tail), { ofPart, ofTail }) : undefined;
    const seen = new Uint8Array(steps ? ofPart + ofTail : 0);
    const stepsBy = { steps: steps?.ofDays[number] ?? new Uint16Array(), outcomes };
    const looked = whole && lookAt(whole, number, false);
    if (steps && looked) addFigures(sums, looked, stepsBy, seen);
    const lookedOfTail = tail && lookAt(tail, number, true);
    if (steps && lookedOfTail) addFigures(sumsOfTails, lookedOfTail, stepsBy, seen, visitors?.numbersOfTail);
    if (visitors && later) addLater(sums.ips, later, visitors, seen);
  }
  const [targetIds, firsts] = returning.all.all();
  return {
    isIncomplete: false,
    lacking,
    counts: found.map(({ counting, counts }): ById => {
      const [ids, visits] = counts.all();
      return counting.by === 'hour' ? [ids.map((slot) => (first + slot * slotLength) / 1000), visits] : [ids, visits];
    }),
    sums: figuresOf(sums, outcomes),
    sumsOfTails: figuresOf(sumsOfTails, outcomes),
    recent: recent?.done(),
    returning: [targetIds, firsts, targetIds.map((id) => returning.returning.of(id))],
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
      const damaged = task.days.flatMap(({ path, tail }) => [path, tail]).filter((path) => path !== undefined && isDamaged(path));
      parentPort?.postMessage({ id, failure: { message: error instanceof Error ? error.message : String(error), damaged } });
    }
  }
});
