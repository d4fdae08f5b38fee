import { type SQL, sql } from 'drizzle-orm';
import type { Excess } from '../../contract/money/buy-vip-combo.ts';
import { type KeptKind, keptKinds, type QuotaKind, type Quotas, quotaKinds } from '../../contract/money/vip-combo.ts';
import type { Scope } from '../kit/calls/context.ts';
import { AppError } from '../kit/calls/errors.ts';
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
  SELECT id, used, placed.limit FROM (
    SELECT counted.id, over_quota.limit, count(*) OVER (PARTITION BY counted.owner_id) AS used,
      row_number() OVER (PARTITION BY counted.owner_id ORDER BY kept_row.row_id IS NULL, counted.id) AS place
    FROM (${ownersOver(kind, which)}) AS over_quota JOIN ${countedRows[kind]} ON counted.owner_id = over_quota.id
      LEFT JOIN kept_row ON kept_row.owner_id = counted.owner_id AND kept_row.kind = ${kind} AND kept_row.row_id = counted.id
  ) AS placed WHERE place > placed.limit`;

const isOneOfOwners = (owner_ids: readonly number[]): SQL => sql`user_account.id = ANY(${sql.param([...new Set(owner_ids)])}::bigint[])`;

/** How many live codes an owner has, and how many he may have. */
export type OverQuota = { used: number; limit: number };

/** The codes of these owners that are beyond their quotas: visits go on, changes and figures wait. */
export async function codesOverQuota(db: Database, owner_ids: readonly number[]): Promise<ReadonlyMap<number, OverQuota>> {
  if (owner_ids.length === 0) return new Map();
  const { rows } = await db.execute<OverQuota & { id: number }>(
    sql`SELECT id::float8 AS id, used::float8 AS used, found.limit FROM (${rowsOver('live_codes', isOneOfOwners(owner_ids))}) AS found`,
  );
  return new Map(rows.map(({ id, ...quota }) => [id, quota]));
}

/** Whether a code is beyond its owner's quota, for whoever looks without being a user. */
export async function isOverQuota(db: Database, live_code_id: number): Promise<boolean> {
  const { rows } = await db.execute(
    sql`SELECT FROM (${rowsOver(
      'live_codes',
      sql`user_account.id = (SELECT owner_id FROM live_code WHERE id = ${live_code_id})`,
    )}) AS beyond WHERE id = ${live_code_id}`,
  );
  return rows.length > 0;
}

type Viewer = Pick<Scope, 'all' | 'sees'>;

/**
 * The codes whose own figures a viewer may be told, as a condition on their ids: those within their owners' quotas. Undefined for
 * administrators, who are told all.
 */
export const hasOpenFigures = ({ all, sees }: Viewer, id: SQL = sql`live_code.id`): SQL | undefined =>
  all
    ? undefined
    : sql`${id} NOT IN (SELECT beyond.id FROM (${rowsOver('live_codes', sees(sql`user_account.id`) ?? sql`true`)}) AS beyond)`;

export type LockedCode = OverQuota & { name: string };

/** The first of the codes for which `codes` holds whose figures are locked to the viewer. */
export async function lockedCode(db: Database, codes: SQL | undefined, viewer: Viewer): Promise<LockedCode | undefined> {
  if (viewer.all) return undefined;
  const { rows } = await db.execute<LockedCode>(sql`
    SELECT coalesce(nullif(live_code.name, ''), file_name) AS name, beyond.used::float8 AS used, beyond.limit
    FROM (${rowsOver('live_codes', viewer.sees(sql`user_account.id`) ?? sql`true`)}) AS beyond JOIN live_code ON live_code.id = beyond.id
    WHERE ${codes ?? sql`true`} ORDER BY live_code.id LIMIT 1`);
  return rows[0];
}

/** Those of these codes whose figures are locked to the viewer. */
export async function lockedAmong(ids: readonly number[], { db, scope }: { db: Database; scope: Viewer }): Promise<ReadonlySet<number>> {
  const isOpen = hasOpenFigures(scope);
  if (!isOpen || ids.length === 0) return new Set();
  const { rows } = await db.execute<{ id: number }>(
    sql`SELECT id::float8 AS id FROM live_code WHERE id = ANY(${sql.param([...ids])}::bigint[]) AND NOT (${isOpen})`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** 409 where the figures of one of these codes are locked to the viewer: what is counted of it waits until it is within the quota. */
export async function refuseLockedFigures(ids: readonly number[], { db, scope }: { db: Database; scope: Viewer }): Promise<void> {
  if (ids.length === 0) return;
  const found = await lockedCode(db, sql`live_code.id = ANY(${sql.param([...ids])}::bigint[])`, scope);
  if (found) throw new AppError(409, 'live_code.figures_locked', { params: found });
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
