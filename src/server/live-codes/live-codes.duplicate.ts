import { and, eq, sql } from 'drizzle-orm';
import type { LiveCodeDetails } from '../../contract/live-code.ts';
import type { Context } from '../kit/context.ts';
import { notFound } from '../kit/errors.ts';
import { readDetails } from './live-codes.reads.ts';
import { live_code } from './live-codes.table.ts';
import { keepVersions } from './live-codes.versions.ts';
import { insertCode } from './live-codes.writes.ts';

/** Of the columns of a code these are its own; all others go to its copy. */
const copied = [
  'owner_id',
  'remark',
  'group_id',
  'entry_domain_id',
  'landing_domain_id',
  'open',
  'rotation_mode',
  'jump_type',
  'access_mode',
  'restriction_visit',
  'open_log',
  'fallback_url',
  'page_title',
  'page_text',
  'page_style',
  'page_color',
  'qr_design',
  'expires_at',
  'same_target',
  'js_config_ids',
] as const;

/** Copies a code that the caller may change, under a new key: targets with full quotas, no visits, no password. */
export async function duplicateLiveCode(
  { id, name }: { id: number; name?: string | undefined },
  context: Context,
): Promise<LiveCodeDetails> {
  const { db, scope } = context;
  const [code] = await db
    .select()
    .from(live_code)
    .where(and(eq(live_code.id, id), eq(live_code.removed, false), scope.changes(live_code.owner_id)))
    .for('share');
  if (!code) throw notFound();
  const values = Object.fromEntries(copied.map((column) => [column, code[column]])) as Pick<typeof code, (typeof copied)[number]>;
  const made = await insertCode({ ...values, name: name ?? code.name }, db);
  await db.execute(sql`
    WITH made AS (
      INSERT INTO live_code_target (live_code_id, kind, content, file_id, name, sort, weight, threshold, refill_hour, enabled, expires_at, rules, any_picture)
      SELECT ${made}, kind, content, file_id, name, sort, weight, threshold, refill_hour, enabled, expires_at, rules, any_picture
      FROM live_code_target WHERE live_code_id = ${id} RETURNING id, threshold
    ) INSERT INTO target_quota (target_id, remaining) SELECT id, threshold FROM made WHERE threshold IS NOT NULL`);
  await keepVersions(context, [made], 'created');
  context.audit({ after: { id: made, copy_of: id } });
  return readDetails(made, context);
}
