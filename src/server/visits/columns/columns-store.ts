import { and, sql } from 'drizzle-orm';
import type { Log } from '../../kit/calls/context.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { relationOf, relationOfSums } from '../clickhouse/relation.ts';
import { addressesOfRows, minutesOfRows, placesOfRows } from '../statistics/recent-visits.ts';
import type { Span } from '../statistics/spans.ts';
import { isClearedNear, sumsOfCodes } from '../statistics/visible.ts';
import { filteredDimensions } from '../statistics/workbench/conditions.ts';
import { counted, needsRows, visitsBy } from '../statistics/workbench/counted.ts';
import type { Family } from '../statistics/workbench/dimensions.ts';
import { figuresOfPart, postgresStore } from '../statistics/workbench/postgres-store.ts';
import type { Counting, Countings, Question, StepSums, VisitStore } from '../statistics/workbench/store.ts';
import { createAsking, type Found, positionsOf, slotsOfDay, type Wish } from './asking.ts';
import { addedById, type ById, type ScanTask } from './columns.ts';
import { codeSums, slotLength } from './layout.ts';
import { besides, createPlanning, type Plan, type PlanningOptions, restsOf } from './planning.ts';
import { askRests, noCounts, type Rest, unionOf } from './rests.ts';
import { figures } from './scan.ts';

const columnOf: Record<Family, CountByColumn> = {
  outcome: 'outcome',
  target: 'target',
  place: 'place',
  // Which device a user agent is, PostgreSQL knows.
  device: 'agent',
  agent: 'agent',
  language: 'language',
  referer: 'referer',
  host: 'host',
  time: 'hour',
};
type CountByColumn = ScanTask['countings'][number]['by'];

/**
 * Days that are over, and the hours of today that are, by columns in files of this host: the same answers as of the rows, which stand for all that has no file and for small
 * questions. A file is of one version of its day; whoever changes rows of a day that is over changes the version.
 */
export function columnsStore({ log, ...options }: PlanningOptions & { log: Pick<Log, 'warn'> }): VisitStore {
  const { planOf, planBesideCounts } = createPlanning(options);
  const { ask, askWhole } = createAsking({ columns: options.columns, log });

  /** Countings that differ in the filter that each leaves aside, in one look, with more that is asked of the same visits. */
  async function lookOf(
    db: Database,
    question: Question,
    countings: readonly Counting[],
    { isOfCounts, ...more }: Pick<Wish, 'returning'> & { isOfCounts: boolean },
  ): Promise<Looked | undefined> {
    const plan = isOfCounts ? await planBesideCounts(db, question) : await planOf(db, question);
    if (!plan) return undefined;
    const dimensions = filteredDimensions(question.filters);
    const wish: Wish = {
      ...more,
      countings: countings.map(({ question: own, family }) => {
        const without = dimensions.findIndex((dimension) => own.filters[dimension] === undefined);
        return {
          by: columnOf[family],
          outcomes: family === 'outcome' ? undefined : positionsOf(own.filters.outcome),
          without: without < 0 ? undefined : without,
          // What reached no code is not among the counts.
          ofCodes: isOfCounts && question.codes === undefined,
          leavesTails: isOfCounts && !plan.tailsAreWhole,
        };
      }),
    };
    const restsWithout = (left: readonly number[]) => askRests(db, { question, plan, countings, isOfCounts, left });
    const known = isOfCounts ? plan.unlogged : [];
    const looks = [isOfCounts ? askWhole(db, question, plan, wish) : ask(db, question, plan, wish), restsWithout(known)] as const;
    const [found, early] = await Promise.all(looks);
    if (!found) return undefined;
    const { left = [] } = found;
    const rests = left.length === known.length ? early : await restsWithout(left);
    return { plan, found, counts: found.counts.map((own, index) => addedById(own, rests[index]?.told ?? noCounts)), rests };
  }

  async function countingsOf(
    db: Database,
    question: Question,
    countings: readonly Counting[],
    isOfCounts: boolean,
  ): Promise<Countings | undefined> {
    const looked = await lookOf(db, question, countings, { isOfCounts });
    if (!looked) return undefined;
    const { counts, rests } = looked;
    const apart = countings.map(({ isApart }, index) => (isApart ? byId(counts[index] ?? []) : undefined));
    const found = countings.map(({ family }, index) =>
      unionOf([relationOf(family, apart[index] ? [] : (counts[index] ?? [])), ...(rests[index]?.untold ?? [])]),
    );
    return { found, apart };
  }

  const store: VisitStore = {
    counted: async (db, question, family) =>
      (await countingsOf(db, question, [{ question, family }], false))?.found[0] ?? counted(question, family),

    countedTogether: async (db, question, countings) =>
      (await countingsOf(db, question, countings, false)) ?? postgresStore.countedTogether(db, question, countings),

    ofCounts: (db, question, countings) => countingsOf(db, question, countings, true),

    sumsOfCodes: async (db, question) => {
      const { codes, span, clock, hidden } = question;
      const isTouched = isClearedNear(span);
      const untouched = { ...question, codes: and(codes, sql`NOT ${isTouched}`), hidden: { some: false, near: false } };
      const plan = await planBesideCounts(db, untouched);
      if (!plan || plan.days.some(({ isCut }) => isCut)) return undefined;
      const countings = codeSums.map((by) => ({ by, outcomes: undefined, without: undefined, ofCodes: false }));
      const found = await ask(db, untouched, plan, { countings });
      if (!found) return undefined;
      // A tail knows no sums.
      const parts = [...plan.gaps, ...restsOf(plan)].map((part) => sumsOfCodes(untouched.codes, part, clock, untouched.hidden));
      if (hidden.some || hidden.near) parts.push(sumsOfCodes(and(codes, isTouched), span, clock, hidden));
      const columns = sql`live_code_id, visits, ips, new_ips, refused`;
      const all = [relationOfSums(found.counts), ...parts].map((part) => sql`SELECT ${columns} FROM ${part} AS part`);
      return sql`(${sql.join(all, sql` UNION ALL `)})`;
    },

    figures: async (db, question, starts) => {
      const plan = await planOf(db, question);
      if (!plan) return postgresStore.figures(db, question, starts);
      const rests = await rowsAfterTails(db, question, starts, plan);
      const later = new Map(rests.map(({ day, later }) => [day, later]));
      const found = await ask(db, question, plan, { steps: stepsOf(starts, plan), later });
      if (!found) return postgresStore.figures(db, question, starts);
      const parts = sumsOf(found.sums, starts.length);
      for (const span of plan.gaps) {
        const own = { ...question, span };
        const { steps } = await postgresStore.figures(db, own, starts);
        parts.push(...(await withCounts(db, question, [span], starts, steps, found.isComplete)));
      }
      const since = [...sumsOf(found.sumsOfTails, starts.length), ...rests.flatMap(({ steps }) => steps)];
      const isTold = found.isComplete && plan.tailsAreWhole && plan.unlogged.length === 0;
      parts.push(...(isTold ? since : await withCounts(db, question, restsOf(plan), starts, since, found.isComplete)));
      return { steps: added(parts), areWhole: found.isComplete };
    },

    recent: async (db, question, span) => {
      const plan = await planOf(db, question);
      const [day, ...others] = plan?.days ?? [];
      // Only of a day that goes on files tell whose address is whose.
      if (!plan || !day?.restOfRows || others.length > 0 || plan.gaps.length > 0) return undefined;
      const rest = { from: Math.max(day.restOfRows.from, span.first), to: span.to };
      const [minutes, later] = [await minutesOfRows(db, question, rest, span), await addressesOfRows(db, question, rest, span)];
      const countings = [{ by: 'place' as const, outcomes: positionsOf(undefined), without: undefined, ofCodes: false }];
      const found = await ask(db, question, plan, { countings, recent: { ...span, later } });
      if (!found?.recent) return undefined;
      const { visits, refused, ...addresses } = found.recent;
      const parts = [relationOf('place', found.counts[0] ?? []), placesOfRows(question, rest)];
      const places = parts.map((part) => sql`SELECT id, visits FROM ${part} AS part`);
      return {
        ...addresses,
        visits: visits.map((count, minute) => count + (minutes.visits[minute] ?? 0)),
        refused: refused.map((count, minute) => count + (minutes.refused[minute] ?? 0)),
        places: sql`(${sql.join(places, sql` UNION ALL `)})`,
      };
    },

    returning: async (db, question, target_ids) => {
      const plan = await planOf(db, question);
      const found = plan && (await ask(db, question, plan, { returning: true }));
      return found ? returningOf(db, question, { plan, found }, target_ids) : postgresStore.returning(db, question, target_ids);
    },

    targets: async (db, question) => {
      const isOfCounts = !needsRows(question, 'target');
      const countings: Counting[] = [{ question, family: 'target', isApart: true }];
      const looked = await lookOf(db, question, countings, { isOfCounts, returning: true });
      if (!looked) return undefined;
      // Visitors of codes that are left aside come again, too: of those that kept rows.
      const isOfAll = (looked.found.left ?? []).length === 0;
      return {
        visits: byId(looked.counts[0] ?? []),
        returning: isOfAll ? (db, own, ids) => returningOf(db, own, looked, ids) : store.returning,
      };
    },
  };
  return store;
}

/** `counts` are of files and of the rests that are told. */
type Looked = { plan: Plan; found: Found; counts: ById[]; rests: readonly Rest[] };

/** 0 is "none". */
function byId([ids = [], visits = []]: readonly ArrayLike<number>[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (let place = 0; place < ids.length; place += 1) if (ids[place] !== 0) sums.set(ids[place] ?? 0, visits[place] ?? 0);
  return sums;
}

/** What files tell of some targets, and the rows besides. */
async function returningOf(
  db: Database,
  question: Question,
  { plan, found }: Pick<Looked, 'plan' | 'found'>,
  target_ids: readonly number[],
) {
  const sums = new Map(target_ids.map((target_id) => [target_id, { target_id, all: 0, returning: 0 }]));
  const add = (id: number, all: number, returning: number) => {
    const own = sums.get(id);
    if (own) Object.assign(own, { all: own.all + all, returning: own.returning + returning });
  };
  const [ids, all, returning] = found.returning;
  for (let place = 0; place < ids.length; place += 1) add(ids[place] ?? 0, all?.[place] ?? 0, returning?.[place] ?? 0);
  for (const span of besides(plan))
    for (const one of await postgresStore.returning(db, { ...question, span }, target_ids)) add(one.target_id, one.all, one.returning);
  return [...sums.values()].filter((one) => one.all > 0);
}

/** Which step each quarter of an hour of each day belongs to: steps begin at hours. */
function stepsOf(starts: readonly number[], { days }: Plan): ScanTask['steps'] {
  const ofDays = days.map(({ from }) => {
    let step = 0;
    return Uint16Array.from({ length: slotsOfDay }, (_, slot) => {
      while (step < starts.length && (starts[step] ?? 0) <= from + slot * slotLength) step += 1;
      return step;
    });
  });
  return { count: starts.length, ofDays };
}

/** What neither the files of days nor their tails reach, whose addresses may have been here on the same day. */
function rowsAfterTails(db: Database, question: Question, starts: readonly number[], { days }: Plan) {
  return Promise.all(
    days.flatMap(({ day, restOfRows: span }) =>
      span ? (async () => ({ day, ...(await figuresOfPart(db, { ...question, span }, starts)) }))() : [],
    ),
  );
}

/** What rows of some spans told, but for the visits where counts by hour know them: the rest of the question is told by rows that lack none. */
async function withCounts(
  db: Database,
  question: Question,
  spans: readonly Span[],
  starts: readonly number[],
  steps: StepSums[],
  isComplete: boolean,
): Promise<StepSums[]> {
  if (!isComplete || needsRows(question, 'time')) return steps;
  const none = { ips: 0, new_ips: 0, refused: 0, programs: 0, own: 0 };
  const counts = spans.map((span) => visitsBy(db, counted({ ...question, span }, 'time'), starts));
  return [...steps.map((sums) => ({ ...sums, visits: 0 })), ...(await Promise.all(counts)).flat().map((one) => ({ ...none, ...one }))];
}

function sumsOf(sums: Float64Array, steps: number): StepSums[] {
  return Array.from({ length: steps + 1 }, (_, step) => {
    const [visits = 0, ips = 0, new_ips = 0, refused = 0, programs = 0, own = 0] = sums.subarray(step * figures, (step + 1) * figures);
    return { step, visits, ips, new_ips, refused, programs, own };
  });
}

function added(parts: readonly StepSums[]): StepSums[] {
  const byStep = new Map<number, StepSums>();
  for (const part of parts) {
    const sums = byStep.get(part.step);
    if (!sums) byStep.set(part.step, { ...part });
    else for (const figure of ['visits', 'ips', 'new_ips', 'refused', 'programs', 'own'] as const) sums[figure] += part[figure];
  }
  return [...byStep.values()].filter(({ step }) => step > 0);
}
