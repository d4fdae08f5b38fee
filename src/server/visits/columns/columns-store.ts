import { and, type SQL, sql } from 'drizzle-orm';
import type { Log } from '../../kit/calls/context.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { devicesOf, relationOf, relationOfSums } from '../clickhouse/relation.ts';
import { addressesOfRows, minutesOfRows, placesOfRows } from '../statistics/recent-visits.ts';
import type { Span } from '../statistics/spans.ts';
import { isClearedNear, sumsOfCodes } from '../statistics/visible.ts';
import { visitsById } from '../statistics/workbench/by-id.ts';
import { filteredDimensions } from '../statistics/workbench/conditions.ts';
import { counted, countedOfRows, countedTogether, needsRows, visitsBy } from '../statistics/workbench/counted.ts';
import type { Family } from '../statistics/workbench/dimensions.ts';
import { figuresOfPart, postgresStore } from '../statistics/workbench/postgres-store.ts';
import type { Counting, Countings, Question, StepSums, VisitStore } from '../statistics/workbench/store.ts';
import { createAsking, type Found, positionsOf, slotsOfDay, type Wish } from './asking.ts';
import type { ScanTask } from './columns.ts';
import { codeSums, slotLength } from './layout.ts';
import { besides, createPlanning, type Plan, type PlanningOptions, restsOf } from './planning.ts';
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
const familyOfRows = (family: Family): Family => (family === 'device' ? 'agent' : family);

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
    const found = isOfCounts ? await askWhole(db, question, plan, wish) : await ask(db, question, plan, wish);
    if (!found) return undefined;
    return { plan, found, rests: restsOfCountings(question, plan, countings, isOfCounts, found.left ?? []) };
  }

  /** What files and the rest count, as subqueries; of several countings rows that have no file are read once, as `fitting`. */
  async function countingsOf(
    db: Database,
    question: Question,
    countings: readonly Counting[],
    isOfCounts: boolean,
  ): Promise<Countings | undefined> {
    const looked = await lookOf(db, question, countings, { isOfCounts });
    if (!looked) return undefined;
    const { found, rests } = looked;
    const apart = countings.map(({ isApart }, index) => (isApart ? byId(found.counts[index] ?? []) : undefined));
    const parts = countings.map(({ family }, index) => {
      const { ofRows = [], ofCounts = [] } = rests.found[index] ?? {};
      const own = apart[index] ? nothing : relationOf(familyOfRows(family), found.counts[index] ?? []);
      // Devices are told once user agents are counted: to the planner the newest visits are one, and it would look up each one's device.
      return family === 'device' ? unionOf([devicesOf(unionOf([own, ...ofRows])), ...ofCounts]) : unionOf([own, ...ofRows, ...ofCounts]);
    });
    return { ...(rests.fitting && { fitting: rests.fitting }), found: parts, apart };
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
      const looked = await lookOf(db, question, countings, { isOfCounts, returning: !isOfCounts });
      if (!looked) return undefined;
      const sums = byId(looked.found.counts[0] ?? []);
      const { ofRows = [], ofCounts = [] } = looked.rests.found[0] ?? {};
      const rests = [...ofRows, ...ofCounts];
      if (rests.length > 0) for (const [id, more] of await visitsById(db, unionOf(rests))) sums.set(id, (sums.get(id) ?? 0) + more);
      return { visits: sums, returning: isOfCounts ? store.returning : (db, own, ids) => returningOf(db, own, looked, ids) };
    },
  };
  return store;
}

type Looked = { plan: Plan; found: Found; rests: ReturnType<typeof restsOfCountings> };

/** 0 is "none". */
function byId([ids = [], visits = []]: readonly ArrayLike<number>[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (let place = 0; place < ids.length; place += 1) if (ids[place] !== 0) sums.set(ids[place] ?? 0, visits[place] ?? 0);
  return sums;
}

const nothing = sql`(SELECT NULL::bigint AS id, NULL::timestamptz AS at, 0 AS visits WHERE false)`;
const unionOf = (relations: readonly SQL[]): SQL =>
  sql`(${sql.join(
    relations.map((relation) => sql`SELECT id, at, visits FROM ${relation} AS part`),
    sql` UNION ALL `,
  )})`;

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

/** What files tell, those who have some days after each other at once; with tails and the rows after these, or without. */
function spansOfFiles({ days }: Plan, isWithTails: boolean): Span[] {
  const spans: { from: number; to: number }[] = [];
  for (const { from, until, rest, restOfRows } of days) {
    const to = isWithTails ? (restOfRows?.to ?? until) : (rest?.from ?? until);
    const last = spans.at(-1);
    if (last && last.to === from) last.to = to;
    else if (to > from) spans.push({ from, to });
  }
  return spans;
}

/**
 * What files have nothing of: rows of it, or counts where these know it, too. Of several countings rows of one span are read once, as
 * `fitting`. Counts of single codes or hours are as many as visits: rows after tails tell what these do, where they lack none of it. Of rows
 * devices are told by user agent.
 */
function restsOfCountings(
  question: Question,
  plan: Plan,
  countings: readonly Counting[],
  isOfCounts: boolean,
  left: readonly number[],
): { fitting: SQL | undefined; found: { ofRows: SQL[]; ofCounts: SQL[] }[] } {
  const isOfRows = !isOfCounts || plan.tailsAreWhole;
  const spansOfRows = isOfRows ? besides({ ...plan, gaps: isOfCounts ? [] : plan.gaps }) : [];
  const spansOfCounts = isOfCounts ? [...plan.gaps, ...(isOfRows ? [] : restsOf(plan))] : [];
  const codes = left.length > 0 ? and(question.codes, sql`NOT ${isOneOf(live_code.id, left)}`) : question.codes;
  const withGone = ({ question: own, family, isApart }: Counting): Counting => ({ question: { ...own, withGone: isApart }, family });
  const all = countings.map(withGone);
  const inRows = (own: Question, span: Span): Question => ({ ...own, codes, span });
  const countingsIn = (span: Span): Counting[] =>
    all.map((one) => ({ question: inRows(one.question, span), family: familyOfRows(one.family) }));
  const [span, ...others] = spansOfRows;
  const shared =
    span && others.length === 0 && countings.length > 1 ? countedTogether(inRows(question, span), 'rows', countingsIn(span)) : undefined;
  const apart = shared ? [] : spansOfRows.map(countingsIn);
  const found = all.map(({ question: own, family }, index) => {
    const ofRows = shared
      ? [shared.found[index] ?? nothing]
      : apart.flatMap((one) => one[index] ?? []).map((one) => countedOfRows(one.question, one.family));
    const ofLeft =
      left.length > 0 ? spansOfFiles(plan, isOfRows).map((span) => ({ span, codes: and(own.codes, isOneOf(live_code.id, left)) })) : [];
    const ofCounts = [...spansOfCounts.map((span) => ({ span })), ...ofLeft];
    return { ofRows, ofCounts: ofCounts.map((part) => counted({ ...own, ...part }, family)) };
  });
  return { fitting: shared?.fitting, found };
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
