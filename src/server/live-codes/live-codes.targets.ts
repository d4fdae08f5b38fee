import { and, asc, desc, eq, getTableColumns, notInArray, sql } from 'drizzle-orm';
import { initialTarget, type TargetInput } from '../../contract/codes/live-code.ts';
import { pick } from '../../contract/kit/pick.ts';
import type { Database } from '../kit/postgres/database.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { contentColumns, live_code_target, target_lease, target_quota, targetContent } from './live-codes.table.ts';
import { versionedTargetColumns } from './versions/versions.ts';

const { file_id, ...columns } = getTableColumns(live_code_target);

export type StoredTarget = Omit<typeof live_code_target.$inferSelect, 'content' | 'file_id'> & { content: string };

/** The targets of these codes, those of each in their order. The codes must be locked by now where they are read for a change. */
export const storedTargets = (db: Database, live_code_ids: readonly number[]): Promise<StoredTarget[]> =>
  db
    .select({ ...columns, content: targetContent })
    .from(live_code_target)
    .where(isOneOf(live_code_target.live_code_id, live_code_ids))
    .orderBy(asc(live_code_target.live_code_id), desc(live_code_target.sort), asc(live_code_target.id));

/** The rank of a target at this place of so many, from 0: the larger one is first, and the last one has 1. */
export const sortAt = (place: number, number: number): number => number - place;

const targetColumns = versionedTargetColumns.filter((column) => column !== 'id');

/**
 * Makes these the targets of a code, in this order: one with an id keeps its counts and what it doesn't name, one without is new,
 * one that isn't named goes. Quotas follow the thresholds. The code's row must be locked, the targets checked.
 */
export async function replaceTargets(
  db: Database,
  live_code_id: number,
  targets: readonly TargetInput[],
  present: readonly StoredTarget[],
): Promise<StoredTarget[]> {
  const presentById = new Map(present.map((target) => [target.id, target]));
  const rows = targets.map(({ id, ...given }, place) => {
    const before = presentById.get(id ?? 0);
    const merged = pick({ ...(before ?? initialTarget), ...given }, targetColumns);
    // An hour that is set now begins to count at its next coming, not at today's that has passed.
    const isNewHour = before && before.refill_hour !== merged.refill_hour;
    const refilled_at = isNewHour ? new Date().toISOString() : (before?.refilled_at ?? null);
    return {
      ...merged,
      ...contentColumns(merged.kind, merged.content),
      id,
      live_code_id,
      sort: sortAt(place, targets.length),
      refilled_at,
    };
  });
  const kept = rows.flatMap(({ id }) => id ?? []);
  await db.delete(live_code_target).where(and(eq(live_code_target.live_code_id, live_code_id), notInArray(live_code_target.id, kept)));
  const written = [...targetColumns, 'file_id', 'sort', 'refilled_at'];
  await db
    .insert(live_code_target)
    .values(rows)
    .onConflictDoUpdate({
      target: live_code_target.id,
      set: Object.fromEntries(written.map((column) => [column, sql`excluded.${sql.identifier(column)}`])),
    });
  const stored = await storedTargets(db, [live_code_id]);
  await followThresholds(db, presentById, stored);
  return stored;
}

/**
 * A new threshold makes a quota, a changed one adds the difference to what remains, a removed one takes the quota away. A quota made
 * again begins after the generations of leases still out, so that none of them counts for it. One lowered below what is leased out
 * starts a new generation: those leases end at once, rather than serve more than the new threshold.
 */
async function followThresholds(db: Database, before: ReadonlyMap<number, StoredTarget>, after: readonly StoredTarget[]): Promise<void> {
  const old = (target: StoredTarget): number | null => before.get(target.id)?.threshold ?? null;
  const limited = after.filter((target) => target.threshold !== null && old(target) === null).map(({ id }) => id);
  const endless = after.filter((target) => target.threshold === null && old(target) !== null).map(({ id }) => id);
  const changed = after.flatMap((target) => {
    const threshold = old(target);
    const difference = threshold === null || target.threshold === null ? 0 : target.threshold - threshold;
    return difference === 0 ? [] : [{ id: target.id, difference }];
  });
  if (endless.length > 0) await db.delete(target_quota).where(isOneOf(target_quota.target_id, endless));
  if (limited.length > 0)
    await db.execute(sql`
      INSERT INTO ${target_quota} (target_id, remaining, generation)
      SELECT id, threshold, coalesce((SELECT max(generation) FROM ${target_lease} AS lease WHERE lease.target_id = target.id), 0) + 1
      FROM ${live_code_target} AS target WHERE id = ANY(${sql.param(limited)}::bigint[])`);
  if (changed.length > 0)
    await db.execute(sql`
      UPDATE ${target_quota} AS quota SET remaining = greatest(0, remaining + changed.difference),
        generation = generation + CASE WHEN remaining + changed.difference < 0 THEN 1 ELSE 0 END
      FROM unnest(${sql.param(changed.map(({ id }) => id))}::bigint[], ${sql.param(changed.map(({ difference }) => difference))}::integer[])
        AS changed (target_id, difference)
      WHERE quota.target_id = changed.target_id`);
}

/** Sets the visits left of a code's limited targets, or of one of them, back to the threshold, in a new generation. */
export async function refillTargets(db: Database, live_code_id: number, target_id: number | undefined): Promise<void> {
  const which = sql`target.live_code_id = ${live_code_id} AND target.threshold IS NOT NULL
    AND (${target_id ?? null}::bigint IS NULL OR target.id = ${target_id ?? null}::bigint)`;
  await db.execute(sql`
    UPDATE ${target_quota} AS quota SET remaining = target.threshold, generation = quota.generation + 1
    FROM ${live_code_target} AS target WHERE target.id = quota.target_id AND ${which}`);
  await db.execute(sql`UPDATE ${live_code_target} AS target SET refilled_at = now() WHERE ${which}`);
}

/** A target that a code does not have yet, as its row. */
export const newTarget = (target: TargetInput, live_code_id: number, sort: number) => ({
  ...initialTarget,
  ...target,
  ...contentColumns(target.kind, target.content),
  live_code_id,
  sort,
});

const insertedColumns = ['live_code_id', 'sort', 'file_id', ...targetColumns] as const;
const insertedList = sql.raw(insertedColumns.join(', '));
const insertedType = sql.raw(insertedColumns.map((column) => `${column} ${live_code_target[column].getSQLType()}`).join(', '));

/** Adds targets to any number of codes in one statement, with the quotas of those that have a threshold. */
export async function insertTargets(db: Database, targets: readonly ReturnType<typeof newTarget>[]): Promise<void> {
  await db.execute(sql`
    WITH made AS (
      INSERT INTO live_code_target (${insertedList})
      SELECT ${insertedList} FROM jsonb_to_recordset(${JSON.stringify(targets)}::jsonb) AS given (${insertedType})
      RETURNING id, threshold
    ) INSERT INTO target_quota (target_id, remaining) SELECT id, threshold FROM made WHERE threshold IS NOT NULL`);
}
