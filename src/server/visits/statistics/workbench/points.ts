import { sql } from 'drizzle-orm';
import type { SeriesPoint } from '../../../../contract/visits/statistics.ts';
import type { Database } from '../../../kit/postgres/database.ts';
import { live_code } from '../../../live-codes/live-codes.table.ts';
import { type Sums, seriesOf, sumOf, sumsOfRows } from '../figures.ts';
import type { Span } from '../spans.ts';
import { countedBy, needsRows, visitsBy } from './counted.ts';
import type { Question } from './question.ts';

const none: Sums = { visits: 0, ips: 0, new_ips: 0, refused: 0, programs: 0, own: 0 };

export const isFiltered = ({ filters }: Question): boolean => Object.keys(filters).length > 0;

/** The figures of each step; `starts` are the moments at which steps begin, the last one ends with the question's span. */
export async function pointsOf(db: Database, question: Question, starts: readonly number[]): Promise<SeriesPoint[]> {
  if (starts.length === 0) return [];
  if (!isFiltered(question)) return seriesOf(db, question.codes, starts, question.span.to, question.clock, question.hidden);
  const found = starts.map((start) => ({ at: new Date(start).toISOString(), ...none }));
  const add = (step: number, sums: Partial<Sums>) => {
    const point = found[step - 1];
    if (point) Object.assign(point, sums);
  };
  const { steps, areWhole } = await question.store.figures(db, question, starts);
  for (const { step, ...sums } of steps) add(step, sums);
  if (areWhole || needsRows(question, 'time')) return found;
  // Where counts by hour know the visits they tell them, of codes without a log too; their addresses stand in rows only.
  const visits = await visitsBy(db, await countedBy(db, question, 'time'), starts);
  for (const point of found) point.visits = 0;
  for (const { step, visits: number } of visits) add(step, { visits: number });
  return found;
}

/** The figures of the whole span, whose end may lie within an hour. */
export async function totalsOf(db: Database, question: Question): Promise<Sums> {
  const { span, codes, clock, hidden } = question;
  if (span.to <= span.from) return none;
  if (isFiltered(question)) return sumOf(await pointsOf(db, question, [span.from]));
  const lastHour: Span['to'] = Math.max(clock.hourOf(span.to), span.from);
  const hours = await seriesOf(db, codes, [span.from], lastHour, clock, hidden);
  return sumOf(lastHour < span.to ? [...hours, await sumsOfRows(db, codes, { from: lastHour, to: span.to })] : hours);
}

/** The visits of the whole span alone. */
export async function visitsOf(db: Database, question: Question): Promise<number> {
  if (!isFiltered(question) || question.span.to <= question.span.from) return (await totalsOf(db, question)).visits;
  const found = await visitsBy(db, await countedBy(db, question, 'time'), [question.span.from]);
  return found.reduce((sum, { visits }) => sum + visits, 0);
}

/** Codes among those asked for that keep no rows. */
export async function unloggedCodes(db: Database, { codes }: Question): Promise<number> {
  const { rows } = await db.execute<{ number: number }>(
    sql`SELECT count(*)::float8 AS number FROM ${live_code} WHERE ${codes ?? sql`true`} AND NOT ${live_code.open_log} AND NOT ${live_code.removed}`,
  );
  return rows[0]?.number ?? 0;
}
