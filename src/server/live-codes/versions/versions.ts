import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { maxVersions, type VersionAction } from '../../../contract/codes/code-version.ts';
import { codeFields } from '../../../contract/codes/live-code-fields.ts';
import { type DomainEvent, emitEvents } from '../../kit/messages/events.ts';
import type { Database } from '../../kit/postgres/database.ts';

/** Who changed codes; a call's context and an operation's job have it. */
export type Author = { user_id: number | null; impersonator: { id: number } | null };
type Writer = { db: Database; actor: Author };

/** The columns of a code that are versions of it. `removed` is never restored by itself; only an act is undone with it. */
export const versionedColumns = [...codeFields, 'removed'] as const;
export type VersionedColumn = (typeof versionedColumns)[number];
/** The columns of a target that are part of its code's versions; `refilled_at` and the like are bookkeeping. */
export const versionedTargetColumns = [
  'id',
  'kind',
  'content',
  'name',
  'weight',
  'threshold',
  'refill_hour',
  'enabled',
  'expires_at',
  'rules',
  'any_picture',
] as const;

/** Fields that are no column of their name. */
const computed: Record<string, string> = {
  'code.js_config_ids': `coalesce((SELECT jsonb_agg(chosen.js_config_id ORDER BY chosen.position)
    FROM live_code_js_config AS chosen WHERE chosen.live_code_id = code.id), '[]')`,
  'target.content': 'coalesce(target.content, target.file_id::text)',
};
const pairs = (table: string, columns: readonly string[]): SQL =>
  sql.raw(
    columns
      .map((column) => `${table}.${column}`)
      .map((column) => `'${column.slice(table.length + 1)}', ${computed[column] ?? column}`)
      .join(', '),
  );
const hashOf = (json: SQL): SQL => sql`sha256(convert_to(${json}::text, 'UTF8'))`;

/** `code` and `part`, to stand below WITH: how these codes are at this moment, and their parts stored. */
const snapshots = (ids: readonly number[]): SQL => sql`
  code AS MATERIALIZED (
    SELECT code.id, code.version, code.owner_id, code.updated_at, code.qr_design, target.content, target.hash AS targets,
      CASE WHEN code.qr_design IS NOT NULL THEN ${hashOf(sql`code.qr_design`)} END AS design,
      jsonb_build_object(${pairs('code', versionedColumns)},
        'password', left(encode(sha256(code.share_password_hash), 'hex'), 16)) AS fields,
      jsonb_strip_nulls(jsonb_build_object('entry_domain_id', entry.host, 'landing_domain_id', landing.host, 'group_id', code_group.name)) AS names
    FROM live_code AS code
    LEFT JOIN domain AS entry ON entry.id = code.entry_domain_id
    LEFT JOIN domain AS landing ON landing.id = code.landing_domain_id
    LEFT JOIN code_group ON code_group.id = code.group_id
    CROSS JOIN LATERAL (
      SELECT content, ${hashOf(sql`content`)} AS hash FROM (
        SELECT coalesce(jsonb_agg(jsonb_build_object(${pairs('target', versionedTargetColumns)}) ORDER BY target.sort DESC, target.id), '[]') AS content
        FROM live_code_target AS target WHERE target.live_code_id = code.id
      ) AS list
    ) AS target
    WHERE code.id = ANY(${sql.param([...ids])}::bigint[])
  ), part AS (
    INSERT INTO live_code_version_part (live_code_id, hash, content)
    SELECT id, design, qr_design FROM code WHERE design IS NOT NULL UNION ALL SELECT id, targets, content FROM code
    ON CONFLICT DO NOTHING
  )`;

/** Of codes older than their history, keeps how they are before they change, so that there is something to go back to. */
async function recordBaselines(db: Database, ids: readonly number[]): Promise<void> {
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT id FROM live_code WHERE id = ANY(${sql.param([...ids])}::bigint[])
      AND NOT EXISTS (SELECT FROM live_code_version WHERE live_code_version.live_code_id = live_code.id)`);
  if (rows.length === 0) return;
  await db.execute(sql`WITH ${snapshots(rows.map(({ id }) => id))}
    INSERT INTO live_code_version (live_code_id, version, change_id, action, owner_id, fields, names, targets, design, at)
    SELECT id, version, gen_random_uuid(), 'kept', owner_id, fields, names, targets, design, updated_at FROM code ON CONFLICT DO NOTHING`);
}

/** What a change of a code sets beside its fields. */
export const nextVersion = { version: sql`version + 1`, updated_at: sql`now()` };

/**
 * Changes codes that are locked, and keeps what they have become as their newest versions. `change` counts each code's version on by one.
 * @returns what `change` gave, and the id by which the whole act can be undone; null where nothing had changed
 */
export async function withVersions<T>(
  writer: Writer,
  ids: readonly number[],
  action: VersionAction,
  change: () => Promise<T>,
  act?: string,
): Promise<{ result: T; change_id: string | null }> {
  await recordBaselines(writer.db, ids);
  const result = await change();
  return { result, change_id: await recordVersions(writer, ids, action, act) };
}

type KeptVersion = {
  id: number;
  version: number;
  owner_id: number;
  former_owner_id: number | null;
  file_name: string;
  name: string;
  removed: boolean;
  changed: string[] | null;
};

/**
 * Keeps what these codes are now as their newest versions, and tells of it: of new codes in the transaction that makes them, of others
 * through `withVersions`. An act of several transactions names itself by a `change_id`. A code that is as it was leaves none and gets its number back: an undo must not come upon a change that was none.
 */
export async function recordVersions(
  { db, actor }: Writer,
  ids: readonly number[],
  action: VersionAction,
  change_id: string = randomUUID(),
): Promise<string | null> {
  if (ids.length === 0) return null;
  const { rows } = await db.execute<KeptVersion>(sql`WITH ${snapshots(ids)}, kept AS (
      SELECT code.id, code.version, code.owner_id, code.fields, code.names, code.targets, code.design, last.version AS last_version,
        last.owner_id AS former_owner_id,
        ARRAY(SELECT key FROM jsonb_each(code.fields) WHERE value IS DISTINCT FROM last.fields -> key)
          || CASE WHEN code.targets IS DISTINCT FROM last.targets THEN ARRAY['targets'] ELSE '{}' END
          || CASE WHEN code.design IS DISTINCT FROM last.design THEN ARRAY['qr_design'] ELSE '{}' END
          || CASE WHEN code.owner_id IS DISTINCT FROM last.owner_id THEN ARRAY['owner_id'] ELSE '{}' END AS changed
      FROM code LEFT JOIN LATERAL (
        SELECT version, fields, targets, design, owner_id FROM live_code_version
        WHERE live_code_version.live_code_id = code.id ORDER BY version DESC LIMIT 1
      ) AS last ON true
    ), stored AS (
      INSERT INTO live_code_version (live_code_id, version, change_id, action, user_id, impersonator_id, owner_id, fields, names, targets, design)
      SELECT id, version, ${change_id}, ${action}, ${actor.user_id}::bigint, ${actor.impersonator?.id ?? null}::bigint, owner_id, fields, names, targets, design
      FROM kept WHERE last_version IS NULL OR changed <> '{}'
      ON CONFLICT (live_code_id, version) DO UPDATE SET fields = excluded.fields, names = excluded.names, targets = excluded.targets,
        design = excluded.design, owner_id = excluded.owner_id, action = excluded.action, change_id = excluded.change_id,
        user_id = excluded.user_id, impersonator_id = excluded.impersonator_id, at = excluded.at
    ), unchanged AS (
      UPDATE live_code SET version = live_code.version - 1 FROM kept
      WHERE live_code.id = kept.id AND kept.version > kept.last_version AND changed = '{}'
    )
    SELECT id, version, owner_id, former_owner_id, fields ->> 'file_name' AS file_name, fields ->> 'name' AS name, (fields -> 'removed')::boolean AS removed,
      CASE WHEN last_version IS NOT NULL THEN changed END AS changed
    FROM kept WHERE last_version IS NULL OR changed <> '{}' ORDER BY id`);
  if (rows.length === 0) return null;
  await emitEvents(
    db,
    rows.flatMap((row) => happenings(row, action)),
  );
  await forgetOld(
    db,
    rows.flatMap(({ id, version }) => (version > maxVersions ? id : [])),
  );
  return change_id;
}

const creations: readonly VersionAction[] = ['created', 'imported'];

function happenings(
  { id, owner_id, former_owner_id, file_name, name, removed, changed }: KeptVersion,
  action: VersionAction,
): DomainEvent[] {
  const data = { id, file_name, name };
  // An import may also change a code that is there.
  if (creations.includes(action) && changed === null) return [{ type: 'code.created', owner_id, data }];
  const type = !changed?.includes('removed') ? 'code.changed' : removed ? 'code.removed' : 'code.restored';
  const told: DomainEvent[] = [{ type, owner_id, data: { ...data, action, changed: changed ?? [] } }];
  // The former owner loses it.
  if (former_owner_id !== null && former_owner_id !== owner_id)
    told.push({ type: 'code.removed', owner_id: former_owner_id, data: { ...data, action } });
  return told;
}

/** Of these codes, forgets the versions beyond the last hundred, and the parts that only those had. */
async function forgetOld(db: Database, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await db.execute<{ live_code_id: number }>(sql`
    DELETE FROM live_code_version AS old USING live_code AS code
    WHERE code.id = ANY(${sql.param([...ids])}::bigint[]) AND old.live_code_id = code.id AND old.version <= code.version - ${maxVersions}
    RETURNING old.live_code_id`);
  const shortened = [...new Set(rows.map(({ live_code_id }) => live_code_id))];
  if (shortened.length === 0) return;
  await db.execute(sql`
    DELETE FROM live_code_version_part AS part WHERE part.live_code_id = ANY(${sql.param(shortened)}::bigint[])
      AND NOT EXISTS (SELECT FROM live_code_version AS used WHERE used.live_code_id = part.live_code_id AND part.hash IN (used.targets, used.design))`);
}
