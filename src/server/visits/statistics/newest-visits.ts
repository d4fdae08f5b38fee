import { type SQL, sql } from 'drizzle-orm';
import { outcomes } from '../../../contract/enums.ts';
import type { NewestVisit } from '../../../contract/visits/statistics.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { type CodeCondition, millisecondsOf, momentSql } from './spans.ts';

const usual = 10;
const dayMilliseconds = 86_400_000;
/** The spans whose rows are read whole, the shorter one first: who has visits all the time has enough in them. */
const spans = [10_000, 120_000];
/** Otherwise the codes that were visited last are asked one by one. */
const maxCodes = 200;

type Row = Omit<NewestVisit, 'at' | 'outcome'> & { at: number; outcome: number };

/** The newest visits of the day before `now` to these codes, as far as rows were kept, newest first. */
export async function newestVisits(db: Database, codes: CodeCondition, now: Date, shown = usual): Promise<NewestVisit[]> {
  for (const span of spans) {
    const rows = await read(
      db,
      sql`SELECT visit.* FROM visit JOIN ${live_code} ON ${live_code.id} = visit.live_code_id
        WHERE visit.at > ${momentSql(now.getTime() - span)} AND ${isShown(codes)} ORDER BY visit.at DESC, visit.id DESC LIMIT ${shown}`,
    );
    if (rows.length === shown) return rows;
  }
  const since = momentSql(now.getTime() - dayMilliseconds);
  return read(
    db,
    sql`SELECT visit.* FROM (
        SELECT visit_hour.live_code_id AS id FROM visit_hour JOIN ${live_code} ON ${live_code.id} = visit_hour.live_code_id
        WHERE visit_hour.hour > ${since} - interval '1 hour' AND ${codes ?? sql`true`} AND NOT ${live_code.removed}
        GROUP BY visit_hour.live_code_id ORDER BY max(visit_hour.hour) DESC LIMIT ${maxCodes}
      ) AS visited JOIN ${live_code} ON ${live_code.id} = visited.id
      CROSS JOIN LATERAL (
        SELECT * FROM visit WHERE visit.live_code_id = visited.id AND visit.at > ${since}
          AND (${live_code.visible_from} IS NULL OR visit.at >= ${live_code.visible_from})
        ORDER BY visit.at DESC LIMIT ${shown}
      ) AS visit ORDER BY visit.at DESC, visit.id DESC LIMIT ${shown}`,
  );
}

const isShown = (codes: CodeCondition): SQL =>
  sql`${codes ?? sql`true`} AND NOT ${live_code.removed} AND (${live_code.visible_from} IS NULL OR visit.at >= ${live_code.visible_from})`;

/** Looks up the names of the visits that a query found. */
async function read(db: Database, visits: SQL): Promise<NewestVisit[]> {
  const { rows } = await db.execute<Row>(sql`
    SELECT visit.id::text AS id, ${millisecondsOf(sql`visit.at`)} AS at, ${live_code.id}::float8 AS live_code_id, ${live_code.name} AS name,
      ${live_code.file_name} AS file_name, visit.outcome, country, region, city, source, system, brand, model_name
    FROM (${visits}) AS visit JOIN ${live_code} ON ${live_code.id} = visit.live_code_id JOIN visit_place ON visit_place.id = visit.place_id
    JOIN visit_agent ON visit_agent.id = visit.agent_id JOIN visit_device ON visit_device.id = visit_agent.device_id
    ORDER BY visit.at DESC, visit.id DESC`);
  return rows.flatMap((row) => {
    const outcome = outcomes[row.outcome];
    return outcome ? [{ ...row, at: new Date(Math.round(row.at)).toISOString(), outcome }] : [];
  });
}
