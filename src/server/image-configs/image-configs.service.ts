import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { imageConfigs } from '../../contract/content/image-configs.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import { contains, equals, isOneOf, list } from '../kit/rows/list.ts';
import { nextVersion, withVersions } from '../live-codes/live-codes.public.ts';
import { live_code, live_code_target } from '../live-codes/live-codes.table.ts';
import { storage_removal } from '../uploads/storages/storages.table.ts';
import { file } from '../uploads/uploads.table.ts';
import { usedTimes, usesOf } from './image-configs.uses.ts';

const fields = {
  id: file.id,
  name: file.name,
  title: file.title,
  content_type: file.content_type,
  width: file.width,
  height: file.height,
  size: file.size,
  qr_kind: file.qr_kind,
  qr_text: file.qr_text,
  created_at: file.created_at,
};

/** What a caller uploaded himself, whatever his role. */
const own = ({ actor }: Context): SQL => eq(file.owner_id, actor.user_id);

async function lockOwn(id: number, context: Context): Promise<typeof file.$inferSelect> {
  const [found] = await context.db
    .select()
    .from(file)
    .where(and(eq(file.id, id), own(context)))
    .for('key share');
  if (!found) throw notFound();
  return found;
}

/** The words by which a refusal says where pictures are used. */
const namesOf = (uses: readonly { name: string }[]): string =>
  [...new Set(uses.map(({ name }) => name || '–'))].slice(0, 3).join('、') + (uses.length > 3 ? '…' : '');

export const imageConfigsService: Service<typeof imageConfigs> = {
  async inquire({ search, used, qr_kind, ...input }, context) {
    const times = usedTimes(context);
    const page = await list(context.db, input, {
      fields: { ...fields, used: times },
      from: file,
      where: and(
        own(context),
        contains([file.title, file.qr_text], search),
        equals(file.qr_kind, qr_kind),
        used === undefined ? undefined : sql`(${times} > 0) = ${used}`,
      ),
      sorts: file,
      key: file.id,
    });
    return { ...page, content: page.content.map(({ name, ...row }) => ({ ...row, url: `/file/${name}` })) };
  },

  async uses({ id }, context) {
    await lockOwn(id, context);
    return { content: await usesOf(context, [id]) };
  },

  async update({ id, title }, context) {
    const before = await lockOwn(id, context);
    await context.db.update(file).set({ title }).where(eq(file.id, id));
    context.audit({ before: { title: before.title }, after: { title } });
    return { affected: 1 };
  },

  async replace({ id, file_id }, context) {
    const { db, scope, audit } = context;
    if (id === file_id) throw invalidField('file_id', 'repeated');
    await lockOwn(id, context);
    const next = await lockOwn(file_id, context).catch(() => {
      throw invalidField('file_id', 'unknown_file');
    });
    const codes = await db
      .select({ id: live_code.id })
      .from(live_code)
      .where(
        and(sql`${live_code.id} IN (SELECT live_code_id FROM live_code_target WHERE file_id = ${id})`, scope.changes(live_code.owner_id)),
      )
      .orderBy(live_code.id)
      .for('no key update');
    const ids = codes.map((code) => code.id);
    const theirs = and(isOneOf(live_code_target.live_code_id, ids), eq(live_code_target.file_id, id));
    if (next.qr_kind === 'none' && (await db.$count(live_code_target, and(theirs, eq(live_code_target.any_picture, false)))) > 0)
      throw invalidField('file_id', 'no_qr_code');
    const { result: changed } = await withVersions(context, ids, 'target_changed', async () => {
      await db.update(live_code).set(nextVersion).where(isOneOf(live_code.id, ids));
      return db.update(live_code_target).set({ file_id }).where(theirs).returning({ id: live_code_target.id });
    });
    audit({ before: { file_id: id }, after: { file_id, targets: changed.map((target) => target.id) } });
    return { affected: ids.length };
  },

  async remove({ ids }, context) {
    const { db, audit } = context;
    const found = await db
      .select({ id: file.id })
      .from(file)
      .where(and(isOneOf(file.id, ids), own(context)))
      .orderBy(file.id)
      .for('update');
    const removable = found.map((row) => row.id);
    if (removable.length === 0) return { affected: 0 };
    const uses = await usesOf(context, removable);
    if (uses.length > 0) throw new AppError(409, 'image_configs.in_use', { params: { names: namesOf(uses) } });
    const removed = await db.delete(file).where(isOneOf(file.id, removable)).returning();
    await db.insert(storage_removal).values(
      removed.map(({ storage_id, object_key, name }) => ({
        storage_id,
        object_key: object_key || name,
        due_at: context.now.toISOString(),
      })),
    );
    audit({ before: removed });
    return { affected: removed.length };
  },
};
