import { and, sql } from 'drizzle-orm';
import type { OutputOf } from '../../../../contract/kit/call.ts';
import type { historicalStatistics } from '../../../../contract/visits/historical-statistics.ts';
import type { Database } from '../../../kit/postgres/database.ts';
import { isOneOf } from '../../../kit/rows/list.ts';
import { live_code } from '../../../live-codes/live-codes.table.ts';
import { visibleTargets } from '../visible.ts';
import { mostVisited, visitsById } from './by-id.ts';
import { countedBy } from './counted.ts';
import { isFiltered } from './points.ts';
import type { Question } from './question.ts';
import { estimateOf } from './wilson.ts';

type Compared = OutputOf<(typeof historicalStatistics)['calls']['targets']>['content'][number];
type Named = Pick<Compared, 'target_id' | 'live_code_id' | 'name' | 'code_name'>;

const shownTargets = 50;

/** Long presses of these codes' targets. They have no place and device: filters leave them out. */
async function pressesOf(db: Database, question: Question, live_code_ids: readonly number[]): Promise<Map<number, number>> {
  if (isFiltered(question) || live_code_ids.length === 0) return new Map();
  const { codes, span, clock, hidden } = question;
  const shown = and(codes, isOneOf(live_code.id, live_code_ids));
  const { rows } = await db.execute<{ target_id: number; presses: number }>(sql`
    SELECT target_id::float8 AS target_id, sum(presses)::float8 AS presses FROM ${visibleTargets(shown, span, clock, hidden, { isPressed: true })} AS pressed
    WHERE presses > 0 GROUP BY target_id`);
  return new Map(rows.map(({ target_id, presses }) => [target_id, presses]));
}

/** The targets with most visits that are still there. Targets are as many as visits may be: only the first are looked up. */
async function topOf(db: Database, visits: ReadonlyMap<number, number>): Promise<Named[]> {
  for (let number = 2 * shownTargets; ; number *= 10) {
    const ids = mostVisited(visits, number);
    const { rows } = await db.execute<Named>(sql`
      SELECT target.id::float8 AS target_id, live_code_id::float8 AS live_code_id, left(coalesce(nullif(target.name, ''), target.content, ''), 120) AS name,
        live_code.name AS code_name
      FROM live_code_target AS target JOIN live_code ON live_code.id = live_code_id WHERE target.id = ANY (${sql.param(ids)}::bigint[])`);
    if (rows.length < shownTargets && ids.length < visits.size) continue;
    const found = new Map(rows.map((row) => [row.target_id, row]));
    return ids.flatMap((id) => found.get(id) ?? []).slice(0, shownTargets);
  }
}

/** The visits of each of these codes, over those of its targets that are still there. */
async function visitsOfCodes(
  db: Database,
  visits: ReadonlyMap<number, number>,
  live_code_ids: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await db.execute<{ id: number; live_code_id: number }>(sql`
    SELECT id::float8 AS id, live_code_id::float8 AS live_code_id FROM live_code_target WHERE live_code_id = ANY (${sql.param(live_code_ids)}::bigint[])`);
  const sums = new Map<number, number>();
  for (const { id, live_code_id } of rows) sums.set(live_code_id, (sums.get(live_code_id) ?? 0) + (visits.get(id) ?? 0));
  return sums;
}

/** The targets with most visits, each against the others of its code; none of codes whose figures are locked. */
export async function comparedTargets(db: Database, { open, ...asked }: Question): Promise<Compared[]> {
  const question = { ...asked, codes: and(asked.codes, open) };
  const { store } = question;
  const told = await store.targets?.(db, question);
  const visits = told?.visits ?? (await visitsById(db, await countedBy(db, question, 'target')));
  const top = await topOf(db, visits);
  if (top.length === 0) return [];
  const [ids, shown] = [top.map(({ target_id }) => target_id), [...new Set(top.map(({ live_code_id }) => live_code_id))]];
  // Under filters visits are looked at: those of the few codes that are shown.
  const ofShown = isFiltered(question) ? { ...question, codes: and(question.codes, isOneOf(live_code.id, shown)) } : question;
  const [of, presses, visitors] = await Promise.all([
    visitsOfCodes(db, visits, shown),
    pressesOf(db, question, shown),
    (told?.returning ?? store.returning)(db, ofShown, ids),
  ]);
  const returning = new Map(visitors.map((one) => [one.target_id, one]));
  return top.map((target) => {
    const { target_id, live_code_id } = target;
    const [own, pressed, again] = [visits.get(target_id) ?? 0, presses.get(target_id) ?? 0, returning.get(target_id)];
    return {
      ...target,
      visits: own,
      presses: pressed,
      share: estimateOf(own, of.get(live_code_id) ?? 0) ?? { share: 0, low: 0, high: 1, of: 0 },
      press_rate: pressed > 0 ? estimateOf(pressed, own) : null,
      returning: again ? estimateOf(again.returning, again.all) : null,
    };
  });
}
