import { eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../kit/postgres/database.ts';
import { contains } from '../../kit/rows/list.ts';
import { log } from '../../kit/rows/tables.ts';
import { codesOverQuota } from '../../orders/over-quota.public.ts';
import { live_code, live_code_target } from '../live-codes.table.ts';
import { nextVersion, withVersions } from '../versions/versions.ts';

/** A target that shows a picture, as its owner knows it: its code's name and its place among the targets, from 1. */
export type PictureTarget = { id: number; live_code_id: number; code: string; place: number; file_id: number; expires_at: string | null };

/** A group's code lasts a week at most: what ends within it is renewed now, what ended a month ago was given up. */
const [soonDays, pastDays] = [8, 30];
/** So many are offered. */
export const offered = 6;

const place = sql<number>`(SELECT count(*) FROM live_code_target AS before WHERE before.live_code_id = live_code.id
  AND (before.sort, -before.id) >= (live_code_target.sort, -live_code_target.id))::int`;

async function targetsWhere(db: Database, user_id: number, condition: SQL, lock = sql``): Promise<PictureTarget[]> {
  const { rows } = await db.execute<PictureTarget>(sql`
    SELECT live_code_target.id::float8 AS id, live_code.id::float8 AS live_code_id, live_code.name AS code, ${place} AS place,
      live_code_target.file_id::float8 AS file_id, live_code_target.expires_at
    FROM live_code_target JOIN live_code ON live_code.id = live_code_target.live_code_id
    WHERE live_code.owner_id = ${user_id} AND NOT live_code.removed AND live_code.frozen_at IS NULL
      AND live_code_target.kind = 'picture' AND ${condition}
    ORDER BY live_code_target.expires_at, live_code_target.id LIMIT ${offered} ${lock}`);
  return rows.map((row) => ({ ...row, expires_at: row.expires_at === null ? null : new Date(row.expires_at).toISOString() }));
}

/** The user's pictures that are about to end or have ended, the most urgent first; those of codes or targets with these words only. */
export const dueTargets = (db: Database, user_id: number, now: Date, words: string): Promise<PictureTarget[]> =>
  targetsWhere(
    db,
    user_id,
    sql`live_code_target.enabled AND live_code.open
      AND live_code_target.expires_at BETWEEN ${now.toISOString()}::timestamptz - make_interval(days => ${pastDays})
        AND ${now.toISOString()}::timestamptz + make_interval(days => ${soonDays})
      AND ${contains([live_code.name, live_code_target.name], words || undefined) ?? sql`true`}`,
  );

/** Where the user shows this QR code already. */
export const targetsShowing = (db: Database, user_id: number, qr_text: string): Promise<PictureTarget[]> =>
  targetsWhere(db, user_id, sql`EXISTS (SELECT FROM file WHERE file.id = live_code_target.file_id AND file.qr_text = ${qr_text})`);

type Change = {
  user_id: number;
  target_id: number;
  file_id: number;
  expires_at: string | null;
  /** The picture that it must show now. */
  expected?: number;
};

/**
 * Gives a target of the user's another picture and end, as a version that is kept and can be taken back. Answers the target as it was.
 * Undefined: it is gone, is not the user's, shows another picture by now, or waits beyond his quota.
 */
export async function changePicture(
  tx: Database,
  { user_id, target_id, file_id, expires_at, expected }: Change,
): Promise<PictureTarget | undefined> {
  const isWanted = sql`live_code_target.id = ${target_id} AND ${expected === undefined ? sql`true` : sql`live_code_target.file_id = ${expected}`}`;
  // The code first, as whoever else changes it does.
  const [before] = await targetsWhere(tx, user_id, isWanted, sql`FOR UPDATE OF live_code`);
  const { rowCount } = await tx.execute(sql`SELECT FROM file WHERE id = ${file_id} AND owner_id = ${user_id} FOR KEY SHARE`);
  if (!before || !rowCount || (await codesOverQuota(tx, [user_id])).has(before.live_code_id)) return undefined;
  const { live_code_id } = before;
  await withVersions({ db: tx, actor: { user_id, impersonator: null } }, [live_code_id], 'target_changed', async () => {
    await tx.update(live_code_target).set({ file_id, expires_at }).where(eq(live_code_target.id, target_id));
    await tx.update(live_code).set(nextVersion).where(eq(live_code.id, live_code_id));
  });
  const content = { id: live_code_id, target_id, content: String(file_id), expires_at };
  const changes = {
    before: { content: String(before.file_id), expires_at: before.expires_at },
    after: { content: String(file_id), expires_at },
  };
  await tx.insert(log).values({ user_id, type: 'qr_code_list/update_url', content, changes, source: 'telegram' });
  return before;
}
