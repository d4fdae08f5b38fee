import { sql } from 'drizzle-orm';
import type { OutputOf } from '../../../../contract/kit/call.ts';
import type { historicalStatistics } from '../../../../contract/visits/historical-statistics.ts';
import type { Database } from '../../../kit/postgres/database.ts';
import { millisecondsOf } from '../spans.ts';
import { countedBy } from './counted.ts';
import { weekdayOf } from './dimensions.ts';
import type { Question } from './question.ts';

type Heatmap = OutputOf<(typeof historicalStatistics)['calls']['heatmap']>;

/** Visits by day and hour of the site's clock, and summed by weekday; an hour that clocks show twice counts once, with both. */
export async function heatmapOf(db: Database, question: Question, days: readonly string[], now: Date): Promise<Heatmap> {
  const { clock } = question;
  const { rows } = await db.execute<{ at: number; visits: number }>(
    sql`SELECT ${millisecondsOf(sql`at`)} AS at, sum(visits)::float8 AS visits FROM ${await countedBy(db, question, 'time')} AS found GROUP BY at`,
  );
  const visits = new Map<string, number>();
  for (const row of rows) {
    const key = `${clock.dayOf(row.at)} ${clock.clockHourOf(row.at)}`;
    visits.set(key, (visits.get(key) ?? 0) + row.visits);
  }
  const lines = days.map((day) => {
    const begun = new Set(
      clock
        .hoursOf(day)
        .filter((start) => start <= now.getTime())
        .map((start) => clock.clockHourOf(start)),
    );
    return { day, hours: Array.from({ length: 24 }, (_, hour) => (begun.has(hour) ? (visits.get(`${day} ${hour}`) ?? 0) : null)) };
  });
  const weekdays = [1, 2, 3, 4, 5, 6, 7].map((weekday) => {
    const own = lines.filter(({ day, hours }) => weekdayOf(day) === weekday && hours.some((value) => value !== null));
    return {
      weekday,
      days: own.length,
      hours: Array.from({ length: 24 }, (_, hour) => own.reduce((sum, line) => sum + (line.hours[hour] ?? 0), 0)),
    };
  });
  return { days: lines, weekdays };
}
