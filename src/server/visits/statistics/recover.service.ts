import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { alias, bigint, pgTable } from 'drizzle-orm/pg-core';
import type { recover } from '../../../contract/codes/recover.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { idColumn, moment, reference } from '../../kit/rows/columns.ts';
import { betweenDays, equals, isOneOf, list } from '../../kit/rows/list.ts';
import { hasText } from '../../live-codes/live-codes.public.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { hasOpenFigures } from '../../orders/over-quota.public.ts';
import { user_account } from '../../users/users.table.ts';
import { codeTotals } from '../visits.public.ts';

export const access_clearing = pgTable('access_clearing', {
  id: idColumn(),
  live_code_id: reference('live_code_id').notNull(),
  owner_id: reference('owner_id').notNull(),
  cleared_at: moment('cleared_at').notNull(),
  visible_before: moment('visible_before'),
  visits: bigint('visits', { mode: 'number' }).notNull(),
  user_id: reference('user_id'),
  impersonator_id: reference('impersonator_id'),
  restored_at: moment('restored_at'),
  restored_by: reference('restored_by'),
  given_up_at: moment('given_up_at'),
  given_up_by: reference('given_up_by'),
  emptied_at: moment('emptied_at'),
});

const owner = alias(user_account, 'owner');
const impersonator = alias(user_account, 'impersonator');
const restorer = alias(user_account, 'restorer');

/** No newer clearing of its code hides what this one does. */
const isNewest = sql`NOT EXISTS (SELECT FROM access_clearing AS newer WHERE newer.live_code_id = ${access_clearing.live_code_id}
  AND newer.restored_at IS NULL AND (newer.cleared_at, newer.id) > (${access_clearing.cleared_at}, ${access_clearing.id}))`;

/** Clearings of the caller's own codes, made while they were his. */
const seenBy = ({ scope }: Context) => and(scope.sees(access_clearing.owner_id), scope.sees(live_code.owner_id));

type Cleared = { affected: number; clearing_ids: number[] };

/** Hides the visits of these codes that came until now; nothing is deleted. Codes without a visible visit are left alone. */
export async function clearAccess({ ids }: { ids: readonly number[] }, context: Context): Promise<Cleared> {
  const { db, scope, actor, now, audit } = context;
  const codes = await db
    .select({ id: live_code.id, owner_id: live_code.owner_id, visible_from: live_code.visible_from })
    .from(live_code)
    .where(and(isOneOf(live_code.id, ids), eq(live_code.removed, false), scope.changes(live_code.owner_id)))
    .orderBy(asc(live_code.id))
    .for('update');
  const { time_zone } = await context.settings();
  const totals = await codeTotals(
    db,
    codes.map(({ id }) => id),
    { now, time_zone },
  );
  const visited = codes.filter(({ id }) => (totals.get(id)?.visits ?? 0) > 0);
  if (visited.length === 0) return { affected: 0, clearing_ids: [] };
  const cleared_at = now.toISOString();
  const rows = JSON.stringify(
    visited.map(({ id, owner_id, visible_from }) => ({ id, owner_id, visible_from, visits: totals.get(id)?.visits })),
  );
  const inserted = await db.execute<{ id: number }>(sql`
    INSERT INTO access_clearing (live_code_id, owner_id, cleared_at, visible_before, visits, user_id, impersonator_id)
    SELECT id, owner_id, ${cleared_at}, visible_from, visits, ${actor.user_id}, ${actor.impersonator?.id ?? null}
    FROM jsonb_to_recordset(${rows}::jsonb) AS given (id bigint, owner_id bigint, visible_from timestamptz, visits bigint)
    RETURNING access_clearing.id::float8 AS id`);
  const cleared = visited.map(({ id }) => id);
  await db.update(live_code).set({ visible_from: cleared_at }).where(isOneOf(live_code.id, cleared));
  audit({ before: visited, after: { visible_from: cleared_at } });
  return { affected: cleared.length, clearing_ids: inserted.rows.map(({ id }) => id) };
}

export async function restoreAccess({ ids }: { ids: readonly number[] }, context: Context): Promise<{ affected: number }> {
  const { db, scope, actor, now, audit } = context;
  const codes = await db
    .select({ id: live_code.id })
    .from(live_code)
    .where(
      and(
        sql`${live_code.id} IN (SELECT live_code_id FROM access_clearing WHERE id = ANY(${sql.param([...ids])}::bigint[]))`,
        scope.changes(live_code.owner_id),
      ),
    )
    .orderBy(asc(live_code.id))
    .for('update');
  const given = sql.param([...ids]);
  const restored = await db
    .update(access_clearing)
    .set({ restored_at: now.toISOString(), restored_by: actor.user_id })
    .where(
      and(
        isOneOf(access_clearing.id, ids),
        isNull(access_clearing.restored_at),
        isNull(access_clearing.given_up_at),
        isOneOf(
          access_clearing.live_code_id,
          codes.map(({ id }) => id),
        ),
        scope.changes(access_clearing.owner_id),
        sql`NOT EXISTS (SELECT FROM access_clearing AS newer WHERE newer.live_code_id = access_clearing.live_code_id AND newer.restored_at IS NULL
          AND (newer.cleared_at, newer.id) > (access_clearing.cleared_at, access_clearing.id)
          AND NOT (newer.id = ANY(${given}::bigint[]) AND newer.given_up_at IS NULL AND ${scope.changes(sql`newer.owner_id`) ?? sql`true`}))`,
      ),
    )
    .returning();
  // What stands hidden is what the newest clearing left hides; without one, the code is as it was before its first.
  await db.execute(sql`
    UPDATE live_code SET visible_from = coalesce(
      (SELECT max(cleared_at) FROM access_clearing WHERE live_code_id = live_code.id AND restored_at IS NULL),
      (SELECT visible_before FROM access_clearing WHERE live_code_id = live_code.id ORDER BY cleared_at, id LIMIT 1))
    WHERE id = ANY(${sql.param([...new Set(restored.map(({ live_code_id }) => live_code_id))])}::bigint[])`);
  audit({ before: restored });
  return { affected: restored.length };
}

/** Gives clearings up: nothing shows their visits again, and a job deletes the rows. One that was restored hides nothing and is left alone. */
export async function giveUpAccess(
  { ids }: { ids: readonly number[] },
  { db, scope, actor, now, audit }: Context,
): Promise<{ affected: number }> {
  const given = await db
    .update(access_clearing)
    .set({ given_up_at: now.toISOString(), given_up_by: actor.user_id })
    .where(
      and(
        isOneOf(access_clearing.id, ids),
        isNull(access_clearing.restored_at),
        isNull(access_clearing.given_up_at),
        scope.changes(access_clearing.owner_id),
        sql`${access_clearing.live_code_id} IN (SELECT id FROM live_code WHERE ${scope.changes(live_code.owner_id) ?? sql`true`})`,
      ),
    )
    .returning();
  audit({ before: given });
  return { affected: given.length };
}

export const recoverService: Service<typeof recover> = {
  async inquire({ search, live_code_id, restored, from, to, ...input }, context) {
    const { time_zone } = await context.settings();
    return list(context.db, input, {
      fields: {
        id: access_clearing.id,
        live_code_id: access_clearing.live_code_id,
        code_name: sql<string>`${live_code.name}`,
        file_name: sql<string>`${live_code.file_name}`,
        owner_id: access_clearing.owner_id,
        owner_account: sql<string>`${owner.account}`,
        cleared_at: access_clearing.cleared_at,
        visits: sql<number | null>`CASE WHEN ${hasOpenFigures(context.scope) ?? sql`true`} THEN ${access_clearing.visits} END`.mapWith(
          Number,
        ),
        user_account: sql<string | null>`${user_account.account}`,
        impersonator_account: sql<string | null>`${impersonator.account}`,
        restored_at: access_clearing.restored_at,
        restored_by_account: sql<string | null>`${restorer.account}`,
        restorable: sql<boolean>`(${access_clearing.restored_at} IS NULL AND ${isNewest})`,
      },
      from: access_clearing,
      joins: [
        [live_code, eq(live_code.id, access_clearing.live_code_id)],
        [owner, eq(owner.id, access_clearing.owner_id)],
        [user_account, eq(user_account.id, access_clearing.user_id)],
        [impersonator, eq(impersonator.id, access_clearing.impersonator_id)],
        [restorer, eq(restorer.id, access_clearing.restored_by)],
      ],
      where: and(
        seenBy(context),
        isNull(access_clearing.given_up_at),
        hasText([live_code.name, live_code.file_name], search),
        equals(access_clearing.live_code_id, live_code_id),
        restored === undefined ? undefined : restored ? isNotNull(access_clearing.restored_at) : isNull(access_clearing.restored_at),
        betweenDays(access_clearing.cleared_at, { from, to }, time_zone),
      ),
      sorts: access_clearing,
      key: access_clearing.id,
    });
  },
  restore: restoreAccess,
};
