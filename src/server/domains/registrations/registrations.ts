import { setTimeout as delay } from 'node:timers/promises';
import { inArray, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Log } from '../../kit/calls/context.ts';
import { claim } from '../../kit/jobs/leased-rows.ts';
import { createWorkLoop, type WorkLoop } from '../../kit/jobs/work-loop.ts';
import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';
import type { Bus } from '../../kit/postgres/bus.ts';
import { type Database, openDatabase, transact } from '../../kit/postgres/database.ts';
import { readSettings } from '../../settings/settings.public.ts';
import { registeredNameOf } from '../domains.names.ts';
import { domain_check, domain_registration } from '../domains.table.ts';
import { readRegistration } from './rdap.ts';

/** For those whose time comes without news. */
const pollMilliseconds = 60_000;
/** Between two questions of one worker: registries refuse who asks faster. */
const pauseMilliseconds = 500;
/** Longer than any question takes. */
const lease = sql`interval '5 minutes'`;
/** Who asks for a check again and again asks the registry no more often. */
const askedAnewAfter = sql`interval '10 minutes'`;
const namedAtOnce = 500;

/** A registered name under a lease; `is_used`: domains stand below it. */
type DueName = { name: string; is_used: boolean; leased_until: string };

/** Finds the registered names of domains that are new or renamed. */
export async function nameRegistrations(db: Database): Promise<void> {
  for (let named = namedAtOnce; named === namedAtOnce; ) named = await transact(db, nameSome);
}

async function nameSome(tx: Database): Promise<number> {
  const { rows } = await tx.execute<{ id: number; host: string }>(sql`
    SELECT domain.id::float8 AS id, domain.host FROM domain_check JOIN domain ON domain.id = domain_check.domain_id
    WHERE domain_check.registered_name IS NULL ORDER BY domain.id LIMIT ${namedAtOnce} FOR UPDATE OF domain_check SKIP LOCKED`);
  if (rows.length === 0) return 0;
  const names = rows.map(({ host }) => registeredNameOf(host) ?? '');
  const own = [...new Set(names)].filter((name) => name !== '').sort();
  // What nothing stood below until now was not asked for.
  await tx.execute(sql`
    INSERT INTO domain_registration (name) SELECT unnest(${sql.param(own)}::text[])
    ON CONFLICT (name) DO UPDATE SET due_at = now() WHERE domain_registration.due_at > now() + ${lease}
      AND coalesce(domain_registration.asked_at < now() - interval '1 day', true)`);
  await tx.execute(sql`
    UPDATE domain_check SET registered_name = found.name
    FROM unnest(${sql.param(rows.map(({ id }) => id))}::bigint[], ${sql.param(names)}::text[]) AS found (id, name) WHERE domain_id = found.id`);
  return rows.length;
}

/** Takes a name whose time has come: of several workers each gets another. */
export async function claimRegistration(db: Database): Promise<DueName | undefined> {
  const [due] = await claim<DueName>(db, {
    table: 'domain_registration',
    key: 'name',
    due: sql`SELECT name, EXISTS (SELECT FROM domain_check WHERE registered_name = domain_registration.name) AS is_used
      FROM domain_registration WHERE due_at <= now() ORDER BY due_at LIMIT 1`,
    set: sql`due_at = now() + ${lease}`,
    returning: sql`due.name, due.is_used, domain_registration.due_at::text AS leased_until`,
  });
  return due;
}

const isOwn = ({ name, leased_until }: DueName) => sql`name = ${name} AND due_at = ${leased_until}::timestamptz`;
/** Spread by a tenth, so that names which were added together don't stay together. */
const tomorrow = () => sql`now() + ${0.95 + Math.random() / 10} * interval '1 day'`;

type AskOptions = { db: Database; network: GuardedNetwork; rdap_url: string; signal?: AbortSignal };

/**
 * Asks the registry, and writes what it said. An expiry that was known stays where it says nothing: a registry out of reach makes no name
 * expire, and none renewed.
 */
export async function askRegistry(due: DueName, { db, ...means }: AskOptions): Promise<void> {
  const reading = due.is_used ? await readRegistration(due.name, means) : undefined;
  const said =
    reading === undefined
      ? undefined
      : 'fault' in reading
        ? { fault: reading.fault, asked_at: sql`now()` }
        : { ...reading, fault: null, asked_at: sql`now()`, found_at: sql`now()` };
  await db
    .update(domain_registration)
    .set({ ...said, due_at: tomorrow() })
    .where(isOwn(due));
}

/** Has the registries of these domains asked soon; those that were asked just now, or are being asked, not again. */
export const askSoon = (db: Database, domainIds: readonly number[]) =>
  db
    .update(domain_registration)
    .set({ due_at: sql`now()` })
    .where(
      sql`name IN (${db
        .select({ name: domain_check.registered_name })
        .from(domain_check)
        .where(inArray(domain_check.domain_id, [...domainIds]))})
        AND due_at > now() + ${lease} AND asked_at < now() - ${askedAnewAfter}`,
    );

type Options = { pool: pg.Pool; bus: Bus; network: GuardedNetwork; log: Log };

/** Asks registries once a day until when names are registered, and at once where a domain is added, renamed or asked for. */
export function startRegistrations({ pool, bus, network, log }: Options): WorkLoop {
  const db = openDatabase(pool);
  return createWorkLoop<DueName>({
    name: 'registrations',
    bus,
    topic: 'domain_check',
    pollMilliseconds,
    concurrency: 1,
    log,
    prepare: () => nameRegistrations(db),
    claim: async () => ((await readSettings(pool)).rdap_url === '' ? undefined : claimRegistration(db)),
    async run(due, signal) {
      const { rdap_url } = await readSettings(pool);
      await askRegistry(due, { db, network, rdap_url, signal });
      if (due.is_used) await delay(pauseMilliseconds, undefined, { signal }).catch(() => {});
    },
    release: (due) => db.update(domain_registration).set({ due_at: sql`now()` }).where(isOwn(due)),
  });
}
