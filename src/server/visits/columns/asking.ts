import { outcomes } from '../../../contract/enums.ts';
import type { FilterDimension } from '../../../contract/visits/historical-statistics.ts';
import type { Log } from '../../kit/calls/context.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { clearedCodes, codesOf, idsOfFilter } from '../clickhouse/ids.ts';
import { filteredDimensions } from '../statistics/workbench/conditions.ts';
import { weekdayOf } from '../statistics/workbench/dimensions.ts';
import type { Question } from '../statistics/workbench/store.ts';
import type { Later } from './addresses.ts';
import { type AskedDay, type Columns, FileFault, type ScanAnswer, type ScanTask } from './columns.ts';
import { slotLength } from './layout.ts';
import type { Plan } from './planning.ts';

export const slotsOfDay = 26 * 4;

/** `isComplete` where every visit that passed kept a row; `left` are codes whose visits are left aside. */
export type Found = Exclude<ScanAnswer, { isIncomplete: true }> & { isComplete: boolean; left?: readonly number[] };
/** Codes some of whose visits that passed kept no row: what was asked for all visits is not told. */
type Lacking = { lacking: Float64Array; counts?: undefined };
/** What is asked of the days that have files, beside the question itself. */
export type Wish = Partial<Pick<ScanTask, 'countings' | 'steps' | 'returning' | 'recent'>> & {
  /** Who came after what files have, by day. */
  later?: ReadonlyMap<string, Later>;
};
/** Some may be asked only where every visit that passed kept a row, the visits of some codes left aside. */
type OwnWish = Wish & { mustBeComplete?: boolean; left?: readonly number[] | undefined };
type Answer = Promise<Found | Lacking | undefined>;
type Waiting = { wish: OwnWish; resolve: (found: Answer) => void };
/** Counts of more codes take too long to be read beside files. */
const maxLeft = 1_000;

export const positionsOf = (names: readonly string[] | undefined): number[] =>
  (names ?? ['passed']).map((name) => outcomes.indexOf(name as (typeof outcomes)[number])).filter((position) => position >= 0);

/**
 * Asks files. What one call wants to know of the same visits, under the same filters, is asked in one look: reading them and telling which
 * fit takes longer than to count them once more.
 */
export function createAsking({ columns, log }: { columns: Columns; log: Pick<Log, 'warn'> }) {
  const waiting = new WeakMap<Plan, Map<string, Waiting[]>>();

  async function askAll(db: Database, question: Question, plan: Plan, wishes: readonly OwnWish[]): Answer {
    const { days, lacksRows } = plan;
    const countings = wishes.flatMap(({ countings = [] }) => countings);
    if (days.length === 0) return foundNothing(countings.length);
    const codes = question.codes && Float64Array.from(await codesOf(db, question));
    const filters: ScanTask['filters'][number][] = [];
    for (const dimension of filteredDimensions(question.filters)) filters.push(await filterOf(db, dimension, question, days));
    const later = wishes.find((wish) => wish.later)?.later;
    const recent = wishes.find((wish) => wish.recent)?.recent;
    const left = wishes[0]?.left;
    const task: ScanTask = {
      days: days.map(
        ({ day, path, tail, from, until }): AskedDay => ({ path, tail, from, until, since: recent?.first, later: later?.get(day) }),
      ),
      codes,
      left: left && left.length > 0 ? Float64Array.from(left) : undefined,
      seenSince: question.hidden.some || question.hidden.near ? await clearedCodes(db, question) : [],
      filters,
      outcomes: positionsOf(question.filters.outcome),
      countings,
      steps: wishes.find(({ steps }) => steps)?.steps,
      returning: wishes.some(({ returning }) => returning),
      recent,
      mustBeComplete: wishes.every(({ mustBeComplete }) => mustBeComplete === true),
    };
    try {
      const answer = await columns.scan(task);
      if (answer.isIncomplete) return answer.lacking && { lacking: answer.lacking };
      return { ...answer, isComplete: answer.lacking.length === 0 && !lacksRows };
    } catch (error) {
      if (error instanceof FileFault) columns.forget(error.damaged);
      log.warn({ error: error instanceof Error ? error.message : String(error) }, 'days of visits in columns were not read; rows are');
      return undefined;
    }
  }

  /** Gives each who waits what he asked for of the answer to all. */
  function answer(found: Answer, asked: readonly Waiting[]): void {
    let first = 0;
    for (const { wish, resolve } of asked) {
      const [begin, end] = [first, first + (wish.countings?.length ?? 0)];
      first = end;
      resolve(
        found.then((all) => {
          if (!all?.counts) return all;
          return wish.mustBeComplete && all.lacking.length > 0
            ? { lacking: all.lacking }
            : { ...all, counts: all.counts.slice(begin, end) };
        }),
      );
    }
  }

  function askOnce(db: Database, question: Question, plan: Plan, wish: OwnWish): Answer {
    const ofPlan = waiting.get(plan) ?? new Map<string, Waiting[]>();
    waiting.set(plan, ofPlan);
    const key = JSON.stringify([
      question.filters,
      wish.steps && 'steps',
      wish.returning && 'returning',
      wish.recent && 'recent',
      wish.left?.join() ?? '',
    ]);
    const { promise, resolve } = Promise.withResolvers<Awaited<Answer>>();
    const asked = ofPlan.get(key);
    if (asked) asked.push({ wish, resolve });
    else {
      const own: Waiting[] = [{ wish, resolve }];
      ofPlan.set(key, own);
      setImmediate(() => {
        ofPlan.delete(key);
        answer(
          askAll(
            db,
            question,
            plan,
            own.map((one) => one.wish),
          ),
          own,
        );
      });
    }
    return promise;
  }

  return {
    /** Resolves to undefined where rows have to be read after all. */
    async ask(db: Database, question: Question, plan: Plan, wish: Wish): Promise<Found | undefined> {
      const found = await askOnce(db, question, plan, wish);
      return found?.counts && found;
    },

    /** Leaves codes aside of which visits that passed kept no row, and tells which; undefined where counts have to be read after all. */
    async askWhole(db: Database, question: Question, plan: Plan, wish: Wish): Promise<Found | undefined> {
      if (plan.lacksRows) return undefined;
      let left: readonly number[] = plan.unlogged;
      let found = await askOnce(db, question, plan, { ...wish, mustBeComplete: true, left });
      if (found && !found.counts) {
        left = [...new Set([...left, ...found.lacking])];
        found = left.length > maxLeft ? undefined : await askOnce(db, question, plan, { ...wish, mustBeComplete: true, left });
      }
      return found?.counts && { ...found, left };
    },
  };
}

/** What is found on no days, of so many countings. */
const foundNothing = (countings: number): Found => ({
  ...{
    isIncomplete: false,
    isComplete: true,
    lacking: new Float64Array(),
    returning: [new Float64Array()],
    sums: new Float64Array(),
    sumsOfTails: new Float64Array(),
  },
  counts: Array.from({ length: countings }, () => [new Float64Array(), new Float64Array()]),
});

async function filterOf(
  db: Database,
  dimension: FilterDimension,
  question: Question,
  days: Plan['days'],
): Promise<ScanTask['filters'][number]> {
  const { clock, filters } = question;
  const values = filters[dimension] ?? [];
  if (dimension === 'hour' || dimension === 'weekday')
    return {
      slots: days.map(({ day, from }) =>
        Uint8Array.from({ length: slotsOfDay }, (_, slot) => {
          const shown = dimension === 'weekday' ? weekdayOf(day) : clock.clockHourOf(from + slot * slotLength);
          return values.includes(String(shown)) ? 1 : 0;
        }),
      ),
    };
  const { column, ids } = await idsOfFilter(db, dimension, question);
  return { column, ids: Float64Array.from(ids) };
}
