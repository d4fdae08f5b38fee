import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Domain, domainList } from '../../contract/domain-list.ts';
import { changesBetween } from '../kit/changes.ts';
import type { Context, Service } from '../kit/context.ts';
import type { Database } from '../kit/database.ts';
import { AppError, invalidField, notFound, violatedConstraint } from '../kit/errors.ts';
import { contains, equals, isOneOf, list } from '../kit/list.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { user_account } from '../users/users.table.ts';
import { checkHost, wildcardsOver } from './domains.hosts.ts';
import { domainFields, holderJoin, isHealthy, usableBy } from './domains.reads.ts';
import { domain } from './domains.table.ts';

const maximumOptions = 1000;

async function readDomain(db: Database, id: number): Promise<Domain> {
  const [found] = await db
    .select(domainFields)
    .from(domain)
    .leftJoin(...holderJoin)
    .where(eq(domain.id, id));
  if (!found) throw notFound();
  return found;
}

/** The host in its registered form. A host below another holder's wildcard is his: only an administrator may hand it out. */
async function registeredHost(text: string, holder_id: number | null, { db, scope }: Context): Promise<string> {
  const checked = checkHost(text, { allowsDevelopment: scope.all });
  if ('fault' in checked) throw invalidField('host', checked.fault);
  const wildcards = wildcardsOver(checked.host);
  if (scope.all || wildcards.length === 0) return checked.host;
  const covering = and(inArray(domain.host, wildcards), sql`${domain.holder_id} IS DISTINCT FROM ${holder_id}`);
  if ((await db.$count(domain, covering)) > 0) throw invalidField('host', 'taken');
  return checked.host;
}

async function refuseForeignHolder(holder_id: number | null, { db, actor, scope }: Context): Promise<void> {
  if (!actor.nodes.has('domain_list.assign')) throw new AppError(403, 'forbidden');
  if (holder_id === null) return;
  const known = await db.$count(user_account, and(eq(user_account.id, holder_id), scope.sees(user_account.id)));
  if (known === 0) throw invalidField('holder_id', 'unknown_user');
}

/** 409 while codes use the domain: those in `among`, in the recycle bin too. The rows of `ids` must be locked by now. */
async function refuseInUse(db: Database, ids: readonly number[], among?: SQL): Promise<void> {
  const [used] = await db
    .select({
      host: domain.host,
      count: sql<number>`count(*)`.mapWith(Number),
      removed: sql<number>`count(*) FILTER (WHERE ${live_code.removed})`.mapWith(Number),
    })
    .from(domain)
    .innerJoin(live_code, sql`${domain.id} IN (${live_code.entry_domain_id}, ${live_code.landing_domain_id})`)
    .where(and(isOneOf(domain.id, ids), among))
    .groupBy(domain.id)
    .orderBy(asc(domain.id))
    .limit(1);
  if (used) throw new AppError(409, 'domain.in_use', { params: used });
}

/** The host's constraint decides whether it is free; a SELECT before could only guess. */
async function sayTaken<T>(change: Promise<T>): Promise<T> {
  return change.catch((error: unknown) => {
    throw violatedConstraint(error) === 'domain_host_key' ? invalidField('host', 'taken') : error;
  });
}

export const domainListService: Service<typeof domainList> = {
  inquire: ({ host, type, enabled, block_status, holder_id, pool, ...input }, { db, scope }) =>
    list(db, input, {
      fields: domainFields,
      from: domain,
      joins: [holderJoin],
      where: and(
        scope.sees(domain.holder_id),
        contains(domain.host, host),
        equals(domain.type, type),
        equals(domain.enabled, enabled),
        equals(domain.block_status, block_status),
        equals(domain.holder_id, holder_id),
        pool === undefined ? undefined : sql`(${domain.holder_id} IS NULL) = ${pool}`,
      ),
      sorts: { ...domain, live_code_count: domainFields.live_code_count },
      key: domain.id,
    }),

  async options({ type, owner_id }, { db, scope }) {
    const owner = owner_id ?? scope.owner_id;
    if ((await db.$count(user_account, and(eq(user_account.id, owner), scope.sees(user_account.id)))) === 0) throw notFound();
    const { id, host, enabled, block_status, holder_id } = domainFields;
    const content = await db
      .select({ id, host, type: domain.type, enabled, block_status, holder_id })
      .from(domain)
      .where(and(usableBy(owner), equals(domain.type, type)))
      .orderBy(desc(isHealthy), sql`${domain.holder_id} IS NULL`, asc(domain.host))
      .limit(maximumOptions);
    return { content };
  },

  async add({ host, holder_id, ...fields }, context) {
    const holder = holder_id === undefined ? context.scope.owner_id : holder_id;
    if (holder !== context.scope.owner_id) await refuseForeignHolder(holder, context);
    const values = { ...fields, host: await registeredHost(host, holder, context), holder_id: holder };
    const [added] = await sayTaken(context.db.insert(domain).values(values).returning({ id: domain.id }));
    if (!added) throw new Error('the domain row was not returned');
    return readDomain(context.db, added.id);
  },

  async update({ id, ...input }, context) {
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
      // A code keeps to its owner's domains and the pool's: whoever still uses this one would lose the right to.
      if (after.holder_id !== null) await refuseInUse(db, [id], sql`${live_code.owner_id} <> ${after.holder_id}`);
    }
    if (after.host !== before.host) after.host = await registeredHost(after.host, after.holder_id, context);
    if (after.type !== before.type) await refuseInUse(db, [id]);
    const { host, type, holder_id, remark } = after;
    await sayTaken(db.update(domain).set({ host, type, holder_id, remark, updated_at: sql`now()` }).where(eq(domain.id, id)));
    context.audit(changesBetween(before, after));
    return readDomain(db, id);
  },

  async update_enabled({ ids, enabled }, context) {
    const { db, scope } = context;
    const rows = await lockDomains(ids, context);
    const changed = rows.filter((row) => row.enabled !== enabled);
    await db
      .update(domain)
      .set({ enabled, updated_at: sql`now()` })
      .where(
        and(
          isOneOf(
            domain.id,
            changed.map((row) => row.id),
          ),
          scope.changes(domain.holder_id),
        ),
      );
    context.audit({ before: changed.map(({ id, host }) => ({ id, host, enabled: !enabled })), after: { enabled } });
    return { affected: rows.length };
  },

  async remove({ ids }, context) {
    const rows = await lockDomains(ids, context);
    const own = rows.map((row) => row.id);
    await refuseInUse(context.db, own);
    await context.db.delete(domain).where(isOneOf(domain.id, own));
    context.audit({ before: rows });
    return { affected: own.length };
  },
};

/** The domains of these ids that the caller may change, locked in the order of their ids, so that two batches never wait for each other. */
function lockDomains(ids: readonly number[], { db, scope }: Context) {
  return db
    .select({ id: domain.id, host: domain.host, type: domain.type, holder_id: domain.holder_id, enabled: domain.enabled })
    .from(domain)
    .where(and(isOneOf(domain.id, ids), scope.changes(domain.holder_id)))
    .orderBy(asc(domain.id))
    .for('update');
}
