import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { jumpFault, linkJumpType } from '../../contract/jump.ts';
import type { Picture, rotation as rotationGroup } from '../../contract/rotation.ts';
import { changesBetween } from '../kit/changes.ts';
import type { Context, Service } from '../kit/context.ts';
import type { Database } from '../kit/database.ts';
import { invalidField, notFound } from '../kit/errors.ts';
import { contains, equals, isOneOf, list } from '../kit/list.ts';
import { file } from '../uploads/uploads.table.ts';
import { rotation, rotation_click, rotation_type } from './content.table.ts';
import { rankFor } from './ranks.ts';
import { checkFile, checkType, pictureUrl } from './rules.ts';

/** The pictures of a type that are shown at most. */
const shownPictures = 50;
/** Clicks of one user on one picture within this time are one. */
const sameClickSeconds = 10;

const url = sql<string>`${file.name}`.mapWith(pictureUrl);
const fields = {
  id: rotation.id,
  type_id: rotation.type_id,
  type_name: sql<string>`${rotation_type.name}`,
  file_id: rotation.file_id,
  picture_url: url,
  width: sql<number>`${file.width}`,
  height: sql<number>`${file.height}`,
  title: rotation.title,
  description: rotation.description,
  jump_type: rotation.jump_type,
  jump_address: rotation.jump_address,
  sort: rotation.sort,
  remark: rotation.remark,
  enabled: rotation.enabled,
  click_count: rotation.click_count,
  created_at: rotation.created_at,
  updated_at: rotation.updated_at,
};
const joins = [
  [rotation_type, eq(rotation_type.id, rotation.type_id)],
  [file, eq(file.id, rotation.file_id)],
] as const;

async function read(db: Database, id: number): Promise<Picture> {
  const query = db.select(fields).from(rotation).$dynamic();
  for (const [table, on] of joins) query.innerJoin(table, on);
  const [found] = await query.where(eq(rotation.id, id));
  if (!found) throw notFound();
  return found;
}

type Fields = Partial<
  Pick<Picture, 'type_id' | 'file_id' | 'title' | 'description' | 'jump_type' | 'jump_address' | 'sort' | 'remark' | 'enabled'>
>;

async function check(input: Fields, context: Context): Promise<void> {
  await checkType(rotation_type, input.type_id, context);
  await checkFile(input.file_id, 'file_id', context);
}

function checkJump({ jump_type = linkJumpType.router, jump_address = '' }: Fields): void {
  const fault = jumpFault(jump_type, jump_address);
  if (fault) throw invalidField('jump_address', fault);
}

async function change(id: number, input: Fields, context: Context): Promise<Picture> {
  const { db, audit } = context;
  const [before] = await db.select().from(rotation).where(eq(rotation.id, id)).for('update');
  if (!before) throw notFound();
  await check(input, context);
  const after = { ...before, ...input };
  checkJump(after);
  await db
    .update(rotation)
    .set({ ...input, updated_at: sql`now()` })
    .where(eq(rotation.id, id));
  audit(changesBetween(before, after));
  return read(db, id);
}

/** The pictures of these ids, locked in the order of their ids, so that two batches never wait for each other. */
const lock = ({ db }: Context, ids: readonly number[]) =>
  db.select().from(rotation).where(isOneOf(rotation.id, ids)).orderBy(asc(rotation.id)).for('update');

/** Pictures belong to the site, not to a user: whoever may open the screen sees all of them. */
export const rotationService: Service<typeof rotationGroup> = {
  inquire: ({ search, type_id, enabled, ...input }, { db }) =>
    list(db, input, {
      fields,
      from: rotation,
      joins,
      where: and(
        contains([rotation.title, rotation.description, rotation.remark], search),
        equals(rotation.type_id, type_id),
        equals(rotation.enabled, enabled),
      ),
      sorts: rotation,
      key: rotation.id,
    }),

  async add(input, context) {
    await check(input, context);
    checkJump(input);
    const [added] = await context.db.insert(rotation).values(input).returning({ id: rotation.id });
    if (!added) throw new Error('the picture was not returned');
    return read(context.db, added.id);
  },

  update: ({ id, ...input }, context) => change(id, input, context),

  async update_sort({ id, sort }, context) {
    const { type_id } = await read(context.db, id);
    return change(id, { sort: await rankFor(context.db, rotation, sort, eq(rotation.type_id, type_id)) }, context);
  },

  async update_enabled({ ids, enabled }, context) {
    const rows = await lock(context, ids);
    const changed = rows.filter((row) => row.enabled !== enabled).map(({ id, title }) => ({ id, title }));
    await context.db
      .update(rotation)
      .set({ enabled, updated_at: sql`now()` })
      .where(
        isOneOf(
          rotation.id,
          changed.map(({ id }) => id),
        ),
      );
    context.audit({ before: changed.map((row) => ({ ...row, enabled: !enabled })), after: { enabled } });
    return { affected: rows.length };
  },

  async remove({ ids }, context) {
    const rows = await lock(context, ids);
    const own = rows.map((row) => row.id);
    await context.db.delete(rotation).where(isOneOf(rotation.id, own));
    context.audit({ before: rows });
    return { affected: own.length };
  },

  async banners({ type_id }, { db }) {
    const { id, title, description, jump_type, jump_address, picture_url, width, height } = fields;
    const content = await db
      .select({ id, title, description, jump_type, jump_address, picture_url, width, height })
      .from(rotation)
      .innerJoin(file, eq(file.id, rotation.file_id))
      .where(and(eq(rotation.type_id, type_id), eq(rotation.enabled, true)))
      .orderBy(desc(rotation.sort), desc(rotation.id))
      .limit(shownPictures);
    return { content };
  },

  /** One statement decides whether this click is a new one, so that repetitions and races count once. */
  async click({ id }, { db, actor }) {
    const { rows } = await db.execute<{ known: boolean; affected: number }>(sql`
      WITH clicked AS (
        INSERT INTO ${rotation_click} AS before (rotation_id, user_id, at)
        SELECT ${rotation.id}, ${actor.user_id}, now() FROM ${rotation} WHERE ${rotation.id} = ${id} AND ${rotation.enabled}
        ON CONFLICT (rotation_id, user_id) DO UPDATE SET at = excluded.at
          WHERE before.at < excluded.at - ${`${sameClickSeconds} seconds`}::interval
        RETURNING rotation_id
      ), counted AS (
        UPDATE ${rotation} SET click_count = click_count + 1 FROM clicked WHERE ${rotation.id} = clicked.rotation_id RETURNING 1
      )
      SELECT EXISTS (SELECT FROM ${rotation} WHERE ${rotation.id} = ${id} AND ${rotation.enabled}) AS known,
        (SELECT count(*) FROM counted)::integer AS affected`);
    if (!rows[0]?.known) throw notFound();
    return { affected: rows[0].affected };
  },
};
