import { sql } from 'drizzle-orm';
import { domainType } from '../../contract/enums.ts';
import type { Database } from '../kit/postgres/database.ts';
import { withVersions } from '../live-codes/live-codes.public.ts';
import { codesOf } from '../live-codes/replacement/domain-replacement.public.ts';
import type { Candidate } from './failover.candidates.ts';

/** So many codes are locked and changed by one statement. */
const portionSize = 2000;
/** The product itself. */
const actor = { user_id: null, impersonator: null };

type Row = { id: number };
const idsOf = (rows: readonly Row[]) => sql.param(rows.map(({ id }) => id));

/** Codes of the blocked domain that are open, or that another blocked domain of theirs paused already: they wait for both. */
export const pausable = ({ id, type, holder_id }: Pick<Candidate, 'id' | 'type' | 'holder_id'>) => sql`
  ${codesOf(type).column} = ${id} AND NOT code.removed AND ${holder_id === null ? sql`true` : sql`code.owner_id = ${holder_id}`}
  AND (code.open OR EXISTS (SELECT FROM failover_paused_code AS paused WHERE paused.code_id = code.id))`;

/** Closes the next codes and notes them. @returns how many; 0 when there are none left */
export async function pausePortion(failover_id: number, domain: Candidate, db: Database): Promise<number> {
  if (domain.type === domainType.short) return 0;
  const { rows } = await db.execute<Row & { open: boolean }>(sql`
    SELECT code.id::float8 AS id, code.open FROM live_code AS code
    WHERE ${pausable(domain)} AND NOT EXISTS (
      SELECT FROM failover_paused_code AS noted WHERE noted.code_id = code.id AND noted.failover_id = ${failover_id})
    ORDER BY code.id LIMIT ${portionSize} FOR UPDATE OF code`);
  const open = rows.filter((row) => row.open);
  await setOpen(open, false, db);
  await db.execute(sql`INSERT INTO failover_paused_code (failover_id, code_id, version)
    SELECT ${failover_id}, id, version FROM live_code WHERE id = ANY(${idsOf(rows)}::bigint[])`);
  await db.execute(sql`UPDATE failover SET paused_codes = paused_codes + ${rows.length} WHERE id = ${failover_id}`);
  return rows.length;
}

/**
 * Opens the next codes that were paused for this domain: not those that wait for another domain as well, nor those that somebody opened
 * himself meanwhile, and perhaps closed again.
 */
export async function reopenPortion(failover_id: number, db: Database): Promise<number> {
  const { rows } = await db.execute<Row & { is_due: boolean }>(sql`
    SELECT code.id::float8 AS id, NOT code.open AND NOT EXISTS (
        SELECT FROM failover_paused_code AS other WHERE other.code_id = code.id AND other.failover_id <> ${failover_id})
      AND NOT EXISTS (SELECT FROM live_code_version AS since
        WHERE since.live_code_id = code.id AND since.version > paused.version AND (since.fields ->> 'open')::boolean) AS is_due
    FROM failover_paused_code AS paused JOIN live_code AS code ON code.id = paused.code_id
    WHERE paused.failover_id = ${failover_id} ORDER BY code.id LIMIT ${portionSize} FOR UPDATE OF code`);
  const due = rows.filter((row) => row.is_due);
  await setOpen(due, true, db);
  await db.execute(sql`DELETE FROM failover_paused_code WHERE failover_id = ${failover_id} AND code_id = ANY(${idsOf(rows)}::bigint[])`);
  await db.execute(sql`UPDATE failover SET reopened_codes = reopened_codes + ${due.length} WHERE id = ${failover_id}`);
  return rows.length;
}

async function setOpen(rows: readonly Row[], open: boolean, db: Database): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await withVersions({ db, actor }, ids, open ? 'reopened' : 'paused', () =>
    db.execute(
      sql`UPDATE live_code SET open = ${open}, version = version + 1, updated_at = now() WHERE id = ANY(${idsOf(rows)}::bigint[])`,
    ),
  );
}
