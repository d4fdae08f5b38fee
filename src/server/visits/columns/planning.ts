import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { addDays, daysBetween, type SiteClock } from '../../kit/visits/site-clock.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { packedSpan } from '../statistics/hour-counts.ts';
import { momentSql, type Span } from '../statistics/spans.ts';
import { filteredDimensions } from '../statistics/workbench/conditions.ts';
import type { Question } from '../statistics/workbench/store.ts';
import type { AskedDay, Columns, DayTask } from './columns.ts';
import { partsOf } from './parts.ts';
import { maxFilters } from './scan.ts';
import { type Version, versionsOf } from './versions.ts';

/** What a visit costs in milliseconds: PostgreSQL to read its row, to read it among its counts by code, and to pass over it in a file. */
const [rowCost, countCost, passingCost] = [0.004, 0.001, 0.000_02];
/** What it takes to open a file and to look into its dictionaries. */
const fileMilliseconds = 0.5;
/** What is read of rows in about so many milliseconds is. */
const quickMilliseconds = 30;
const tooLongMilliseconds = 4_000;
/** So many parts of a range may have no file: each is one more look at rows. */
const maxGaps = 4;

export type PlanningOptions = {
  columns: Columns;
  quickMilliseconds?: number;
  fileMilliseconds?: number;
  tooLongMilliseconds?: number;
  /** Instead of the clocks of host and database. */
  now?: number | undefined;
};
/** `rest` is what a day's file does not reach: it has the first hours of a day that goes on. `isCut` where it has more than is asked for. */
type PlannedDay = Pick<AskedDay, 'path' | 'from' | 'until'> & { day: string; rest?: Span | undefined; isCut: boolean };
export type Plan = { days: PlannedDay[]; gaps: Span[]; lacksRows: boolean };
/** What rows are asked of besides files. */
export const besides = ({ days, gaps }: Plan): Span[] => [...gaps, ...days.flatMap(({ rest }) => rest ?? [])];
/** How far files are that are worth waiting for. */
type Preparing = { total: number; done: number };
type AskedSpan = { day: string; from: number; to: number; until: number };
/** `end` is up to when the file has visits that are asked for. */
type DayFile = AskedSpan &
  Pick<Version, 'has_rows' | 'has_counts'> & {
    path: string;
    end: number;
    isOver: boolean;
    isThere: boolean;
    isCut: boolean;
    task: DayTask | undefined;
  };
/** Days of a plan are none where there were no visits, which counts only tell once months of them are read. */
type Planned = { plan?: Plan | undefined; preparing?: Preparing | undefined; isSoonerThanRows: boolean; isSoonerThanCounts: boolean };
/** The days of a span, each with its start and end; the last one's end may be within it. */
function daysOf({ from, to }: Span, clock: SiteClock): AskedSpan[] {
  if (to <= from) return [];
  return daysBetween(clock.dayOf(from), clock.dayOf(to - 1)).map((day) => {
    const [start, end] = [clock.startOf(day), clock.startOf(addDays(day, 1))];
    return { day, from: start, to: end, until: Math.min(end, to) };
  });
}

/** How many visits are asked for at most, of how many counts are read for them, and how many all codes had in the span. */
async function amounts(db: Database, { codes, span }: Question, now: number): Promise<{ asked: number; counts: number; all: number }> {
  const [read, inSpan] = [packedSpan(span, now), sql`hour >= ${momentSql(span.from)} AND hour < ${momentSql(span.to)}`];
  const { rows } = await db.execute<{ all: number; counts: number; codes: number | null }>(sql`
    SELECT coalesce(sum(visits) FILTER (WHERE ${inSpan}), 0)::float8 AS all, coalesce(sum(visits), 0)::float8 AS counts,
      ${codes ? sql`(SELECT coalesce(sum(total.visits), 0)::float8 FROM ${live_code} JOIN live_code_total AS total ON total.live_code_id = ${live_code.id} WHERE ${codes})` : sql`NULL::float8`} AS codes
    FROM visit_site_hour WHERE hour >= ${momentSql(read.from)} AND hour < ${momentSql(read.to)}`);
  const { all = 0, counts = 0, codes: most } = rows[0] ?? { codes: null };
  return { all, asked: Math.min(most ?? all, all), counts: Math.min(most ?? counts, counts) };
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

/** Which files answer a question, and what rows are asked of besides. */
export function createPlanning({
  columns,
  quickMilliseconds: quick = quickMilliseconds,
  fileMilliseconds: ofFile = fileMilliseconds,
  tooLongMilliseconds: tooLong = tooLongMilliseconds,
  now,
}: PlanningOptions) {
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
    const { plan, preparing, isSoonerThanRows } = await plannedOf(db, question);
    if (preparing && question.isAskedAgain) throw new AppError(503, 'statistics.preparing', { params: preparing, retryAfterSeconds: 2 });
    return isSoonerThanRows && plan && plan.days.length > 0 ? plan : undefined;
  }

  /** Of what counts by code know, too. */
  async function planBesideCounts(db: Database, question: Question): Promise<Plan | undefined> {
    const { plan, isSoonerThanCounts } = await plannedOf(db, question);
    return isSoonerThanCounts && !plan?.lacksRows ? plan : undefined;
  }

  async function planAnew(db: Database, question: Question): Promise<Planned> {
    if (filteredDimensions(question.filters).length > maxFilters) return { isSoonerThanRows: false, isSoonerThanCounts: false };
    const { asked, counts, all } = await amounts(db, question, now ?? Date.now());
    const days = daysOf(question.span, question.clock);
    const ofRows = asked * rowCost;
    const ofFiles = all * passingCost + days.length * ofFile;
    const isSlow = (milliseconds: number) => milliseconds >= quick && milliseconds > ofFiles;
    const sooner = { isSoonerThanRows: isSlow(ofRows), isSoonerThanCounts: isSlow(counts * countCost) };
    if (!sooner.isSoonerThanRows && !sooner.isSoonerThanCounts) return sooner;
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
      .map(({ path, from, end, until, day, isCut }) => ({
        ...{ path, from, until: end, day, isCut },
        rest: end < until ? { from: end, to: until } : undefined,
      }));
    if (gaps.length > maxGaps || (there.length === 0 && gaps.length > 0)) return { preparing, ...sooner };
    return {
      plan: { days: there, gaps, lacksRows: found.some(({ has_rows, has_counts }) => !has_rows && has_counts) },
      preparing,
      ...sooner,
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
        isCut: day.until < day.to,
        task: isThere ? undefined : taskOf(path, day.to, false),
      };
    }
    const parts = version && hours ? partsOf(day, { ...version, hours }, clock, now ?? Date.now()) : [];
    const files = parts.map((part) => ({ ...part, path: pathOf(part.version) }));
    const found = files.find(({ path }) => columns.isThere(path));
    const [wanted] = files;
    const end = Math.min(found?.until ?? day.from, day.until);
    const task = wanted && wanted !== found ? taskOf(wanted.path, wanted.until, true) : undefined;
    return {
      ...day,
      ...{ has_rows: true, has_counts, isOver: false, end, task },
      path: found?.path ?? '',
      isThere: found !== undefined,
      isCut: end < (found?.until ?? end),
    };
  }

  return { planOf, planBesideCounts };
}
