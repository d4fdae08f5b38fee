import { and, eq, sql } from 'drizzle-orm';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import type { Context } from '../../kit/calls/context.ts';
import { notFound } from '../../kit/calls/errors.ts';
import { readDetails } from '../live-codes.public.ts';
import { storedCode } from '../live-codes.snippets.ts';
import { live_code } from '../live-codes.table.ts';
import { insertCode } from '../live-codes.writes.ts';
import { keepVersions, versionedColumns, versionedTargetColumns } from '../versions/versions.ts';

/** What a version holds of a code goes to its copy, but for what is the code's own; the targets' columns likewise, but for their ids. */
const own: readonly string[] = ['file_name', 'name', 'removed'];
const copied = ['owner_id', 'qr_design', ...versionedColumns.filter((column) => !own.includes(column))] as const;
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
  const values = Object.fromEntries(copied.map((column) => [column, code[column]])) as Pick<typeof code, (typeof copied)[number]>;
  const made = await insertCode({ ...values, name: name ?? code.name }, db);
  await db.execute(sql`
    WITH made AS (
      INSERT INTO live_code_target (live_code_id, sort, ${targetColumns})
      SELECT ${made}, sort, ${targetColumns} FROM live_code_target WHERE live_code_id = ${id} RETURNING id, threshold
    ) INSERT INTO target_quota (target_id, remaining) SELECT id, threshold FROM made WHERE threshold IS NOT NULL`);
  await keepVersions(context, [made], 'created');
  context.audit({ after: { id: made, copy_of: id } });
  return readDetails(made, context);
}
