import { and, sql } from 'drizzle-orm';
import type { OutputOf } from '../../../contract/kit/call.ts';
import { type accessRealTimeStatistics, presentMinutes, realTimeMinutes } from '../../../contract/visits/access-real-time-statistics.ts';
import type { Service } from '../../kit/calls/context.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { siteClock } from '../../kit/visits/site-clock.ts';
import { hasOpenFigures, refuseLockedFigures } from '../../orders/over-quota.public.ts';
import { newestVisits } from './newest-visits.ts';
import { recentOfRows } from './recent-visits.ts';
import type { CodeCondition } from './spans.ts';
import { askOf, pickedCodes, type Question } from './workbench/question.ts';

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
    const { scope, actor, db, now, settings } = context;
    const shared = sharedBy.get(db) ?? createShared<RealTime>(sharedMilliseconds);
    sharedBy.set(db, shared);
    // What is seen follows from the user, or is all.
    const key = JSON.stringify([scope.all ? 'all' : actor.user_id, [...(live_code_ids ?? [])].sort((a, b) => a - b)]);
    const codes = pickedCodes(context, { live_code_ids });
    return shared(key, async () => realTime(db, { codes, time_zone: (await settings()).time_zone }, hasOpenFigures(scope), now));
  },
};

async function realTime(db: Database, asked: Pick<Question, 'codes' | 'time_zone'>, open: CodeCondition, now: Date): Promise<RealTime> {
  const [{ codes, time_zone }, to] = [asked, now.getTime() + 1];
  const first = Math.floor(now.getTime() / minute) * minute - (realTimeMinutes - 1) * minute;
  const span = { first, to, minutes: realTimeMinutes, present: now.getTime() - presentMinutes * minute };
  const question = await askOf(db, { ...asked, span: { from: siteClock(time_zone).hourOf(first), to } });
  const recent = (await question.store.recent?.(db, question, span)) ?? (await recentOfRows(db, question, span));
  const { rows: regions } = await db.execute<RealTime['regions'][number]>(sql`
    SELECT country, region, sum(visits)::float8 AS visits FROM ${recent.places} AS counted
    JOIN visit_place USING (id) GROUP BY country, region ORDER BY visits DESC, country, region LIMIT ${shownRegions}`);
  const points = Array.from({ length: realTimeMinutes }, (_, step) => ({
    at: new Date(first + step * minute).toISOString(),
    visits: recent.visits[step] ?? 0,
    refused: recent.refused[step] ?? 0,
  }));
  return {
    now: now.toISOString(),
    minutes: points,
    visits: points.reduce((sum, point) => sum + point.visits, 0),
    refused: points.reduce((sum, point) => sum + point.refused, 0),
    visitors: recent.visitors,
    visitors_now: recent.visitors_now,
    regions,
    newest: await newestVisits(db, and(codes, open), now, shownVisits),
  };
}
