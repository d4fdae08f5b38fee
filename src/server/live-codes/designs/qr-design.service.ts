import { type SQL, sql } from 'drizzle-orm';
import { maxDesigns, type qrDesigns, type SavedDesign } from '../../../contract/codes/qr-design.ts';
import type { ParsedInputOf } from '../../../contract/kit/call.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { AppError, mapUniqueViolation, notFound } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { lockLiveCodes } from '../batches/batches.ts';
import { live_code } from '../live-codes.table.ts';
import { nextVersion, withVersions } from '../versions/versions.ts';

type Calls = (typeof qrDesigns)['calls'];

/** The preference of a user that names the design of his new codes. */
export const chosenKey = 'qr_design.chosen';

/** Own designs and those that are shared. */
const usable = (user_id: number): SQL => sql`(qr_design.owner_id = ${user_id} OR qr_design.shared)`;

async function readDesigns(db: Database, user_id: number, id?: number): Promise<SavedDesign[]> {
  const { rows } = await db.execute<SavedDesign>(sql`
    SELECT qr_design.id::float8 AS id, qr_design.name, qr_design.design, qr_design.shared, qr_design.owner_id = ${user_id} AS own,
      coalesce((SELECT value = to_jsonb(qr_design.id) FROM user_preference WHERE user_id = ${user_id} AND key = ${chosenKey}), false) AS chosen
    FROM qr_design WHERE ${usable(user_id)} ${id === undefined ? sql`` : sql`AND qr_design.id = ${id}`} ORDER BY qr_design.owner_id <> ${user_id}, qr_design.name LIMIT 500`);
  return rows;
}

async function readDesign(db: Database, user_id: number, id: number): Promise<SavedDesign> {
  const [design] = await readDesigns(db, user_id, id);
  if (!design) throw notFound();
  return design;
}

/** Only administrators offer designs to others. */
function mayShare({ scope }: Context, shared: boolean | undefined): void {
  if (shared && !scope.all) throw new AppError(403, 'forbidden');
}

async function add({ name, design, shared = false }: ParsedInputOf<Calls['add']>, context: Context): Promise<SavedDesign> {
  const { db, actor } = context;
  mayShare(context, shared);
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtext('livecode designs'), ${actor.user_id % 2 ** 31}::int)`);
  const { rows: counted } = await db.execute<{ number: number }>(
    sql`SELECT count(*) AS number FROM qr_design WHERE owner_id = ${actor.user_id} AND name <> ${name}`,
  );
  if ((counted[0]?.number ?? 0) >= maxDesigns) throw new AppError(409, 'qr_design.too_many', { params: { maximum: maxDesigns } });
  const { rows } = await db.execute<{ id: number }>(sql`
    INSERT INTO qr_design (owner_id, name, design, shared) VALUES (${actor.user_id}, ${name}, ${JSON.stringify(design)}::jsonb, ${shared})
    ON CONFLICT (owner_id, name) DO UPDATE SET design = excluded.design, shared = excluded.shared, updated_at = now()
    RETURNING id::float8 AS id`);
  const id = rows[0]?.id ?? 0;
  context.audit({ after: { id, name, shared } });
  return readDesign(db, actor.user_id, id);
}

async function update({ id, name, shared }: ParsedInputOf<Calls['update']>, context: Context): Promise<SavedDesign> {
  const { db, actor } = context;
  mayShare(context, shared);
  const { rowCount } = await db
    .execute(
      sql`UPDATE qr_design SET name = coalesce(${name ?? null}, name), shared = coalesce(${shared ?? null}::boolean, shared), updated_at = now()
        WHERE id = ${id} AND owner_id = ${actor.user_id}`,
    )
    .catch(mapUniqueViolation({ qr_design_owner_id_name_key: 'name' }));
  if (rowCount === 0) throw notFound();
  context.audit({ after: { id, name, shared } });
  return readDesign(db, actor.user_id, id);
}

async function choose({ id }: ParsedInputOf<Calls['choose']>, { db, actor }: Context): Promise<{ id: number | null }> {
  if (id === null) await db.execute(sql`DELETE FROM user_preference WHERE user_id = ${actor.user_id} AND key = ${chosenKey}`);
  else {
    await readDesign(db, actor.user_id, id);
    await db.execute(sql`INSERT INTO user_preference (user_id, key, value) VALUES (${actor.user_id}, ${chosenKey}, to_jsonb(${id}::bigint))
      ON CONFLICT (user_id, key) DO UPDATE SET value = excluded.value`);
  }
  return { id };
}

/** Codes that are removed or another's are left out, as in every batch. */
async function apply({ ids, design_id }: ParsedInputOf<Calls['apply']>, context: Context) {
  const { db, actor } = context;
  const design = design_id === null ? null : (await readDesign(db, actor.user_id, design_id)).design;
  const found = (await lockLiveCodes(ids, {}, false, context)).map(({ id }) => id);
  const { change_id } = await withVersions(context, found, 'changed', () =>
    db
      .update(live_code)
      .set({ qr_design: design, ...nextVersion })
      .where(isOneOf(live_code.id, found)),
  );
  context.audit({ after: { design_id, codes: found.length } });
  return { affected: found.length, change_id };
}

export const qrDesignService: Service<typeof qrDesigns> = {
  inquire: async (_input, { db, actor }) => ({ content: await readDesigns(db, actor.user_id) }),
  add,
  update,
  async remove({ ids }, context) {
    const { rowCount } = await context.db.execute(
      sql`DELETE FROM qr_design WHERE owner_id = ${context.actor.user_id} AND id = ANY(${sql.param(ids)}::bigint[])`,
    );
    context.audit({ before: { ids } });
    return { affected: rowCount ?? 0 };
  },
  choose,
  apply,
};
