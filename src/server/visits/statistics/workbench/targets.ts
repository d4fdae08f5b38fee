import { and, sql } from 'drizzle-orm';
import type { OutputOf } from '../../../../contract/kit/call.ts';
import type { historicalStatistics } from '../../../../contract/visits/historical-statistics.ts';
import type { Database } from '../../../kit/postgres/database.ts';
import { isOneOf } from '../../../kit/rows/list.ts';
import { live_code } from '../../../live-codes/live-codes.table.ts';
import { visibleTargets } from '../visible.ts';
import { countedBy } from './counted.ts';
import { isFiltered } from './points.ts';
import type { Question } from './question.ts';
import { estimateOf } from './wilson.ts';

type Compared = OutputOf<(typeof historicalStatistics)['calls']['targets']>['content'][number];
type Row = { target_id: number; live_code_id: number; name: string; code_name: string; visits: number; of: number };

const shownTargets = 50;

/** Long presses of these codes' targets. They have no place and device: filters leave them out. */
async function pressesOf(db: Database, question: Question, live_code_ids: readonly number[]): Promise<Map<number, number>> {
  if (isFiltered(question) || live_code_ids.length === 0) return new Map();
  const { codes, span, clock, hidden } = question;
  const shown = and(codes, isOneOf(live_code.id, live_code_ids));
  const { rows } = await db.execute<{ target_id: number; presses: number }>(sql`
    SELECT target_id::float8 AS target_id, sum(presses)::float8 AS presses FROM ${visibleTargets(shown, span, clock, hidden)} AS pressed
    WHERE presses > 0 GROUP BY target_id`);
  return new Map(rows.map(({ target_id, presses }) => [target_id, presses]));
}

/** The targets with most visits, each against the others of its code; none of codes whose figures are locked. */
export async function comparedTargets(db: Database, { open, ...asked }: Question): Promise<Compared[]> {
  const question = { ...asked, codes: and(asked.codes, open) };
  // Targets are as many as visits may be: only those shown are looked up, and the others of their codes. All that are counted are there.
  const { rows } = await db.execute<Row>(sql`
    WITH counted AS MATERIALIZED (
      SELECT id, sum(visits) AS visits FROM ${await countedBy(db, question, 'target')} AS found WHERE id IS NOT NULL GROUP BY id
    ), top AS MATERIALIZED (
      SELECT ranked.id, ranked.visits, live_code_target.live_code_id, left(coalesce(nullif(name, ''), content, ''), 120) AS name
      FROM (SELECT id, visits FROM counted ORDER BY visits DESC, id LIMIT ${shownTargets}) AS ranked
      JOIN live_code_target ON live_code_target.id = ranked.id
    ), others AS MATERIALIZED (SELECT id, live_code_id FROM live_code_target WHERE live_code_id IN (SELECT live_code_id FROM top)),
    of_codes AS MATERIALIZED (SELECT live_code_id, sum(visits) AS of FROM others JOIN counted USING (id) GROUP BY live_code_id)
    SELECT top.id::float8 AS target_id, live_code_id::float8 AS live_code_id, live_code.name AS code_name, top.name, top.visits::float8 AS visits, of::float8 AS of
    FROM top JOIN of_codes USING (live_code_id) JOIN live_code ON live_code.id = live_code_id ORDER BY top.visits DESC, top.id`);
  const shown = [...new Set(rows.map(({ live_code_id }) => live_code_id))];
  const presses = await pressesOf(db, question, shown);
  const ids = rows.map(({ target_id }) => target_id);
  // Under filters visits are looked at: those of the few codes that are shown.
  const ofShown = isFiltered(question) ? { ...question, codes: and(question.codes, isOneOf(live_code.id, shown)) } : question;
  const visitors = ids.length === 0 ? [] : await question.store.returning(db, ofShown, ids);
  const returning = new Map(visitors.map(({ target_id, ...counts }) => [target_id, counts]));
  return rows.map(({ of, ...found }) => {
    const row = { ...found, presses: presses.get(found.target_id) ?? 0 };
    const own = returning.get(row.target_id);
    return {
      ...row,
      share: estimateOf(row.visits, of) ?? { share: 0, low: 0, high: 1, of: 0 },
      press_rate: row.presses > 0 ? estimateOf(row.presses, row.visits) : null,
      returning: own ? estimateOf(own.returning, own.all) : null,
    };
  });
}
