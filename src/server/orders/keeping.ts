import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { type Choice, maxChoices } from '../../contract/money/buy-vip-combo.ts';
import type { KeptKind } from '../../contract/money/vip-combo.ts';
import { AppError, notFound } from '../kit/calls/errors.ts';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { type Database, openDatabase } from '../kit/postgres/database.ts';
import { applyMonitorQuotas, countedRows } from './over-quota.public.ts';
import { lockQuota, quotaOf } from './quotas.public.ts';

/** How each kind is told apart by who chooses. */
const shownOf = {
  live_codes: sql`SELECT coalesce(nullif(name, ''), file_name) AS name, file_name AS detail,
      coalesce((SELECT visits FROM live_code_total WHERE live_code_id = live_code.id), 0)::float8 AS visits
    FROM live_code WHERE live_code.id = counted.id`,
  monitors: sql`SELECT url AS name, remark AS detail, NULL::float8 AS visits FROM domain_monitor WHERE domain_monitor.id = counted.id`,
} as const;

/** What a user has of a kind, what he keeps whole first. */
export async function readChoices(db: Database, user_id: number, kind: KeptKind) {
  const quota = await quotaOf(db, user_id, kind);
  const limit = quota?.limit ?? null;
  const { rows } = await db.execute<Choice & { total: number }>(sql`
    SELECT counted.id::float8 AS id, counted.total::float8 AS total, coalesce(counted.place <= ${limit}::integer, true) AS kept, shown.*
    FROM (
      SELECT counted.id, count(*) OVER () AS total, row_number() OVER (ORDER BY kept_row.row_id IS NULL, counted.id) AS place
      FROM ${countedRows[kind]}
        LEFT JOIN kept_row ON kept_row.owner_id = counted.owner_id AND kept_row.kind = ${kind} AND kept_row.row_id = counted.id
      WHERE counted.owner_id = ${user_id} ORDER BY place LIMIT ${maxChoices}
    ) AS counted, LATERAL (${shownOf[kind]}) AS shown ORDER BY counted.place`);
  return { limit, total: rows[0]?.total ?? 0, content: rows.map(({ total, ...row }) => (row.kept ? row : { ...row, visits: null })) };
}

/** Puts a user's choice in the place of the one before. Two at once come one after the other, so that never the rows of both are kept. */
export async function keepRows(db: Database, user_id: number, { kind, ids }: { kind: KeptKind; ids: readonly number[] }): Promise<number> {
  const quota = await lockQuota(db, user_id, kind);
  if (!quota || quota.held <= quota.limit) throw new AppError(409, 'quota.not_exceeded');
  const chosen = [...new Set(ids)];
  const { rows } = await db.execute(sql`
    SELECT FROM ${countedRows[kind]} WHERE counted.owner_id = ${user_id} AND counted.id = ANY(${sql.param(chosen)}::bigint[])`);
  if (rows.length < chosen.length) throw notFound();
  if (chosen.length !== quota.limit)
    throw new AppError(400, 'quota.choose_exactly', {
      params: { limit: quota.limit, chosen: chosen.length },
      fields: { ids: 'choose_exactly' },
    });
  await db.execute(sql`DELETE FROM kept_row WHERE owner_id = ${user_id} AND kind = ${kind}`);
  await db.execute(sql`
    INSERT INTO kept_row (owner_id, kind, row_id) SELECT ${user_id}, ${kind}, unnest(${sql.param(chosen)}::bigint[])`);
  if (kind === 'monitors') await applyMonitorQuotas(db, user_id);
  return chosen.length;
}

/** Quotas change by purchases, ends of memberships, settings and administrators: what is watched follows within a minute. */
export const quotaJobs = (pool: pg.Pool): RecurringJob[] => [
  { name: 'quotas.monitors', everyMinutes: 1, run: () => applyMonitorQuotas(openDatabase(pool)) },
];
