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
  const { rows } = await db.execute<Row>(sql`
    SELECT top.id::float8 AS target_id, top.live_code_id::float8 AS live_code_id, live_code.name AS code_name,
      left(coalesce(nullif(target.name, ''), target.content, ''), 120) AS name, top.visits::float8 AS visits, top.of::float8 AS of
    FROM (
      SELECT counted.id, live_code_id, visits, sum(visits) OVER (PARTITION BY live_code_id) AS of
      FROM (SELECT id, sum(visits) AS visits FROM ${await countedBy(db, question, 'target')} AS found WHERE id IS NOT NULL GROUP BY id) AS counted
      JOIN live_code_target ON live_code_target.id = counted.id ORDER BY visits DESC, counted.id LIMIT ${shownTargets}
    ) AS top JOIN live_code_target AS target ON target.id = top.id JOIN live_code ON live_code.id = top.live_code_id
    ORDER BY top.visits DESC, top.id`);
  const presses = await pressesOf(db, question, [...new Set(rows.map(({ live_code_id }) => live_code_id))]);
  const ids = rows.map(({ target_id }) => target_id);
  const visitors = ids.length === 0 ? [] : await question.store.returning(db, question, ids);
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
