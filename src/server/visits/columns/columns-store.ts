import { type SQL, sql } from 'drizzle-orm';
import { outcomes } from '../../../contract/enums.ts';
import type { FilterDimension, VisitFilters } from '../../../contract/visits/historical-statistics.ts';
import type { Log } from '../../kit/calls/context.ts';
import { AppError } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { addDays, daysBetween, type SiteClock } from '../../kit/visits/site-clock.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { clearedCodes, codesOf, idsOfFilter } from '../clickhouse/ids.ts';
import { relationOf } from '../clickhouse/relation.ts';
import { momentSql, type Span } from '../statistics/visible.ts';
import { counted, countedTogether, needsRows, visitsBy } from '../statistics/workbench/counted.ts';
import { type Family, weekdayOf } from '../statistics/workbench/dimensions.ts';
import { figuresOfPart, postgresStore } from '../statistics/workbench/postgres-store.ts';
import type { Counting, Question, StepSums, VisitStore } from '../statistics/workbench/store.ts';
import { type AskedDay, type Columns, type DayTask, FileFault, type ScanAnswer, type ScanTask } from './columns.ts';
import { slotLength } from './layout.ts';
import { type Later, partsOf } from './parts.ts';
import { figures, maxFilters } from './scan.ts';
import { type Version, versionsOf } from './versions.ts';

const slotsOfDay = 26 * 4;
/** What a visit costs in milliseconds: PostgreSQL to read its row, to read it among its counts by code, and to pass over it in a file. */
const [rowCost, countCost, passingCost] = [0.004, 0.001, 0.000_02];
/** What it takes to open a file and to look into its dictionaries. */
const fileMilliseconds = 0.5;
/** What is read of rows in about so many milliseconds is. */
const quickMilliseconds = 30;
const tooLongMilliseconds = 4_000;
/** So many parts of a range may have no file: each is one more look at rows. */
const maxGaps = 4;

type Options = {
  columns: Columns;
  log: Pick<Log, 'warn'>;
  quickMilliseconds?: number;
  fileMilliseconds?: number;
  tooLongMilliseconds?: number;
  /** Instead of the clocks of host and database. */
  now?: number | undefined;
};
/** `rest` is what a day's file does not reach: it has the first hours of a day that goes on. */
type PlannedDay = Pick<AskedDay, 'path' | 'from' | 'until'> & { day: string; rest?: Span | undefined };
type Plan = { days: PlannedDay[]; gaps: Span[]; lacksRows: boolean };
/** What rows are asked of besides files. */
const besides = ({ days, gaps }: Plan): Span[] => [...gaps, ...days.flatMap(({ rest }) => rest ?? [])];
/** How far files are that are worth waiting for. */
type Preparing = { total: number; done: number };
type AskedSpan = { day: string; from: number; to: number; until: number };
/** `end` is up to when the file has visits that are asked for. */
type DayFile = AskedSpan &
  Pick<Version, 'has_rows' | 'has_counts'> & { path: string; end: number; isOver: boolean; isThere: boolean; task: DayTask | undefined };
type Planned = { plan?: Plan | undefined; preparing?: Preparing | undefined; isSoonerThanCounts: boolean };
type Found = Exclude<ScanAnswer, { isIncomplete: true }>;
/** What is asked of the days that have files, beside the question itself. */
type Wish = Partial<Pick<ScanTask, 'countings' | 'steps' | 'targets' | 'mustBeComplete' | 'ofCodes'>> & {
  dimensions?: FilterDimension[];
  /** By the file of their day. */
  later?: ReadonlyMap<string, Later>;
};

const positionsOf = (names: readonly string[] | undefined): number[] =>
  (names ?? ['passed']).map((name) => outcomes.indexOf(name as (typeof outcomes)[number])).filter((position) => position >= 0);
const filteredDimensions = (filters: VisitFilters): FilterDimension[] =>
  (Object.keys(filters) as FilterDimension[]).filter((dimension) => dimension !== 'outcome' && filters[dimension] !== undefined);

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

/** The days of a span, each with its start and end; the last one's end may be within it. */
function daysOf({ from, to }: Span, clock: SiteClock): AskedSpan[] {
  if (to <= from) return [];
  return daysBetween(clock.dayOf(from), clock.dayOf(to - 1)).map((day) => {
    const [start, end] = [clock.startOf(day), clock.startOf(addDays(day, 1))];
    return { day, from: start, to: end, until: Math.min(end, to) };
  });
}

/** How many visits are asked for at most, and how many all codes had in the span. */
async function amounts(db: Database, { codes, span }: Question): Promise<{ asked: number; all: number }> {
  const ofAll = sql`SELECT coalesce(sum(visits), 0)::float8 FROM visit_site_hour WHERE hour >= ${momentSql(span.from)} AND hour < ${momentSql(span.to)}`;
  const ofCodes = sql`SELECT coalesce(sum(total.visits), 0)::float8 FROM ${live_code} JOIN live_code_total AS total ON total.live_code_id = ${live_code.id} WHERE ${codes ?? sql`true`}`;
  const { rows } = await db.execute<{ all: number; asked: number }>(sql`SELECT (${ofAll}) AS all, (${codes ? ofCodes : ofAll}) AS asked`);
  return rows[0] ?? { asked: 0, all: 0 };
}

/** A gap ends where the next day has a file. */
function gapsOf(days: readonly { from: number; until: number; isThere: boolean }[]): Span[] {
  const gaps: Span[] = [];
  for (const { from, until, isThere } of days) {
    const last = gaps.at(-1);
    if (isThere) continue;
    if (last && last.to === from) last.to = until;
    else gaps.push({ from, to: until });
  }
  return gaps;
}

/**
 * Days that are over, by columns in files of this host: the same answers as of the rows, which stand for all that has no file and for small
 * questions. A file is of one version of its day; whoever changes rows of a day that is over changes the version.
 */
export function columnsStore({
  columns,
  log,
  quickMilliseconds: quick = quickMilliseconds,
  fileMilliseconds: ofFile = fileMilliseconds,
  tooLongMilliseconds: tooLong = tooLongMilliseconds,
  now,
}: Options): VisitStore {
  /** A screen's question is asked several times, of one span. */
  const plans = new WeakMap<Span, Map<SQL | undefined, Promise<Planned>>>();

  function plannedOf(db: Database, question: Question): Promise<Planned> {
    const ofSpan = plans.get(question.span) ?? new Map<SQL | undefined, Promise<Planned>>();
    plans.set(question.span, ofSpan);
    const planned = ofSpan.get(question.codes) ?? planAnew(db, question);
    ofSpan.set(question.codes, planned);
    return planned;
  }

  /**
   * Of what only rows know.
   * @throws AppError 503 `statistics.preparing` where files will be there that spare who asks more rows than anybody waits for
   */
  async function planOf(db: Database, question: Question): Promise<Plan | undefined> {
    const { plan, preparing } = await plannedOf(db, question);
    if (preparing && question.isAskedAgain) throw new AppError(503, 'statistics.preparing', { params: preparing, retryAfterSeconds: 2 });
    return plan;
  }

  /** Of what counts by code know, too. */
  async function planBesideCounts(db: Database, question: Question): Promise<Plan | undefined> {
    const { plan, isSoonerThanCounts } = await plannedOf(db, question);
    return isSoonerThanCounts && !plan?.lacksRows ? plan : undefined;
  }

  async function planAnew(db: Database, question: Question): Promise<Planned> {
    if (filteredDimensions(question.filters).length > maxFilters) return { isSoonerThanCounts: false };
    const { asked, all } = await amounts(db, question);
    const days = daysOf(question.span, question.clock);
    const most = Math.min(asked, all);
    const ofRows = most * rowCost;
    const ofFiles = all * passingCost + days.length * ofFile;
    const isSlow = (milliseconds: number) => milliseconds >= quick && milliseconds > ofFiles;
    const isSoonerThanCounts = isSlow(most * countCost);
    if (!isSlow(ofRows)) return { isSoonerThanCounts };
    const { database, versions } = await versionsOf(db, days, now === undefined ? undefined : momentSql(now));
    const found = days.map((day) =>
      fileOf(day, versions.get(day.day), question, (version) => columns.pathOf(database, question.time_zone, day.day, version)),
    );
    const missing = found.filter(({ isThere, isOver }) => !isThere && isOver);
    const isBuilding = columns.buildSoon(found.flatMap(({ task }) => task ?? []));
    const withRows = found.filter(({ has_rows }) => has_rows);
    // Rows of so many visits nobody waits for: the screen asks again until the days are there.
    const isLong = isBuilding && missing.length > 0 && (ofRows * missing.length) / withRows.length > tooLong;
    const over = withRows.filter(({ isOver }) => isOver).length;
    const preparing = isLong ? { total: over, done: over - missing.length } : undefined;
    const gaps = gapsOf(found);
    const there = withRows
      .filter(({ isThere }) => isThere)
      .map(({ path, from, end, until, day }) => ({
        ...{ path, from, until: end, day },
        rest: end < until ? { from: end, to: until } : undefined,
      }));
    if (there.length === 0 || gaps.length > maxGaps) return { preparing, isSoonerThanCounts };
    return {
      plan: { days: there, gaps, lacksRows: found.some(({ has_rows, has_counts }) => !has_rows && has_counts) },
      preparing,
      isSoonerThanCounts,
    };
  }

  /** The file of a day, or of its first hours while it goes on; and how to make what is not there. */
  function fileOf(day: AskedSpan, version: Version | undefined, { clock }: Question, pathOf: (version: string) => string): DayFile {
    const { has_rows = true, has_counts = true, hours = [] } = version ?? {};
    const taskOf = (path: string, to: number, isPart: boolean): DayTask => ({
      ...{ path, day: day.day, isPart },
      ...{ from: new Date(day.from).toISOString(), to: new Date(to).toISOString() },
    });
    if (version && !hours) {
      const path = pathOf(version.version);
      // A day that no row can be of needs no file.
      const isThere = !has_rows || columns.isThere(path);
      return {
        ...day,
        ...{ path, has_rows, has_counts, isThere, isOver: true },
        end: day.until,
        task: isThere ? undefined : taskOf(path, day.to, false),
      };
    }
    const parts = version && hours ? partsOf(day, { ...version, hours }, clock, now ?? Date.now()) : [];
    const files = parts.map((part) => ({ ...part, path: pathOf(part.version) }));
    const found = files.find(({ path }) => columns.isThere(path));
    const [wanted] = files;
    const end = Math.min(found?.until ?? day.from, day.until);
    const task = wanted && wanted !== found ? taskOf(wanted.path, wanted.until, true) : undefined;
    return { ...day, ...{ has_rows: true, has_counts, isOver: false, end, task }, path: found?.path ?? '', isThere: found !== undefined };
  }

  /** Undefined where rows have to be read after all. */
  async function scan(
    db: Database,
    question: Question,
    { days, lacksRows }: Plan,
    { dimensions, later, ...wish }: Wish,
  ): Promise<Found | undefined> {
    const codes = question.codes && Float64Array.from(await codesOf(db, question));
    const filters: ScanTask['filters'][number][] = [];
    for (const dimension of dimensions ?? filteredDimensions(question.filters)) filters.push(await filterOf(db, dimension, question, days));
    const task: ScanTask = {
      days: days.map(({ path, from, until }): AskedDay => ({ path, from, until, later: later?.get(path) })),
      codes,
      seenSince: question.hidden.some || question.hidden.near ? await clearedCodes(db, question) : [],
      filters,
      outcomes: positionsOf(question.filters.outcome),
      ...{ ofCodes: false, countings: [], steps: undefined, targets: undefined, mustBeComplete: false },
      ...wish,
    };
    try {
      const answer = await columns.scan(task);
      return answer.isIncomplete ? undefined : { ...answer, isComplete: answer.isComplete && !lacksRows };
    } catch (error) {
      if (error instanceof FileFault) columns.forget(days.map(({ path }) => path));
      log.warn({ error: error instanceof Error ? error.message : String(error) }, 'days of visits in columns were not read; rows are');
      return undefined;
    }
  }

  /** Countings that differ in the filter that each leaves aside, in one look; of several, rows that have no file are read once, as `fitting`. */
  async function countingsOf(
    db: Database,
    question: Question,
    countings: readonly Counting[],
    isOfCounts: boolean,
  ): Promise<{ fitting?: SQL; found: SQL[] } | undefined> {
    const plan = isOfCounts ? await planBesideCounts(db, question) : await planOf(db, question);
    if (!plan) return undefined;
    const dimensions = filteredDimensions(question.filters);
    const found = await scan(db, question, plan, {
      dimensions,
      countings: countings.map(({ question: { filters }, family }) => {
        const without = dimensions.findIndex((dimension) => filters[dimension] === undefined);
        return {
          by: columnOf[family],
          outcomes: family === 'outcome' ? undefined : positionsOf(filters.outcome),
          without: without < 0 ? undefined : without,
        };
      }),
      ...(isOfCounts && { mustBeComplete: true, ofCodes: true }),
    });
    if (!found) return undefined;
    const gaps = besides(plan);
    const [gap, ...others] = gaps;
    const inGap = (own: Question, span: Span) => ({ ...own, span });
    const shared =
      gap && others.length === 0 && countings.length > 1 && !isOfCounts
        ? countedTogether(
            inGap(question, gap),
            'rows',
            countings.map((counting) => ({ ...counting, question: inGap(counting.question, gap) })),
          )
        : undefined;
    const parts = countings.map(({ question: own, family }, index) => {
      const [ids = [], visits = []] = found.counts[index] ?? [];
      const ofGaps = shared ? [shared.found[index] ?? sql``] : gaps.map((span) => counted(inGap(own, span), family));
      const all = [relationOf(family, [ids, visits]), ...ofGaps].map((part) => sql`SELECT id, at, visits FROM ${part} AS part`);
      return sql`(${sql.join(all, sql` UNION ALL `)})`;
    });
    return { ...(shared && { fitting: shared.fitting }), found: parts };
  }

  return {
    counted: async (db, question, family) =>
      (await countingsOf(db, question, [{ question, family }], false))?.found[0] ?? counted(question, family),

    countedTogether: async (db, question, countings) =>
      (await countingsOf(db, question, countings, false)) ?? postgresStore.countedTogether(db, question, countings),

    ofCounts: async (db, question, countings) => (await countingsOf(db, question, countings, true))?.found,

    figures: async (db, question, starts) => {
      const plan = await planOf(db, question);
      if (!plan) return postgresStore.figures(db, question, starts);
      const rests = await restsOf(db, question, starts, plan);
      const later = new Map(rests.map(({ path, later }) => [path, later]));
      const found = await scan(db, question, plan, { steps: stepsOf(starts, plan), later });
      if (!found) return postgresStore.figures(db, question, starts);
      const parts = sumsOf(found.sums, starts.length);
      for (const span of plan.gaps) {
        const own = { ...question, span };
        const { steps } = await postgresStore.figures(db, own, starts);
        parts.push(...(await withCounts(db, own, starts, steps, found.isComplete)));
      }
      for (const { span, steps } of rests) parts.push(...(await withCounts(db, { ...question, span }, starts, steps, found.isComplete)));
      return { steps: added(parts), areWhole: found.isComplete };
    },

    returning: async (db, question, target_ids) => {
      const plan = await planOf(db, question);
      const found = plan && (await scan(db, question, plan, { targets: Float64Array.from(target_ids) }));
      if (!found) return postgresStore.returning(db, question, target_ids);
      const sums = new Map(found.returning);
      for (const span of besides(plan))
        for (const { target_id, all, returning } of await postgresStore.returning(db, { ...question, span }, target_ids)) {
          const [before, again] = sums.get(target_id) ?? [0, 0];
          sums.set(target_id, [before + all, again + returning]);
        }
      return [...sums].map(([target_id, [all, returning]]) => ({ target_id, all, returning }));
    },
  };
}

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

/** What the files of days do not reach, whose addresses may have been here on the hours that they have. */
function restsOf(db: Database, question: Question, starts: readonly number[], { days }: Plan) {
  return Promise.all(
    days.flatMap(({ path, rest }) =>
      rest ? (async () => ({ path, span: rest, ...(await figuresOfPart(db, { ...question, span: rest }, starts)) }))() : [],
    ),
  );
}

/** What rows told, but for the visits where counts by hour know them: the rest of the question is told by rows that lack none. */
async function withCounts(
  db: Database,
  question: Question,
  starts: readonly number[],
  steps: StepSums[],
  isComplete: boolean,
): Promise<StepSums[]> {
  if (!isComplete || needsRows(question, 'time')) return steps;
  const visits = await visitsBy(db, counted(question, 'time'), starts);
  const none = { ips: 0, new_ips: 0, refused: 0, programs: 0, own: 0 };
  return [...steps.map((sums) => ({ ...sums, visits: 0 })), ...visits.map((one) => ({ ...none, ...one }))];
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
