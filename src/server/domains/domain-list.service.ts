import { and, eq, sql } from 'drizzle-orm';
import { checkedAtOnce, type Domain, type domainList } from '../../contract/domains/domain-list.ts';
import type { ParsedInputOf } from '../../contract/kit/call.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { notFound } from '../kit/calls/errors.ts';
import { startOperation } from '../kit/jobs/operations.ts';
import { publish } from '../kit/postgres/bus.ts';
import type { Database } from '../kit/postgres/database.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { equals, isOneOf, list } from '../kit/rows/list.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { user_account } from '../users/users.table.ts';
import { siteAddresses } from './checks/dns.ts';
import { addMany } from './domains.batch.ts';
import { readDetails } from './domains.details.ts';
import { tellFormerHolders, tellOfDomains } from './domains.events.ts';
import { domainConditions } from './domains.filters.ts';
import { domainFields, domainFieldsFor, domainJoins, domainOptions, usableBy } from './domains.public.ts';
import { refuseBeyondQuota } from './domains.quota.ts';
import {
  holderOf,
  lockDomains,
  refuseForeignHolder,
  refuseFrozen,
  refuseInUse,
  refuseShortCodes,
  registeredHost,
  sayTaken,
} from './domains.rules.ts';
import { domain, domain_check } from './domains.table.ts';
import { askSoon } from './registrations/registrations.ts';
import { typedAfter } from './registrations/typed.ts';

type Calls = (typeof domainList)['calls'];

const maxOptions = 1000;

async function readDomain(db: Database, id: number): Promise<Domain> {
  const [holder, check, registration] = domainJoins;
  const [found] = await db
    .select(domainFields)
    .from(domain)
    .leftJoin(...holder)
    .leftJoin(...check)
    .leftJoin(...registration)
    .where(eq(domain.id, id));
  if (!found) throw notFound();
  return found;
}

async function addDomain({ host, holder_id, ...fields }: ParsedInputOf<Calls['add']>, context: Context): Promise<Domain> {
  const holder = await holderOf(holder_id, context);
  const values = { ...fields, host: await registeredHost(host, holder, context), holder_id: holder };
  await refuseBeyondQuota(holder, 1, context.db);
  const [added] = await sayTaken(context.db.insert(domain).values(values).returning());
  if (!added) throw new Error('the domain row was not returned');
  await tellOfDomains('domain.created', [added], context);
  return readDomain(context.db, added.id);
}

async function updateDomain({ id, registration_typed, ...input }: ParsedInputOf<Calls['update']>, context: Context): Promise<Domain> {
  const { db, scope } = context;
  const [before] = await db
    .select()
    .from(domain)
    .where(and(eq(domain.id, id), scope.changes(domain.holder_id)))
    .for('update');
  if (!before) throw notFound();
  const after = { ...before, ...input };
  if (after.holder_id !== before.holder_id) {
    await refuseForeignHolder(after.holder_id, context);
    await refuseBeyondQuota(after.holder_id, 1, db);
    // A code keeps to its owner's domains and the pool's: an owner who still uses this one would lose the right to.
    if (after.holder_id !== null) {
      await refuseInUse(db, [id], sql`${live_code.owner_id} <> ${after.holder_id}`);
      await refuseShortCodes(db, [id], sql`short_code.owner_id <> ${after.holder_id}`);
    }
  }
  if (after.host !== before.host) refuseFrozen([before], context);
  if (after.host !== before.host) after.host = await registeredHost(after.host, after.holder_id, context);
  if (after.type !== before.type) {
    await refuseInUse(db, [id]);
    await refuseShortCodes(db, [id]);
  }
  const { host, type, holder_id, remark } = after;
  await sayTaken(db.update(domain).set({ host, type, holder_id, remark, updated_at: sql`now()` }).where(eq(domain.id, id)));
  const typed = await typedAfter({ id, before: before.host, after: host }, registration_typed, db);
  const changes = changesBetween({ ...before, ...typed.before }, { ...after, ...typed.after });
  context.audit(changes);
  if (after.holder_id !== before.holder_id) await tellFormerHolders([before], context);
  if (Object.keys(changes.after).length > 0) await tellOfDomains('domain.changed', [after], context);
  return readDomain(db, id);
}

export const domainListService: Service<typeof domainList> = {
  inquire: async (input, { db, scope }) =>
    list(db, input, {
      fields: domainFieldsFor(scope),
      from: domain,
      joins: domainJoins,
      where: and(scope.sees(domain.holder_id), await domainConditions(db, input)),
      sorts: {
        ...domain,
        live_code_count: domainFields.live_code_count,
        certificate_expires_at: domain_check.certificate_expires_at,
        registration_expires_at: domainFields.registration_expires_at,
        checked_at: domain_check.checked_at,
      },
      key: domain.id,
    }),

  details: ({ id }, context) => readDetails(id, context),

  async options({ type, owner_id }, { db, scope, settings }) {
    const owner = owner_id ?? scope.owner_id;
    if ((await db.$count(user_account, and(eq(user_account.id, owner), scope.sees(user_account.id)))) === 0) throw notFound();
    const { visit_scheme: scheme } = await settings();
    return { content: await domainOptions(and(usableBy(owner), equals(domain.type, type)), { db, scheme, limit: maxOptions }) };
  },

  site_addresses: async (_input, { settings }) => siteAddresses(await settings()),
  add: addDomain,
  add_many: addMany,
  update: updateDomain,

  async update_enabled({ ids, enabled }, context) {
    const { db, scope } = context;
    const rows = await lockDomains(ids, context);
    if (enabled) refuseFrozen(rows, context);
    const changed = rows.filter((row) => row.enabled !== enabled);
    const changedIds = changed.map((row) => row.id);
    await db
      .update(domain)
      .set({ enabled, updated_at: sql`now()` })
      .where(and(isOneOf(domain.id, changedIds), scope.changes(domain.holder_id)));
    context.audit({ before: changed.map(({ id, host }) => ({ id, host, enabled: !enabled })), after: { enabled } });
    await tellOfDomains(
      'domain.changed',
      changed.map((row) => ({ ...row, enabled })),
      context,
    );
    return { affected: rows.length };
  },

  async check({ ids }, { db, actor, scope, language }) {
    const own = scope.changes(domain.holder_id);
    const wanted = await db
      .select({ id: domain.id })
      .from(domain)
      .where(and(own, ids && isOneOf(domain.id, ids)));
    if (wanted.length > checkedAtOnce) {
      const input = { ids: ids ? wanted.map(({ id }) => id) : null };
      const operation_id = await startOperation(db, { kind: 'domain_check', input, actor, language });
      return { affected: wanted.length, operation_id };
    }
    const wantedIds = wanted.map(({ id }) => id);
    await db.update(domain_check).set({ due_at: sql`now()` }).where(isOneOf(domain_check.domain_id, wantedIds));
    await askSoon(db, wantedIds);
    if (wanted.length > 0) await publish(db, 'domain_check', null);
    return { affected: wanted.length, operation_id: null };
  },

  async remove({ ids }, context) {
    const rows = await lockDomains(ids, context);
    refuseFrozen(rows, context);
    const own = rows.map((row) => row.id);
    await refuseInUse(context.db, own);
    await refuseShortCodes(context.db, own);
    await context.db.delete(domain).where(isOneOf(domain.id, own));
    context.audit({ before: rows });
    await tellOfDomains('domain.removed', rows, context);
    return { affected: own.length };
  },
};
