import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { addDays, daysBetween, type SiteClock } from '../../kit/visits/site-clock.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { codeWhere, joinCode, packedSpan } from '../statistics/hour-counts.ts';
import { momentSql, type Span } from '../statistics/spans.ts';
import { filteredDimensions } from '../statistics/workbench/conditions.ts';
import type { Question } from '../statistics/workbench/store.ts';
import type { AskedDay, Columns, DayTask, FilesOfDay } from './columns.ts';
import { isPart, partsOf, visitsSince } from './parts.ts';
import { maxFilters } from './scan.ts';
import { type Tails, tailsOf } from './tails.ts';
import { type Version, versionsOf } from './versions.ts';

/** What a visit costs in milliseconds: PostgreSQL to read its row, to read it among its counts by code, and to pass over it in a file. */
const [rowCost, countCost, passingCost] = [0.004, 0.001, 0.000_02];
/** What it takes to open a file and to look into its dictionaries. */
const fileMilliseconds = 0.5;
/** What is read of rows in about so many milliseconds is. */
const quickMilliseconds = 30;
/** A screen counts visits in up to six questions at once, on a machine that may have two processors: each takes some times as long as alone. */
const tooLongMilliseconds = 1_000;
/** So many parts of a range may have no file: each is one more look at rows. */
const maxGaps = 4;

export type PlanningOptions = {
  columns: Columns;
  quickMilliseconds?: number;
  fileMilliseconds?: number;
  tooLongMilliseconds?: number;
  /** Instead of the clocks of host and database. */
  now?: (() => number) | undefined;
};
/**
 * `rest` is what the file of a day does not reach: it has the first hours of a day that goes on; `restOfRows` is what its tail does not reach either.
 * `isCut` where the file has more than is asked for.
 */
type PlannedDay = Omit<AskedDay, 'later'> & { day: string; rest: Span | undefined; restOfRows: Span | undefined; isCut: boolean };
/**
 * `tailsAreWhole` where tails and the rows after them have all that counts by hour know, and tell it sooner; but for codes that are `unlogged`.
 */
export type Plan = { days: PlannedDay[]; gaps: Span[]; lacksRows: boolean; tailsAreWhole: boolean; unlogged: readonly number[] };
/** What is asked of rows besides files. */
export const besides = ({ days, gaps }: Plan): Span[] => [...gaps, ...days.flatMap(({ restOfRows }) => restOfRows ?? [])];
/** What came since the hours that files have. */
export const restsOf = ({ days }: Plan): Span[] => days.flatMap(({ rest }) => rest ?? []);
/** How far files are that are worth waiting for. */
type Preparing = { total: number; done: number };
type AskedSpan = { day: string; from: number; to: number; until: number };
/** `end` is up to when the file has visits that are asked for, and `endOfTail` up to when its tail has. */
type DayFile = AskedSpan &
  Pick<Version, 'has_rows' | 'has_counts'> &
  Pick<AskedDay, 'path' | 'tail'> & {
    end: number;
    endOfTail: number;
    tails: Tails | undefined;
    /** Visits of a day that goes on whose file is the first to be made. */
    unread: number;
    isOver: boolean;
    isThere: boolean;
    isCut: boolean;
    tasks: DayTask[];
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

const taskOf = ({ day, from }: AskedSpan, path: string, to: number): DayTask => ({
  ...{ path, day, kind: 'day' },
  ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString() },
});

/** Codes of which tails and the rows after them lack visits; undefined where nobody knows, or where counts by code are sooner read. */
async function unloggedOf(db: Database, { codes }: Question, days: readonly DayFile[]): Promise<number[] | undefined> {
  const tailed = days.flatMap(({ tails, from, end }) => (tails ? { ...tails, from: Math.max(from, end) } : []));
  const [first] = tailed;
  const isWithout = days.some(({ isThere, tails, end, until }) => isThere && !tails && end < until);
  if (!first || isWithout || tailed.some(({ unlogged }) => unlogged === null)) return undefined;
  const sumOf = (what: 'all' | 'after' | 'unlogged') => tailed.reduce((sum, tails) => sum + (tails[what] ?? 0), 0);
  if (sumOf('after') * rowCost >= sumOf('all') * countCost) return undefined;
  if (sumOf('unlogged') === 0) return [];
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT DISTINCT unlogged.live_code_id::float8 AS id FROM visit_unlogged_code AS unlogged ${joinCode(codes, sql`unlogged.live_code_id`)}
    WHERE unlogged.hour >= ${momentSql(first.from)} AND ${codeWhere(codes)}`);
  return rows.map(({ id }) => id);
}

/** How many of the days that are over, or whose files are waited for, are ready. */
function preparingOf(days: readonly DayFile[], missing: readonly DayFile[]): Preparing {
  const total = days.filter((day) => day.isOver || missing.includes(day)).length;
  return { total, done: total - missing.length };
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
    const { asked, counts, all } = await amounts(db, question, now?.() ?? Date.now());
    const days = daysOf(question.span, question.clock);
    const ofRows = asked * rowCost;
    const ofFiles = all * passingCost + days.length * ofFile;
    const isSlow = (milliseconds: number) => milliseconds >= quick && milliseconds > ofFiles;
    const sooner = { isSoonerThanRows: isSlow(ofRows), isSoonerThanCounts: isSlow(counts * countCost) };
    if (!sooner.isSoonerThanRows && !sooner.isSoonerThanCounts) return sooner;
    const { database, versions } = await versionsOf(db, days, now && momentSql(now()));
    const found = days.map((day) => fileOf(day, versions.get(day.day), question, columns.ofDay(database, question.time_zone, day.day)));
    const missing = found.filter(({ isThere, isOver }) => !isThere && isOver);
    const isBuilding = columns.buildSoon(found.flatMap(({ tasks }) => tasks));
    const withRows = found.filter(({ has_rows }) => has_rows);
    // Rows of so many visits nobody waits for: the screen asks again until the days are there.
    const isLong = isBuilding && missing.length > 0 && (ofRows * missing.length) / withRows.length > tooLong;
    const goingOn = withRows.filter(({ unread }) => (unread * ofRows) / all > tooLong);
    const preparing = isLong || (isBuilding && goingOn.length > 0) ? preparingOf(withRows, [...missing, ...goingOn]) : undefined;
    const gaps = gapsOf(found);
    const there = withRows
      .filter(({ isThere }) => isThere)
      .map(({ path, tail, from, end, endOfTail, until, day, isCut }) => ({
        ...{ path, tail, from, until: endOfTail, day, isCut },
        rest: end < until ? { from: end, to: until } : undefined,
        restOfRows: endOfTail < until ? { from: endOfTail, to: until } : undefined,
      }));
    if (gaps.length > maxGaps || (there.length === 0 && gaps.length > 0)) return { preparing, ...sooner };
    const lacksRows = found.some(({ has_rows, has_counts }) => !has_rows && has_counts);
    const unlogged = sooner.isSoonerThanCounts ? await unloggedOf(db, question, found) : undefined;
    return {
      plan: { days: there, gaps, lacksRows, tailsAreWhole: unlogged !== undefined, unlogged: unlogged ?? [] },
      preparing,
      ...sooner,
    };
  }

  /** The file of a day, or of its first hours while it goes on; and how to make what is not there. */
  function fileOf(day: AskedSpan, version: Version | undefined, { clock }: Question, ofDay: FilesOfDay): DayFile {
    const { has_rows = true, has_counts = true } = version ?? {};
    if (!version || version.hours) return partOf(day, version, clock, ofDay);
    const path = ofDay.pathOf(version.version);
    // A day that no row can be of needs no file.
    const isThere = !has_rows || columns.isThere(path);
    return {
      ...day,
      ...{ path, tail: undefined, tails: undefined, unread: 0, has_rows, has_counts, isThere, isOver: true },
      ...{ end: day.until, endOfTail: day.until },
      isCut: day.until < day.to,
      tasks: isThere ? [] : [taskOf(day, path, day.to)],
    };
  }

  function partOf(day: AskedSpan, version: Version | undefined, clock: SiteClock, ofDay: FilesOfDay): DayFile {
    const [{ hours, slices = [] }, at] = [version ?? {}, now?.() ?? Date.now()];
    const parts = version && hours ? partsOf(day, { ...version, hours }, clock, at) : [];
    const files = parts.map((part) => ({ ...part, path: ofDay.pathOf(part.version) }));
    const found = files.find(({ path }) => columns.isThere(path));
    const [wanted] = files;
    const reached = found?.until ?? day.from;
    const end = Math.min(reached, day.until);
    const onto = found && { path: found.path, to: new Date(found.until).toISOString() };
    const tasks: DayTask[] = wanted && wanted !== found ? [{ ...taskOf(day, wanted.path, wanted.until), kind: 'part', onto }] : [];
    // No slice is of a day whose hours are not told.
    const tails = tailsOf({ ...day, from: reached }, { version: '', ...version, hours: hours ?? [], slices }, ofDay.stored(), clock, at);
    const tail = end < day.until ? tails.found[0] : undefined;
    // A tail begins where hours that have a file end, once there is one.
    if (tails.next && tails.more > 0 && tails.more * rowCost >= quick && (found || !wanted)) {
      const [since, [longest]] = [new Date(reached).toISOString(), tails.found];
      const onto = longest && { path: ofDay.pathOf(longest.version), to: new Date(longest.until).toISOString() };
      tasks.push({ ...taskOf(day, ofDay.pathOf(tails.next.version), tails.next.until), kind: 'tail', since, onto });
    }
    // One that was made before may never hold for long, where visits keep coming late: rows are read then.
    const isFirst = found ? tails.isFirst : !ofDay.stored().some(isPart);
    const unread = isFirst && tasks.length > 0 ? visitsSince(reached, hours ?? []) : 0;
    return {
      ...day,
      ...{ unread, has_rows: true, has_counts: version?.has_counts ?? true, isOver: false, end, tasks },
      ...{
        path: found?.path,
        tails: tail && tails,
        tail: tail && ofDay.pathOf(tail.version),
        endOfTail: tail ? Math.min(tail.until, day.until) : end,
      },
      isThere: found !== undefined || tail !== undefined,
      isCut: end < reached,
    };
  }

  return { planOf, planBesideCounts };
}
