import { and, sql } from 'drizzle-orm';
import type { OutputOf } from '../../../contract/kit/call.ts';
import { type accessRealTimeStatistics, presentMinutes, realTimeMinutes } from '../../../contract/visits/access-real-time-statistics.ts';
import type { Service } from '../../kit/calls/context.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { hasOpenFigures, refuseLockedFigures } from '../../orders/over-quota.public.ts';
import { newestVisits } from './newest-visits.ts';
import { type CodeCondition, momentSql } from './spans.ts';
import { isRefused, passed, visibleRows } from './visible.ts';
import { pickedCodes } from './workbench/question.ts';

type RealTime = OutputOf<(typeof accessRealTimeStatistics)['calls']['inquire']>;

const minute = 60_000;
const shownRegions = 40;
const shownVisits = 20;
/** Ticks come every five seconds to all pages at once: who asks within this time gets the same answer. */
const sharedMilliseconds = 2_000;

/** Makes an answer once for all who ask the same at about the same time. */
export function createShared<T>(milliseconds: number) {
  const kept = new Map<string, { until: number; answer: Promise<T> }>();
  return (key: string, make: () => Promise<T>): Promise<T> => {
    const now = performance.now();
    for (const [other, { until }] of kept) if (until <= now) kept.delete(other);
    const known = kept.get(key);
    if (known) return known.answer;
    const answer = make();
    kept.set(key, { until: now + milliseconds, answer });
    // What failed is asked anew by the next one.
    answer.catch(() => kept.delete(key));
    return answer;
  };
}
/** By database: tests have several in one process. */
const sharedBy = new WeakMap<Database, ReturnType<typeof createShared<RealTime>>>();

export const accessRealTimeStatisticsService: Service<typeof accessRealTimeStatistics> = {
  async inquire({ live_code_ids }, context) {
    await refuseLockedFigures(live_code_ids ?? [], context);
    const { scope, actor, db, now } = context;
    const shared = sharedBy.get(db) ?? createShared<RealTime>(sharedMilliseconds);
    sharedBy.set(db, shared);
    // What is seen follows from the user, or is all.
    const key = JSON.stringify([scope.all ? 'all' : actor.user_id, [...(live_code_ids ?? [])].sort((a, b) => a - b)]);
    return shared(key, () => realTime(db, pickedCodes(context, { live_code_ids }), hasOpenFigures(scope), now));
  },
};

async function realTime(db: Database, codes: CodeCondition, open: CodeCondition, now: Date): Promise<RealTime> {
  const end = now.getTime();
  const first = Math.floor(end / minute) * minute - (realTimeMinutes - 1) * minute;
  const rows = visibleRows(codes, { from: first, to: end + 1 });
  const { rows: minutes } = await db.execute<{ step: number; visits: number; refused: number }>(sql`
    SELECT floor(extract(epoch FROM visit.at - ${momentSql(first)}) / 60)::integer AS step, count(*) FILTER (WHERE outcome = ${passed})::float8 AS visits,
      count(*) FILTER (WHERE ${isRefused(sql`outcome`)})::float8 AS refused FROM ${rows} GROUP BY step`);
  const { rows: people } = await db.execute<{ visitors: number; visitors_now: number }>(sql`
    SELECT count(*)::float8 AS visitors, count(*) FILTER (WHERE last >= ${momentSql(end - presentMinutes * minute)})::float8 AS visitors_now
    FROM (SELECT max(visit.at) AS last FROM ${rows} AND outcome = ${passed} GROUP BY visit.ip) AS visitor`);
  const { rows: regions } = await db.execute<RealTime['regions'][number]>(sql`
    SELECT country, region, sum(visits)::float8 AS visits
    FROM (SELECT visit.place_id AS id, count(*) AS visits FROM ${rows} AND outcome = ${passed} GROUP BY visit.place_id) AS counted
    JOIN visit_place USING (id) GROUP BY country, region ORDER BY visits DESC, country, region LIMIT ${shownRegions}`);
  const byStep = new Map(minutes.map((row) => [row.step, row]));
  const points = Array.from({ length: realTimeMinutes }, (_, step) => ({
    at: new Date(first + step * minute).toISOString(),
    visits: byStep.get(step)?.visits ?? 0,
    refused: byStep.get(step)?.refused ?? 0,
  }));
  return {
    now: now.toISOString(),
    minutes: points,
    visits: points.reduce((sum, point) => sum + point.visits, 0),
    refused: points.reduce((sum, point) => sum + point.refused, 0),
    visitors: people[0]?.visitors ?? 0,
    visitors_now: people[0]?.visitors_now ?? 0,
    regions,
    newest: await newestVisits(db, and(codes, open), now, shownVisits),
  };
}
