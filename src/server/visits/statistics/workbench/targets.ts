import { and, sql } from 'drizzle-orm';
import type { OutputOf } from '../../../../contract/kit/call.ts';
import type { historicalStatistics } from '../../../../contract/visits/historical-statistics.ts';
import type { Database } from '../../../kit/postgres/database.ts';
import { visibleTargets } from '../visible.ts';
import { countedBy } from './counted.ts';
import { isFiltered } from './points.ts';
import type { Question } from './question.ts';
import { estimateOf } from './wilson.ts';

type Compared = OutputOf<(typeof historicalStatistics)['calls']['targets']>['content'][number];
type Row = { target_id: number; live_code_id: number; name: string; code_name: string; visits: number; presses: number; of: number };

const shownTargets = 50;

/** The targets with most visits, each against the others of its code; none of codes whose figures are locked. Long presses have no place and device: filters leave them out. */
export async function comparedTargets(db: Database, { open, ...asked }: Question): Promise<Compared[]> {
  const question = { ...asked, codes: and(asked.codes, open) };
  const { codes, span, clock, hidden } = question;
  const presses = isFiltered(question)
    ? sql`(SELECT NULL::bigint AS target_id, 0 AS presses WHERE false)`
    : sql`(SELECT target_id, sum(presses) AS presses FROM ${visibleTargets(codes, span, clock, hidden)} AS pressed GROUP BY target_id)`;
  const { rows } = await db.execute<Row>(sql`
    SELECT live_code_target.id::float8 AS target_id, live_code.id::float8 AS live_code_id, live_code.name AS code_name,
      left(coalesce(nullif(live_code_target.name, ''), live_code_target.content, ''), 120) AS name, counted.visits::float8 AS visits,
      coalesce(pressed.presses, 0)::float8 AS presses, (sum(counted.visits) OVER (PARTITION BY live_code.id))::float8 AS of
    FROM (SELECT id, sum(visits) AS visits FROM ${await countedBy(db, question, 'target')} AS found WHERE id IS NOT NULL GROUP BY id) AS counted
    JOIN live_code_target ON live_code_target.id = counted.id JOIN live_code ON live_code.id = live_code_target.live_code_id
    LEFT JOIN ${presses} AS pressed ON pressed.target_id = counted.id
    ORDER BY counted.visits DESC, live_code_target.id LIMIT ${shownTargets}`);
  const ids = rows.map(({ target_id }) => target_id);
  const visitors = ids.length === 0 ? [] : await question.store.returning(db, question, ids);
  const returning = new Map(visitors.map(({ target_id, ...counts }) => [target_id, counts]));
  return rows.map(({ of, ...row }) => {
    const own = returning.get(row.target_id);
    return {
      ...row,
      share: estimateOf(row.visits, of) ?? { share: 0, low: 0, high: 1, of: 0 },
      press_rate: row.presses > 0 ? estimateOf(row.presses, row.visits) : null,
      returning: own ? estimateOf(own.returning, own.all) : null,
    };
  });
}
