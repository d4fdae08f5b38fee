import { and, eq, sql } from 'drizzle-orm';
import type { deviceModels } from '../../../contract/visits/device-model.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { notFound } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { contains, list } from '../../kit/rows/list.ts';
import { user_account } from '../../users/users.table.ts';
import { describeModel } from '../facts/models.ts';
import { changeFacts } from '../facts/versions.ts';
import { device_model } from './device-model.table.ts';

const fields = {
  id: device_model.id,
  code: device_model.code,
  brand: device_model.brand,
  name: device_model.name,
  sample: device_model.sample,
  visits: device_model.visits,
  last_at: device_model.last_at,
  named_at: device_model.named_at,
  named_by_account: sql<string | null>`${user_account.account}`,
};

/**
 * Gives user agents of a code their new name at once, in every row that has them. Rollups count by brand: where that is another one, the user
 * agents known so far keep their device for what was counted, and are marked for the job that moves it; later visits make entries of their own.
 */
async function renameAgents(db: Database, code: string, { brand, name }: { brand: string; name: string }): Promise<void> {
  await db.execute(sql`UPDATE visit_agent SET model_name = ${name} WHERE upper(model) = ${code}`);
  await db.execute(sql`
    INSERT INTO visit_device (source, system, brand, browser)
    SELECT DISTINCT source, system, ${brand}, browser FROM visit_agent JOIN visit_device ON visit_device.id = coalesce(next_device_id, device_id)
    WHERE upper(model) = ${code} AND brand <> ${brand} ON CONFLICT DO NOTHING`);
  await db.execute(sql`
    UPDATE visit_agent SET retired = true, next_device_id = renamed.id
    FROM visit_device AS counted, visit_device AS renamed
    WHERE upper(visit_agent.model) = ${code} AND counted.id = coalesce(visit_agent.next_device_id, visit_agent.device_id) AND counted.brand <> ${brand}
      AND (renamed.source, renamed.system, renamed.browser) = (counted.source, counted.system, counted.browser) AND renamed.brand = ${brand}`);
}

async function nameModel({ id, brand, name }: { id: number; brand: string; name: string }, context: Context) {
  const { db, actor, now, audit } = context;
  // Before the row: two who name at once wait here, and neither for the other's row.
  await changeFacts(db, 'device');
  const [before] = await db.select().from(device_model).where(eq(device_model.id, id)).for('update');
  if (!before) throw notFound();
  const isNamed = brand !== '' || name !== '';
  const known = describeModel(before.code);
  const given = { brand: brand || known.brand, name: name || known.name };
  const [after] = await db
    .update(device_model)
    .set({
      ...given,
      named_by: isNamed ? actor.user_id : null,
      named_at: isNamed ? now.toISOString() : null,
      updated_at: now.toISOString(),
    })
    .where(eq(device_model.id, id))
    .returning();
  await renameAgents(db, before.code, given);
  audit({ before, after });
  const { content } = await inquireModels({ page: 1, page_size: 1 }, eq(device_model.id, id), context);
  const [row] = content;
  if (!row) throw notFound();
  return row;
}

type Page = Parameters<Service<typeof deviceModels>['inquire']>[0];
const inquireModels = (input: Page, where: ReturnType<typeof and>, { db }: Context) =>
  list(db, input, {
    fields,
    from: device_model,
    joins: [[user_account, eq(user_account.id, device_model.named_by)]],
    where,
    sorts: device_model,
    key: device_model.id,
  });

export const deviceModelService: Service<typeof deviceModels> = {
  inquire: ({ search, named, ...input }, context) =>
    inquireModels(
      input,
      and(
        contains([device_model.code, device_model.brand, device_model.name], search),
        named === undefined ? undefined : sql`(${device_model.named_at} IS NOT NULL) = ${named}`,
      ),
      context,
    ),
  update: nameModel,
};
