import { and, asc, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { alias, bigint, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { CodeVersion, FieldChange, TargetChange, VersionAction } from '../../../contract/codes/code-version.ts';
import type { TargetKind } from '../../../contract/enums.ts';
import type { Page } from '../../../contract/kit/page.ts';
import { readableHost } from '../../domains/domains.public.ts';
import type { Context } from '../../kit/calls/context.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { bytes, moment, reference } from '../../kit/rows/columns.ts';
import { file } from '../../uploads/uploads.table.ts';
import { user_account } from '../../users/users.table.ts';
import { pictureUrl } from '../live-codes.addresses.ts';
import { requireSeen } from '../live-codes.public.ts';
import { live_code } from '../live-codes.table.ts';
import { versionedColumns, versionedTargetColumns } from './versions.ts';

type Json = FieldChange['before'];
export type Fields = Record<string, Json>;
export type KeptTarget = Fields & { id: number; kind: TargetKind; content: string; name: string };

/** The picture that a kept target shows. */
export const fileOf = ({ kind, content }: KeptTarget): number | null => (kind === 'picture' ? Number(content) : null);

export const live_code_version = pgTable(
  'live_code_version',
  {
    live_code_id: bigint('live_code_id', { mode: 'number' }).notNull(),
    version: integer('version').notNull(),
    change_id: uuid('change_id').notNull(),
    action: text('action').$type<VersionAction>().notNull(),
    at: moment('at').notNull().default(sql`now()`),
    user_id: reference('user_id'),
    impersonator_id: reference('impersonator_id'),
    owner_id: reference('owner_id').notNull(),
    fields: jsonb('fields').$type<Fields>().notNull(),
    names: jsonb('names').$type<Record<string, string>>().notNull(),
    targets: bytes('targets'),
    design: bytes('design'),
  },
  (table) => [primaryKey({ columns: [table.live_code_id, table.version] })],
);
export type StoredVersion = typeof live_code_version.$inferSelect;

const impersonator = alias(user_account, 'impersonator');

/** A list of targets by the code and the hash that versions name it by. */
export const partKey = (live_code_id: number, hash: Buffer): string => `${live_code_id}:${hash.toString('base64')}`;

/** The lists of targets of these versions. */
export async function keptTargets(
  versions: readonly Pick<StoredVersion, 'live_code_id' | 'version'>[],
  db: Database,
): Promise<Map<string, KeptTarget[]>> {
  if (versions.length === 0) return new Map();
  const { rows } = await db.execute<{ live_code_id: number; hash: Buffer; content: KeptTarget[] }>(sql`
    SELECT part.live_code_id, part.hash, part.content
    FROM unnest(${sql.param(versions.map((row) => row.live_code_id))}::bigint[], ${sql.param(versions.map((row) => row.version))}::integer[])
      AS wanted (live_code_id, version)
    JOIN live_code_version AS past USING (live_code_id, version)
    JOIN live_code_version_part AS part ON part.live_code_id = past.live_code_id AND part.hash = past.targets`);
  return new Map(rows.map(({ live_code_id, hash, content }) => [partKey(live_code_id, hash), content]));
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
const moments = new Set(['expires_at']);
/** PostgreSQL writes moments in JSON with the session's offset. */
const onTheWire = (field: string, value: Json): Json =>
  moments.has(field) && typeof value === 'string' ? new Date(value).toISOString() : (value ?? null);

/** What the id in a field was called then. */
export function nameIn(names: Record<string, string>, field: string): string | null {
  const name = names[field] ?? null;
  return name !== null && field.endsWith('_domain_id') ? readableHost(name) : name;
}

function fieldChanges(
  fields: readonly string[],
  before: Fields,
  after: Fields,
  names: [Record<string, string>, Record<string, string>],
): FieldChange[] {
  return fields
    .filter((field) => !isSame(before[field], after[field]))
    .map((field) => ({
      field,
      before: onTheWire(field, before[field] ?? null),
      after: onTheWire(field, after[field] ?? null),
      before_name: nameIn(names[0], field),
      after_name: nameIn(names[1], field),
    }));
}

function passwordChange(before: Fields, after: Fields): CodeVersion['password'] {
  if (isSame(before.password, after.password)) return null;
  if (!before.password) return 'set';
  return after.password ? 'changed' : 'removed';
}

const shownOfTarget = versionedTargetColumns.filter((column) => column !== 'id');

/** What became of the targets: those that came, went and changed, by their ids. */
function targetChanges(before: readonly KeptTarget[], after: readonly KeptTarget[], pictures: ReadonlyMap<number, string>): TargetChange[] {
  const shown = (target: KeptTarget, place: number, change: TargetChange['change'], changes: FieldChange[] = []): TargetChange => ({
    change,
    id: target.id,
    place: place + 1,
    kind: target.kind,
    name: target.name,
    content: target.content,
    picture_url: pictures.get(fileOf(target) ?? 0) ?? null,
    changes,
  });
  const beforeById = new Map(before.map((target) => [target.id, target]));
  const afterIds = new Set(after.map(({ id }) => id));
  return [
    ...after.flatMap((target, place) => {
      const old = beforeById.get(target.id);
      if (!old) return [shown(target, place, 'added')];
      const changes = fieldChanges(shownOfTarget, old, target, [{}, {}]);
      return changes.length > 0 ? [shown(target, place, 'changed', changes)] : [];
    }),
    ...before.flatMap((target, place) => (afterIds.has(target.id) ? [] : [shown(target, place, 'removed')])),
  ];
}

function isReordered(before: readonly KeptTarget[], after: readonly KeptTarget[]): boolean {
  const [old, now] = [new Set(before.map(({ id }) => id)), new Set(after.map(({ id }) => id))];
  return !isSame(
    before.filter(({ id }) => now.has(id)).map(({ id }) => id),
    after.filter(({ id }) => old.has(id)).map(({ id }) => id),
  );
}

async function pictureUrls(lists: Iterable<readonly KeptTarget[]>, db: Database): Promise<Map<number, string>> {
  const ids = [...new Set([...lists].flat().flatMap((target) => fileOf(target) ?? []))];
  if (ids.length === 0) return new Map();
  const files = await db.select({ id: file.id, name: file.name }).from(file).where(inArray(file.id, ids));
  return new Map(files.map(({ id, name }) => [id, pictureUrl(name)]));
}

type ListInput = { id: number; page?: number; page_size?: number };

/** The versions of a code, newest first, each with what it changed against the one before. A later owner sees those since it is his. */
export async function listVersions({ id, page = 1, page_size = 20 }: ListInput, context: Context): Promise<Page<CodeVersion>> {
  const { db, scope } = context;
  await requireSeen(id, context);
  const where = and(eq(live_code_version.live_code_id, id), scope.sees(live_code_version.owner_id));
  const rows = await db
    .select({ version: live_code_version, user_account: user_account.account, impersonator_account: impersonator.account })
    .from(live_code_version)
    .leftJoin(user_account, eq(user_account.id, live_code_version.user_id))
    .leftJoin(impersonator, eq(impersonator.id, live_code_version.impersonator_id))
    .where(where)
    .orderBy(desc(live_code_version.version))
    .limit(page_size + 1)
    .offset((page - 1) * page_size);
  const targets = await keptTargets(
    rows.map((row) => row.version),
    db,
  );
  const pictures = await pictureUrls(targets.values(), db);
  const targetsOf = (version: StoredVersion) => (version.targets && targets.get(partKey(id, version.targets))) || [];
  const content = rows.slice(0, page_size).map(({ version, ...who }, index): CodeVersion => {
    const before = rows[index + 1]?.version;
    const shown = { version: version.version, action: version.action, at: version.at, ...who, current: page === 1 && index === 0 };
    if (!before) return { ...shown, changes: [], targets: [], reordered: false, design_changed: false, password: null };
    const fields = versionedColumns.filter((column) => column in version.fields);
    return {
      ...shown,
      changes: fieldChanges(fields, before.fields, version.fields, [before.names, version.names]),
      targets: targetChanges(targetsOf(before), targetsOf(version), pictures),
      reordered: isReordered(targetsOf(before), targetsOf(version)),
      design_changed: !isSame(before.design?.toString('hex'), version.design?.toString('hex')),
      password: passwordChange(before.fields, version.fields),
    };
  });
  return { content, total: await db.$count(live_code_version, where), page, page_size };
}

/**
 * What the act `change_id` of this user left, where nothing has happened since: each changed code with the version it had before, and
 * the codes that it made.
 * The codes are locked in the order of their ids.
 */
export async function undoableVersions(
  change_id: string,
  { db, actor, scope }: Context,
): Promise<{ changed: { id: number; version: number }[]; made: number[] }> {
  const made = and(
    eq(live_code_version.change_id, change_id),
    eq(live_code_version.user_id, actor.user_id),
    actor.impersonator ? eq(live_code_version.impersonator_id, actor.impersonator.id) : isNull(live_code_version.impersonator_id),
  );
  const before = sql<number | null>`(SELECT max(older.version) FROM live_code_version AS older
    WHERE older.live_code_id = ${live_code_version.live_code_id} AND older.version < ${live_code_version.version})`;
  const rows = await db
    .select({ id: live_code.id, version: before })
    .from(live_code_version)
    .innerJoin(live_code, and(eq(live_code.id, live_code_version.live_code_id), eq(live_code.version, live_code_version.version)))
    .where(and(made, or(scope.changes(live_code.owner_id) ?? sql`true`)))
    .orderBy(asc(live_code.id))
    .for('update', { of: live_code });
  return {
    changed: rows.flatMap(({ id, version }) => (version === null ? [] : [{ id, version }])),
    made: rows.flatMap(({ id, version }) => (version === null ? [id] : [])),
  };
}
