import { sql } from 'drizzle-orm';
import { groupColors } from '../../../contract/codes/code-group.ts';
import type { RowFault } from '../../../contract/codes/code-import.ts';
import { fieldsInCells, initialFields } from '../../../contract/codes/live-code-fields.ts';
import type { OperationActor } from '../../kit/jobs/operations.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { codesOverQuota } from '../../orders/over-quota.public.ts';
import { refuseOverQuota } from '../../orders/quotas.public.ts';
import { chosenDesign } from '../designs/designs.reads.ts';
import { withDefaultDomains } from '../live-codes.rules.ts';
import { live_code } from '../live-codes.table.ts';
import { insertTargets, newTarget, replaceTargets, sortAt, storedTargets } from '../live-codes.targets.ts';
import { newFileName } from '../live-codes.writes.ts';
import { recordVersions, withVersions } from '../versions/versions.ts';
import { groupsOf } from './import.known.ts';
import type { CheckedRow } from './import.rows.ts';

/** The columns that an import can set. */
const columns = fieldsInCells('text', 'choice', 'flag', 'time', 'domain', 'group');
const list = sql.raw(columns.join(', '));
const recordType = sql.raw(columns.map((column) => `${column} ${live_code[column].getSQLType()}`).join(', '));

/** Who imports, and the id by which the whole import is undone. */
export type ImportAct = { actor: OperationActor; change_id: string };
type Written = { added: number; updated: number; faults: RowFault[] };

/** Writes checked rows in the actor's name, in the transaction of `db`: with their groups, targets, quotas and versions. A key taken meanwhile is a fault. */
export async function writeRows(db: Database, { actor, change_id }: ImportAct, rows: readonly CheckedRow[]): Promise<Written> {
  const act = { actor, change_id };
  const groups = await ensureGroups(db, actor.user_id, rows);
  const withGroup = (row: CheckedRow) => (row.group === undefined ? row.fields : { ...row.fields, group_id: groups.get(row.group.trim()) });
  const added = await addCodes(
    db,
    act,
    rows.filter((row) => row.action === 'add'),
    withGroup,
  );
  const updated = await updateCodes(
    db,
    act,
    rows.filter((row) => row.action === 'update'),
    withGroup,
  );
  return { added: added.number, updated: updated.number, faults: [...added.faults, ...updated.faults] };
}

async function ensureGroups(db: Database, owner_id: number, rows: readonly CheckedRow[]): Promise<Map<string, number>> {
  const wanted = [...new Set(rows.flatMap((row) => (row.action === 'skip' || row.action === 'refuse' ? [] : (row.group?.trim() ?? []))))];
  if (wanted.length > 0)
    // Each has a colour of its own, as far as there are so many.
    await db.execute(sql`INSERT INTO code_group (owner_id, name, color)
      SELECT ${owner_id}, name, (${sql.param(groupColors)}::text[])[1 + ((SELECT count(*) FROM code_group WHERE owner_id = ${owner_id}) + place - 1) % ${groupColors.length}]
      FROM unnest(${sql.param(wanted)}::text[]) WITH ORDINALITY AS given (name, place)
      WHERE NOT EXISTS (SELECT FROM code_group WHERE owner_id = ${owner_id} AND code_group.name = given.name)
      ON CONFLICT (owner_id, name) DO NOTHING`);
  return groupsOf(db, owner_id);
}

type FieldsOf = (row: CheckedRow) => Record<string, unknown>;

async function addCodes(db: Database, { actor, change_id }: ImportAct, rows: readonly CheckedRow[], fieldsOf: FieldsOf) {
  if (rows.length === 0) return { number: 0, faults: [] };
  const owner_id = actor.user_id;
  const usual = await withDefaultDomains({}, owner_id, db);
  const defaults = { ...initialFields, ...usual };
  const design = await chosenDesign(db, owner_id);
  const byKey = new Map<string, CheckedRow>();
  let waiting = rows.map((row) => ({ row, file_name: row.file_name ?? newFileName() }));
  const ids = new Map<string, number>();
  // A generated key that is taken is generated again; one that the file gave stays a fault.
  for (let attempt = 1; waiting.length > 0 && attempt <= 5; attempt += 1) {
    for (const { row, file_name } of waiting) byKey.set(file_name, row);
    const given = JSON.stringify(waiting.map(({ row, file_name }) => ({ ...defaults, ...fieldsOf(row), file_name })));
    const { rows: made } = await db.execute<{ id: number; file_name: string }>(sql`
      INSERT INTO live_code (owner_id, file_name, qr_design, ${list})
      SELECT ${owner_id}, file_name, ${design === null ? null : JSON.stringify(design)}::jsonb, ${list} FROM jsonb_to_recordset(${given}::jsonb) AS given (file_name text, ${recordType})
      WHERE NOT EXISTS (SELECT FROM live_code_key WHERE key = given.file_name)
      ON CONFLICT (file_name) DO NOTHING RETURNING id, file_name`);
    for (const { id, file_name } of made) ids.set(file_name, id);
    waiting = waiting
      .filter(({ row, file_name }) => row.file_name === null && !ids.has(file_name))
      .map(({ row }) => ({ row, file_name: newFileName() }));
  }
  const targets = [...ids].flatMap(([file_name, id]) =>
    (byKey.get(file_name)?.targets ?? []).map((target, place, all) => newTarget(target, id, sortAt(place, all.length))),
  );
  await insertTargets(db, targets);
  await recordVersions({ db, actor }, [...ids.values()], 'imported', change_id);
  await refuseOverQuota(db, owner_id, 'live_codes', ids.size);
  const faults = rows
    .filter((row) => row.file_name !== null && !ids.has(row.file_name))
    .map((row) => ({ row: row.row, column: '', code: 'taken', value: row.file_name ?? '' }));
  return { number: ids.size, faults };
}

async function updateCodes(db: Database, { actor, change_id }: ImportAct, rows: readonly CheckedRow[], fieldsOf: FieldsOf) {
  if (rows.length === 0) return { number: 0, faults: [] };
  const { rows: locked } = await db.execute<{ id: number }>(sql`
    SELECT id FROM live_code WHERE id = ANY(${sql.param(rows.map(({ id }) => id))}::bigint[]) AND owner_id = ${actor.user_id} AND NOT removed
    ORDER BY id FOR UPDATE`);
  const beyond = await codesOverQuota(db, [actor.user_id]);
  const mine = new Set(locked.map(({ id }) => id).filter((id) => !beyond.has(id)));
  const present = rows.filter(({ id }) => id !== null && mine.has(id));
  const ids = present.map(({ id }) => id as number);
  const given = JSON.stringify(present.map((row) => ({ id: row.id, given: fieldsOf(row) })));
  const sets = columns
    .map((name) => `${name} = CASE WHEN given.given ? '${name}' THEN value.${name} ELSE live_code.${name} END`)
    .join(', ');
  const change = async () => {
    await db.execute(sql`
      UPDATE live_code SET ${sql.raw(sets)}, version = version + 1, updated_at = now()
      FROM jsonb_to_recordset(${given}::jsonb) AS given (id bigint, given jsonb),
        LATERAL jsonb_to_record(given.given) AS value (${recordType})
      WHERE live_code.id = given.id`);
    await updateTargets(db, present);
  };
  await withVersions({ db, actor }, ids, 'imported', change, change_id);
  const faults = rows
    .filter(({ id }) => id === null || !mine.has(id))
    .map(({ row, id, file_name }) => ({ row, column: '', code: beyond.has(id ?? 0) ? 'over_quota' : 'taken', value: file_name ?? '' }));
  return { number: present.length, faults };
}

const compared = ['kind', 'content', 'name', 'weight', 'threshold', 'refill_hour', 'enabled'] as const;

/** Targets that are as they were are left alone; of changed ones those that lead where they led keep their counts. */
async function updateTargets(db: Database, rows: readonly CheckedRow[]): Promise<void> {
  const changing = rows.filter((row) => row.targets);
  if (changing.length === 0) return;
  const all = await storedTargets(
    db,
    changing.flatMap(({ id }) => id ?? []),
  );
  const byCode = Map.groupBy(all, (target) => target.live_code_id);
  for (const { id, targets = [] } of changing) {
    const present = byCode.get(id ?? 0) ?? [];
    const isSame =
      present.length === targets.length &&
      present.every(
        (before, at) => compared.every((key) => (targets[at]?.[key] ?? before[key]) === before[key]) && targets[at]?.rules === undefined,
      );
    if (isSame || id === null) continue;
    const free = [...present];
    const named = targets.map((target) => {
      const at = free.findIndex((before) => before.kind === target.kind && before.content === target.content);
      return at < 0 ? target : { ...target, id: free.splice(at, 1)[0]?.id };
    });
    await replaceTargets(db, id, named, present);
  }
}
