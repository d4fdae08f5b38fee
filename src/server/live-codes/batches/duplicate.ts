import { and, eq, sql } from 'drizzle-orm';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { codeFields } from '../../../contract/codes/live-code-fields.ts';
import { pick } from '../../../contract/kit/pick.ts';
import type { Context } from '../../kit/calls/context.ts';
import { notFound } from '../../kit/calls/errors.ts';
import { readDetails } from '../live-codes.public.ts';
import { refuseFrozen } from '../live-codes.rules.ts';
import { storedCode } from '../live-codes.snippets.ts';
import { live_code } from '../live-codes.table.ts';
import { insertCode } from '../live-codes.writes.ts';
import { recordVersions, versionedTargetColumns } from '../versions/versions.ts';

/** What goes to a code's copy: all but what is its own; the targets' columns likewise, but for their ids. */
const own: readonly string[] = ['file_name', 'name'];
const copied = ['owner_id', 'qr_design', ...codeFields.filter((field) => !own.includes(field))] as const;
const targetColumns = sql.raw([...versionedTargetColumns.filter((column) => column !== 'id'), 'file_id'].join(', '));

/** Copies a code that the caller may change, under a new key: targets with full quotas, no visits, no password. */
export async function duplicateLiveCode(
  { id, name }: { id: number; name?: string | undefined },
  context: Context,
): Promise<LiveCodeDetails> {
  const { db, scope } = context;
  const [code] = await db
    .select(storedCode)
    .from(live_code)
    .where(and(eq(live_code.id, id), eq(live_code.removed, false), scope.changes(live_code.owner_id)))
    .for('share');
  if (!code) throw notFound();
  await refuseFrozen([id], context);
  const made = await insertCode({ ...pick(code, copied), name: name ?? code.name }, db);
  await db.execute(sql`
    WITH made AS (
      INSERT INTO live_code_target (live_code_id, sort, ${targetColumns})
      SELECT ${made}, sort, ${targetColumns} FROM live_code_target WHERE live_code_id = ${id} RETURNING id, threshold
    ) INSERT INTO target_quota (target_id, remaining) SELECT id, threshold FROM made WHERE threshold IS NOT NULL`);
  await recordVersions(context, [made], 'created');
  context.audit({ after: { id: made, copy_of: id } });
  return readDetails(made, context);
}
