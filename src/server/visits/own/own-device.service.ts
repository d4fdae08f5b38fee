import { and, asc, eq, sql } from 'drizzle-orm';
import { maxOwnDevices, type ownDevices } from '../../../contract/visits/own-device.ts';
import { type Context, refuseImpersonator, type Service } from '../../kit/calls/context.ts';
import { AppError, notFound } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { readSecret } from '../../kit/secrets.ts';
import { hostToMark, maxMarkedHosts, ownDevicePath, ownLinkMilliseconds } from '../../kit/visits/own-devices.ts';
import { lockOwner } from './lock-owner.ts';
import { own_device } from './own-visit.table.ts';

const isMine = (id: number, { actor }: Context) => and(eq(own_device.id, id), eq(own_device.owner_id, actor.user_id));

/** The domains that visits to his codes come to, and those that he holds; those of most codes first. */
async function domainsOf(db: Database, owner_id: number): Promise<{ id: number; host: string }[]> {
  const { rows } = await db.execute<{ id: number; host: string }>(sql`
    WITH used AS (
      SELECT id, count(*) AS codes FROM (
        SELECT entry_domain_id FROM live_code WHERE owner_id = ${owner_id} AND NOT removed
        UNION ALL SELECT landing_domain_id FROM live_code WHERE owner_id = ${owner_id} AND NOT removed
        UNION ALL SELECT domain_id FROM short_code WHERE owner_id = ${owner_id}
      ) AS named (id) GROUP BY id
    )
    SELECT domain.id::float8 AS id, domain.host FROM domain LEFT JOIN used ON used.id = domain.id
    WHERE domain.enabled AND domain.frozen_at IS NULL AND (domain.holder_id = ${owner_id} OR used.id IS NOT NULL)
    ORDER BY coalesce(used.codes, 0) DESC, domain.id LIMIT ${maxMarkedHosts}`);
  return rows;
}

export const ownDeviceService: Service<typeof ownDevices> = {
  async inquire(_input, context) {
    refuseImpersonator(context);
    const { id, name, created_at, seen_at } = own_device;
    const content = await context.db
      .select({ id, name, created_at, seen_at })
      .from(own_device)
      .where(eq(own_device.owner_id, context.actor.user_id))
      .orderBy(asc(own_device.id));
    return { content };
  },

  async add({ name }, context) {
    refuseImpersonator(context);
    const { db, actor } = context;
    await lockOwner(context);
    if ((await db.$count(own_device, eq(own_device.owner_id, actor.user_id))) >= maxOwnDevices) {
      throw new AppError(409, 'own_device.too_many', { params: { maximum: maxOwnDevices } });
    }
    const [row] = await db.insert(own_device).values({ owner_id: actor.user_id, name }).returning({ id: own_device.id });
    return { id: row?.id ?? 0 };
  },

  async link({ id }, context) {
    refuseImpersonator(context);
    const { db, actor, now } = context;
    const [found] = await db.select({ id: own_device.id }).from(own_device).where(isMine(id, context));
    if (!found) throw notFound();
    const domains = await domainsOf(db, actor.user_id);
    const [first] = domains;
    if (!first) throw new AppError(409, 'own_device.no_domain');
    const until = now.getTime() + ownLinkMilliseconds;
    const link = { owner: actor.user_id, device: id, until, domains: domains.map((domain) => domain.id) };
    const path = ownDevicePath(await readSecret(db, 'visit_signing'), link);
    const { visit_scheme } = await context.settings();
    return {
      url: `${visit_scheme}://${hostToMark(first.host)}${path}`,
      expires_at: new Date(until).toISOString(),
      hosts: domains.map(({ host }) => host),
    };
  },

  async update({ id, name }, context) {
    refuseImpersonator(context);
    const [before] = await context.db.select({ name: own_device.name }).from(own_device).where(isMine(id, context)).for('update');
    if (!before) throw notFound();
    await context.db.update(own_device).set({ name }).where(isMine(id, context));
    context.audit({ before, after: { name } });
    return { affected: 1 };
  },

  async remove({ id }, context) {
    refuseImpersonator(context);
    const removed = await context.db.delete(own_device).where(isMine(id, context)).returning({ name: own_device.name });
    context.audit({ before: removed[0] });
    return { affected: removed.length };
  },
};
