import { and, desc, eq, sql } from 'drizzle-orm';
import type { rotation as rotationGroup } from '../../contract/content/rotation.ts';
import { jumpFault, linkJumpType } from '../../contract/links/jump.ts';
import type { Service } from '../kit/calls/context.ts';
import { invalidField, notFound } from '../kit/calls/errors.ts';
import { contains, equals } from '../kit/rows/list.ts';
import { rowsOf } from '../kit/rows/rows.ts';
import { file } from '../uploads/uploads.table.ts';
import { rotation, rotation_click, rotation_type } from './content.table.ts';
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

const rows = rowsOf(rotation, {
  fields,
  joins,
  async check(input, context, before) {
    await checkType(rotation_type, input.type_id, context);
    await checkFile(input.file_id, 'file_id', context);
    const { jump_type = linkJumpType.router, jump_address = '' } = { ...before, ...input };
    const fault = jumpFault(jump_type, jump_address);
    if (fault) throw invalidField('jump_address', fault);
    return undefined;
  },
});

/** Pictures belong to the site, not to a user: all that may open the screen see all of them. */
export const rotationService: Service<typeof rotationGroup> = {
  inquire: ({ search, type_id, enabled, ...input }, context) => {
    const { title, description, remark } = rotation;
    const searched = contains([title, description, remark], search);
    return rows.page(input, context, and(searched, equals(rotation.type_id, type_id), equals(rotation.enabled, enabled)));
  },
  add: rows.add,
  update: rows.change,
  update_enabled: rows.setEnabled,
  remove: rows.remove,

  async update_sort(input, context) {
    const { type_id } = await rows.read(input.id, context);
    return rows.setSort(input, context, eq(rotation.type_id, type_id));
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
