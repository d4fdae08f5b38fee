import { type SQL, sql } from 'drizzle-orm';
import type { Excess } from '../../contract/money/buy-vip-combo.ts';
import { type KeptKind, keptKinds, type QuotaKind, type Quotas, quotaKinds } from '../../contract/money/vip-combo.ts';
import { publish } from '../kit/postgres/bus.ts';
import type { Database } from '../kit/postgres/database.ts';
import { counts, limitSql, limitUnderSql, usualSql } from './quotas.public.ts';

/** What counts of each kind, as `counted`. */
export const countedRows: Record<KeptKind, SQL> = {
  live_codes: sql`(SELECT id, owner_id FROM live_code WHERE NOT removed) AS counted`,
  monitors: sql`(SELECT id, owner_id FROM domain_monitor WHERE domain_id IS NULL) AS counted`,
};

/** Owners who have more of a kind than they may, with their limits. What nobody limits is not counted. */
const ownersOver = (kind: KeptKind, which: SQL): SQL => sql`
  SELECT user_account.id, bound.number AS limit FROM user_account JOIN role ON role.id = user_account.role_id,
    LATERAL (SELECT ${limitSql(kind, usualSql(kind))} AS number) AS bound
  WHERE ${which} AND CASE WHEN bound.number IS NOT NULL THEN bound.number < ${counts[kind](sql`user_account.id`)} END`;

/** Their rows that are beyond it: those that an owner chose stay, and then the oldest, which are on paper for longest. */
const rowsOver = (kind: KeptKind, which: SQL): SQL => sql`
  SELECT id FROM (
    SELECT counted.id, over_quota.limit,
      row_number() OVER (PARTITION BY counted.owner_id ORDER BY kept_row.row_id IS NULL, counted.id) AS place
    FROM (${ownersOver(kind, which)}) AS over_quota JOIN ${countedRows[kind]} ON counted.owner_id = over_quota.id
      LEFT JOIN kept_row ON kept_row.owner_id = counted.owner_id AND kept_row.kind = ${kind} AND kept_row.row_id = counted.id
  ) AS placed WHERE place > placed.limit`;

const isOneOfOwners = (owner_ids: readonly number[]): SQL => sql`user_account.id = ANY(${sql.param([...new Set(owner_ids)])}::bigint[])`;

/** The codes of these owners that are beyond their quotas: visits go on, changes wait. */
export async function codesOverQuota(db: Database, owner_ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (owner_ids.length === 0) return new Set();
  const { rows } = await db.execute<{ id: number }>(
    sql`SELECT id::float8 AS id FROM (${rowsOver('live_codes', isOneOfOwners(owner_ids))}) AS found`,
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Stops watching what is beyond its owner's quota, and begins again with what is within it. Of one owner, or of all.
 * @returns how many addresses it changed
 */
export async function applyMonitorQuotas(db: Database, owner_id?: number): Promise<number> {
  const [owners, own] =
    owner_id === undefined
      ? [sql`user_account.id IN (SELECT owner_id FROM domain_monitor WHERE domain_id IS NULL)`, sql`true`]
      : [sql`user_account.id = ${owner_id}`, sql`domain_monitor.owner_id = ${owner_id}`];
  const { rowCount } = await db.execute(sql`
    WITH beyond AS (${rowsOver('monitors', owners)})
    UPDATE domain_monitor SET over_quota = NOT over_quota, updated_at = now()
    WHERE ${own} AND over_quota <> (id IN (SELECT id FROM beyond))`);
  if (rowCount) await publish(db, 'domain_monitor', null);
  return rowCount ?? 0;
}

/** The kinds of which a user has more than he may and has not chosen what stays, by how many. */
export async function undecidedExcess(db: Database, user_id: number): Promise<(Excess & { kind: KeptKind })[]> {
  const found: (Excess & { kind: KeptKind })[] = [];
  for (const kind of keptKinds) {
    const { rows } = await db.execute<{ number: number }>(sql`
      SELECT (${counts[kind](sql`over_quota.id`)} - over_quota.limit)::float8 AS number
      FROM (${ownersOver(kind, sql`user_account.id = ${user_id}`)}) AS over_quota
      WHERE over_quota.limit <> (SELECT count(*) FROM ${countedRows[kind]} JOIN kept_row ON kept_row.row_id = counted.id
        WHERE counted.owner_id = ${user_id} AND kept_row.owner_id = ${user_id} AND kept_row.kind = ${kind})`);
    if (rows[0]) found.push({ kind, number: rows[0].number });
  }
  return found;
}

/** By how many of each kind a user would have too many under each of these quotas; null are those of who has no combo. */
export async function excessUnder(db: Database, user_id: number, quotas: readonly (Quotas | null)[]): Promise<Excess[][]> {
  const numberOf = (kind: QuotaKind) =>
    sql`greatest(0, ${counts[kind](sql`user_account.id`)} - ${limitUnderSql(
      kind,
      sql`CASE WHEN given.quotas = 'null' THEN ${usualSql(kind)} ELSE (given.quotas ->> ${kind})::integer END`,
    )})`;
  const { rows } = await db.execute<Record<QuotaKind, number | null>>(sql`
    SELECT ${sql.join(
      quotaKinds.map((kind) => sql`(${numberOf(kind)})::float8 AS ${sql.identifier(kind)}`),
      sql`, `,
    )}
    FROM user_account JOIN role ON role.id = user_account.role_id,
      jsonb_array_elements(${JSON.stringify(quotas)}::jsonb) WITH ORDINALITY AS given (quotas, position)
    WHERE user_account.id = ${user_id} ORDER BY given.position`);
  return rows.map((row) => quotaKinds.flatMap((kind) => (row[kind] ? [{ kind, number: row[kind] }] : [])));
}
