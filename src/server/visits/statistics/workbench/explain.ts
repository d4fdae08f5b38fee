import type { OutputOf } from '../../../../contract/kit/call.ts';
import type { FilterDimension, historicalStatistics } from '../../../../contract/visits/historical-statistics.ts';
import type { Database } from '../../../kit/postgres/database.ts';
import { type Breakdowns, breakdownsOf } from './breakdown.ts';
import { visitsOf } from './points.ts';
import type { Question } from './question.ts';

type Explanation = OutputOf<(typeof historicalStatistics)['calls']['explain']>;
type Cause = Explanation['content'][number];

/** Dimensions in which a change can have a cause; those that are counts by hour anyway, so that the answer comes at once. */
const dimensions: readonly FilterDimension[] = ['target', 'carrier', 'country', 'region', 'city', 'source', 'app', 'system', 'brand'];
const compared = { limit: 200, withTotals: false };
const shownCauses = 15;
/** A value that changed as the whole did explains nothing; what chance does to counts reaches about so far. */
const chance = 2.6;

/** What the change of visits comes from: values whose visits changed otherwise than the whole, by their part of the change. */
export async function explain(db: Database, question: Question, before: Question): Promise<Explanation> {
  const free = dimensions.filter((dimension) => question.filters[dimension]?.length !== 1);
  const [now, past, parts, partsBefore] = await Promise.all([
    visitsOf(db, question),
    visitsOf(db, before),
    breakdownsOf(db, question, free, compared),
    breakdownsOf(db, before, free, compared),
  ]);
  return { now, before: past, content: causesOf(parts, partsBefore, now, past) };
}

export function causesOf(parts: Breakdowns, partsBefore: Breakdowns, now: number, before: number): Cause[] {
  const rate = before > 0 ? now / before : 0;
  const change = now - before;
  const causes = (Object.keys(parts) as FilterDimension[]).flatMap((dimension) => {
    const present = new Map(parts[dimension]?.parts.map((part) => [part.value, part]));
    const past = new Map(partsBefore[dimension]?.parts.map((part) => [part.value, part]));
    return [...new Set([...present.keys(), ...past.keys()])].map((value): Cause & { excess: number } => {
      const [one, other] = [present.get(value), past.get(value)];
      const [visits, visitsBefore] = [one?.visits ?? 0, other?.visits ?? 0];
      const expected = visitsBefore * rate;
      const name = one?.name ?? other?.name;
      return {
        dimension,
        value,
        ...(name ? { name } : {}),
        now: visits,
        before: visitsBefore,
        share: change === 0 ? null : (visits - visitsBefore) / change,
        excess: Math.abs(visits - expected) / Math.sqrt(visits + visitsBefore * rate * rate + 1),
      };
    });
  });
  return causes
    .filter(({ excess, ...cause }) => excess > chance && cause.now !== cause.before)
    .sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before))
    .slice(0, shownCauses)
    .map(({ excess: _, ...cause }) => cause);
}
