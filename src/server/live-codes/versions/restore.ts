import { and, asc, eq, sql } from 'drizzle-orm';
import type { LeftOut } from '../../../contract/codes/code-version.ts';
import type { LiveCodeDetails, TargetInput } from '../../../contract/codes/live-code.ts';
import type { qrCodeList } from '../../../contract/codes/qr-code-list.ts';
import type { ParsedInputOf } from '../../../contract/kit/call.ts';
import type { Context } from '../../kit/calls/context.ts';
import { AppError, notFound, violatedConstraint } from '../../kit/calls/errors.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { truncate } from '../../kit/texts.ts';
import { takeLinksAlong } from '../live-codes.links.ts';
import { readDetails } from '../live-codes.public.ts';
import { refuseCodesOverQuota } from '../live-codes.rules.ts';
import { chooseSnippets, type StoredCode, storedCode } from '../live-codes.snippets.ts';
import { live_code } from '../live-codes.table.ts';
import { replaceTargets, type StoredTarget, storedTargets } from '../live-codes.targets.ts';
import {
  type Fields,
  type KeptTarget,
  keptTargets,
  live_code_version,
  nameIn,
  partKey,
  type StoredVersion,
  undoableVersions,
} from './history.ts';
import { findRestorable, type Restorable } from './restorable.ts';
import { nextVersion, versionedColumns, versionedTargetColumns, withVersions } from './versions.ts';

type Calls = (typeof qrCodeList)['calls'];
type Wanted = { id: number; version: number };
type Patch = { code: StoredCode; fields: Fields };

const maxTold = 100;

/** A value of a row and of a version in one form: PostgreSQL writes moments in JSON with the session's offset. */
const comparable = (column: string, value: unknown): string =>
  JSON.stringify(column === 'expires_at' && typeof value === 'string' ? new Date(value).toISOString() : (value ?? null));

/** What the version says otherwise than the code as it is. Whether it is removed and whose it is are only undone, never restored. */
function patchOf(code: StoredCode, version: StoredVersion, isUndo: boolean, context: Context): Patch {
  const columns = versionedColumns.filter((column) => column !== 'removed' && column in version.fields);
  const differing = columns.filter((column) => comparable(column, code[column]) !== comparable(column, version.fields[column]));
  const fields: Fields = Object.fromEntries(differing.map((column) => [column, version.fields[column] ?? null]));
  if (!isUndo) return { code, fields };
  const removed = version.fields.removed === true;
  if (removed !== code.removed) {
    const by = removed
      ? { removed_at: context.now.toISOString(), removed_by: context.actor.user_id }
      : { removed_at: null, removed_by: null };
    Object.assign(fields, { removed, ...by });
  }
  if (version.owner_id !== code.owner_id && context.scope.all) fields.owner_id = version.owner_id;
  return { code, fields };
}

/** What of the patches can be restored, and what can't: each part by itself. */
async function sift(patches: readonly Patch[], versions: ReadonlyMap<number, StoredVersion>, context: Context) {
  const restorable = await findRestorable(patches, context.db);
  const left_out: LeftOut[] = [];
  const sifted = patches.map(({ code, fields }): Patch => {
    const kept: Fields = {};
    for (const [field, value] of Object.entries(fields)) {
      const verdict: Restorable = restorable(code, fields, field, value);
      if (verdict.value !== undefined) kept[field] = verdict.value;
      const name = nameIn(versions.get(code.id)?.names ?? {}, field) ?? (typeof value === 'string' ? value : '');
      if (verdict.reason) left_out.push({ live_code_id: code.id, code_name: code.name, field, reason: verdict.reason, name });
    }
    return { code, fields: kept };
  });
  return { sifted, left_out };
}

/** Writes all columns by one statement, each code its own, and counts every version on; and the snippets. */
async function writeFields(patches: readonly Patch[], { db }: Context): Promise<void> {
  const own = versionedColumns.filter((column) => column !== 'js_config_ids');
  const columns = [...own, 'owner_id', 'removed_at', 'removed_by'].map((column) => sql.identifier(column));
  const given = JSON.stringify(patches.map(({ code, fields }) => ({ id: code.id, fields })));
  await db
    .execute(sql`
      UPDATE live_code SET ${sql.join(
        columns.map((column) => sql`${column} = past.${column}`),
        sql`, `,
      )}, version = live_code.version + 1, updated_at = now()
      FROM jsonb_to_recordset(${given}::jsonb) AS patch (id bigint, fields jsonb)
      JOIN live_code AS present ON present.id = patch.id
      CROSS JOIN LATERAL jsonb_populate_record(present, patch.fields) AS past
      WHERE live_code.id = present.id`)
    .catch((error: unknown) => {
      throw ['live_code_file_name_key', 'live_code_key_key_key'].includes(violatedConstraint(error) ?? '')
        ? new AppError(409, 'live_code.changed_meanwhile')
        : error;
    });
  await chooseSnippets(
    db,
    patches.flatMap(({ code: { id }, fields: { js_config_ids } }) =>
      js_config_ids === undefined ? [] : [{ id, js_config_ids: [js_config_ids].flat().map(Number) }],
    ),
  );
}

/** Puts back the designs that differ. */
const writeDesigns = (wanted: readonly Wanted[], { db }: Context) =>
  db.execute(sql`
    UPDATE live_code SET qr_design = part.content
    FROM unnest(${sql.param(wanted.map(({ id }) => id))}::bigint[], ${sql.param(wanted.map(({ version }) => version))}::integer[]) AS wanted (id, version)
    JOIN live_code_version AS past ON past.live_code_id = wanted.id AND past.version = wanted.version
    LEFT JOIN live_code_version_part AS part ON part.live_code_id = past.live_code_id AND part.hash = past.design
    WHERE live_code.id = wanted.id AND live_code.qr_design IS DISTINCT FROM part.content`);

const isSameTarget = (kept: KeptTarget, stored: StoredTarget | undefined): boolean =>
  stored !== undefined &&
  versionedTargetColumns.every((column) => !(column in kept) || comparable(column, kept[column]) === comparable(column, stored[column]));

/** Makes the kept targets those of the code again, with their old ids and so with their counts, but those that lead nowhere any more. */
async function writeTargets(
  code: StoredCode,
  kept: readonly KeptTarget[],
  present: readonly StoredTarget[],
  context: Context,
): Promise<LeftOut[]> {
  const { targetFault } = await findRestorable([], context.db, kept);
  const told = (target: KeptTarget, reason: LeftOut['reason']): LeftOut => ({
    live_code_id: code.id,
    code_name: code.name,
    field: 'targets',
    reason,
    name: target.name || truncate(target.content, 200),
  });
  const left_out: LeftOut[] = [];
  const usable = kept.filter((target) => {
    const stands = present.some((stored) => stored.id === target.id && stored.content === target.content && stored.kind === target.kind);
    const fault = stands ? undefined : targetFault(target);
    if (fault) left_out.push(told(target, fault));
    return !fault;
  });
  if (usable.length === 0) return left_out.map((part) => ({ ...part, reason: 'no_target' }));
  // Kept targets are rows of the same table as the checked ones, without their bookkeeping.
  await replaceTargets(context.db, code.id, usable as unknown as TargetInput[], present);
  return left_out;
}

/** Puts back the lists of targets that differ. */
async function writeLists(
  codes: readonly StoredCode[],
  versions: ReadonlyMap<number, StoredVersion>,
  context: Context,
): Promise<LeftOut[]> {
  const { db } = context;
  const lists = await keptTargets([...versions.values()], db);
  const present = await storedTargets(db, [...versions.keys()]);
  const presentByCode = Map.groupBy(present, ({ live_code_id }) => live_code_id);
  const left_out: LeftOut[] = [];
  for (const code of codes) {
    const hash = versions.get(code.id)?.targets;
    const kept = hash ? lists.get(partKey(code.id, hash)) : undefined;
    const now = presentByCode.get(code.id) ?? [];
    if (!kept || (kept.length === now.length && kept.every((target, place) => isSameTarget(target, now[place])))) continue;
    left_out.push(...(await writeTargets(code, kept, now, context)));
  }
  return left_out;
}

/** Writes all that these versions say otherwise, as far as that is still possible. */
async function writeVersions(wanted: readonly Wanted[], isUndo: boolean, context: Context) {
  const { db } = context;
  const ids = wanted.map(({ id }) => id);
  const codes = await db.select(storedCode).from(live_code).where(isOneOf(live_code.id, ids)).orderBy(asc(live_code.id));
  const stored = await db
    .select()
    .from(live_code_version)
    .where(
      sql`(${live_code_version.live_code_id}, ${live_code_version.version}) IN (SELECT * FROM unnest(
        ${sql.param(ids)}::bigint[], ${sql.param(wanted.map(({ version }) => version))}::integer[]))`,
    );
  const versions = new Map(stored.map((version) => [version.live_code_id, version]));
  const patches = codes.flatMap((code) => {
    const version = versions.get(code.id);
    return version ? [patchOf(code, version, isUndo, context)] : [];
  });
  const { sifted, left_out } = await sift(patches, versions, context);
  await writeDesigns(wanted, context);
  await writeFields(sifted, context);
  const returned = sifted.filter(({ fields }) => fields.owner_id !== undefined);
  for (const [owner_id, patches] of Map.groupBy(returned, ({ fields }) => Number(fields.owner_id)))
    await takeLinksAlong(
      patches.map(({ code }) => code.id),
      owner_id,
      context,
    );
  left_out.push(
    ...(await writeLists(
      sifted.map(({ code }) => code),
      versions,
      context,
    )),
  );
  return { sifted, left_out };
}

/** Makes these codes what they were in these versions. The codes must be locked. */
async function restore(wanted: readonly Wanted[], isUndo: boolean, context: Context) {
  const ids = wanted.map(({ id }) => id);
  await refuseCodesOverQuota(ids, context);
  const { result, change_id } = await withVersions(context, ids, isUndo ? 'undone' : 'version_restored', () =>
    writeVersions(wanted, isUndo, context),
  );
  const { sifted, left_out } = result;
  context.audit({
    before: sifted.map(({ code, fields }) => ({
      id: code.id,
      ...Object.fromEntries(Object.keys(fields).map((key) => [key, code[key as keyof StoredCode]])),
    })),
    after: sifted.map(({ code, fields }) => ({ id: code.id, ...fields })),
  });
  return { affected: sifted.length, change_id, left_out: left_out.slice(0, maxTold) };
}

export async function restoreVersion(
  { id, version }: ParsedInputOf<Calls['restore_version']>,
  context: Context,
): Promise<{ code: LiveCodeDetails; left_out: LeftOut[] }> {
  const { db, scope } = context;
  const [code] = await db
    .select({ removed: live_code.removed })
    .from(live_code)
    .where(and(eq(live_code.id, id), scope.changes(live_code.owner_id)))
    .for('update');
  if (!code) throw notFound();
  if (code.removed) throw new AppError(409, 'live_code.removed');
  const known = and(
    eq(live_code_version.live_code_id, id),
    eq(live_code_version.version, version),
    scope.changes(live_code_version.owner_id),
  );
  if ((await db.$count(live_code_version, known)) === 0) throw notFound();
  const { left_out } = await restore([{ id, version }], false, context);
  return { code: await readDetails(id, context), left_out };
}

/** Codes that an act made go to the recycle bin. */
async function removeMade(ids: readonly number[], context: Context): Promise<number> {
  if (ids.length === 0) return 0;
  const gone = { removed: true, removed_at: context.now.toISOString(), removed_by: context.actor.user_id };
  await withVersions(context, ids, 'undone', () =>
    context.db
      .update(live_code)
      .set({ ...gone, ...nextVersion })
      .where(isOneOf(live_code.id, ids)),
  );
  context.audit({ after: { removed: ids.length } });
  return ids.length;
}

/** Undoes an act of the caller on all its codes that nobody has changed since. Undone twice, it does nothing the second time. */
export async function undoChange({ change_id }: ParsedInputOf<Calls['undo']>, context: Context) {
  const { changed: wanted, made: creations } = await undoableVersions(change_id, context);
  const made = and(eq(live_code_version.change_id, change_id), eq(live_code_version.user_id, context.actor.user_id));
  const all = await context.db.$count(live_code_version, made);
  const removed = await removeMade(creations, context);
  if (wanted.length === 0) return { affected: removed, changed_since: all - removed, left_out: [] };
  const { affected, left_out } = await restore(wanted, true, context);
  return { affected: affected + removed, changed_since: all - affected - removed, left_out };
}
