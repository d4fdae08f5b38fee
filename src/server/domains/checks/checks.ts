import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { sql } from 'drizzle-orm';
import type { RecordsFound } from '../../../contract/domains/domain-check.ts';
import type { Settings } from '../../../contract/settings.ts';
import { claim } from '../../kit/jobs/leased-rows.ts';
import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { isDevelopmentName, nameOf } from '../domains.names.ts';
import { domain_check } from '../domains.table.ts';
import { checkCertificate } from './certificate.ts';
import { createLookup, dnsStateOf, findRecords, type Lookup, resolveSite, type Site, siteAddresses } from './dns.ts';

const atOnce = 10;
const claimedAtOnce = 100;
/** Longer than any check takes; where a worker died meanwhile, another one looks again. */
const leaseMinutes = 5;
/** A domain that doesn't point here yet is probably being set up. */
const soonMinutes = 15;

export type CheckOptions = {
  db: Database;
  network: GuardedNetwork;
  settings: Settings;
  now: () => Date;
  tlsPort?: number;
  signal?: AbortSignal;
};
type Claimed = { id: number; host: string };
type Equipment = { lookup: Lookup; site: Site };

async function equip(settings: Settings): Promise<Equipment> {
  const lookup = createLookup(settings);
  return { lookup, site: await resolveSite(siteAddresses(settings).addresses, lookup) };
}

/** Domains under one lease. */
export type DueDomains = { domains: Claimed[]; leased_until: string };

/** Takes domains whose time has come; of several workers each gets others. */
export async function claimDue(db: Database): Promise<DueDomains | undefined> {
  const rows = await claim<Claimed & { leased_until: string }>(db, {
    table: 'domain_check',
    key: 'domain_id',
    due: sql`SELECT domain_check.domain_id, domain.id::float8 AS id, domain.host FROM domain_check JOIN domain ON domain.id = domain_check.domain_id
      WHERE domain_check.due_at <= now() ORDER BY domain_check.due_at LIMIT ${claimedAtOnce}`,
    set: sql`due_at = now() + make_interval(mins => ${leaseMinutes})`,
    returning: sql`due.id, due.host, domain_check.due_at::text AS leased_until`,
  });
  return rows[0] && { domains: rows, leased_until: rows[0].leased_until };
}

/** Makes those due again, so many seconds from now, that were not checked under this lease. */
export const releaseDue = (db: Database, { domains, leased_until }: DueDomains, seconds = 0) =>
  db.execute(sql`
    UPDATE domain_check SET due_at = now() + make_interval(secs => ${seconds}) WHERE due_at = ${leased_until}::timestamptz
      AND domain_id = ANY(${sql.param(domains.map(({ id }) => id))}::bigint[])`);

/** Checks the domains that were taken. @returns how many */
export const checkDue = async ({ domains }: DueDomains, options: CheckOptions): Promise<number> =>
  checkEach(domains, await equip(options.settings), options);

/** Checks these domains, however long ago they were looked at; ids that don't exist are left out. */
export async function checkThese(
  ids: readonly number[],
  { onChecked, ...options }: CheckOptions & { onChecked: (number: number) => void },
): Promise<number> {
  const equipment = await equip(options.settings);
  let checked = 0;
  for (let at = 0; at < ids.length; at += claimedAtOnce) {
    options.signal?.throwIfAborted();
    const portion = ids.slice(at, at + claimedAtOnce);
    const { rows } = await options.db.execute<Claimed>(
      sql`SELECT id::float8 AS id, host FROM domain WHERE id = ANY(${sql.param(portion)}::bigint[]) ORDER BY id`,
    );
    const onEach = () => {
      checked += 1;
      onChecked(checked);
    };
    await checkEach(rows, equipment, { ...options, onEach });
  }
  return checked;
}

/** Works through domains, so many at once; slow ones hold back nobody but themselves. */
async function checkEach(
  domains: readonly Claimed[],
  equipment: Equipment,
  { onEach, ...options }: CheckOptions & { onEach?: () => void },
): Promise<number> {
  const waiting = [...domains];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !options.signal?.aborted; next = waiting.shift()) {
      await checkOne(next, equipment, options);
      onEach?.();
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, domains.length) }, work));
  return domains.length;
}

/**
 * Records as users see them: without addresses that the server may not call, and then without the names on the way there, which a
 * resolver on the inside knows. The site's own ones are no secret.
 */
function shownRecords(records: RecordsFound, site: Site, network: GuardedNetwork): RecordsFound {
  const isShown = (ip: string) => network.allows(ip) || site.ips.has(ip);
  const [a, aaaa] = [records.a.filter(isShown), records.aaaa.filter(isShown)];
  if (a.length === records.a.length && aaaa.length === records.aaaa.length) return records;
  return { a, aaaa, cname: records.cname.filter((target) => site.names.has(target)), error: 'address_not_allowed' };
}

async function checkOne({ id, host }: Claimed, { lookup, site }: Equipment, options: CheckOptions): Promise<void> {
  const { db, settings, network, now, tlsPort } = options;
  // A wildcard is asked for by a name that nobody has: the answer must come from the wildcard's own record.
  const name = host.startsWith('*.') ? `check-${randomBytes(4).toString('hex')}.${nameOf(host)}` : nameOf(host);
  const isPublic = !isDevelopmentName(name);
  const records = isPublic || isIP(name) !== 0 ? await findRecords(name, lookup) : { a: [], aaaa: [], cname: [], error: null };
  const dns_state = dnsStateOf(name, records, site);
  const hasCertificate = isPublic && !/:\d+$/.test(host);
  const port = tlsPort === undefined ? {} : { port: tlsPort };
  const found = hasCertificate ? await checkCertificate(name, [...records.a, ...records.aaaa], { network, now: now(), ...port }) : null;
  const minutes = dns_state === 'here' ? settings.domain_check_minutes : Math.min(soonMinutes, settings.domain_check_minutes);
  // Spread by a tenth, so that domains which were added together don't stay together.
  const due = minutes * (0.95 + Math.random() / 10);
  await db
    .update(domain_check)
    .set({
      dns_state,
      records: isIP(name) === 0 ? shownRecords(records, site, network) : records,
      certificate_state: found?.state ?? null,
      certificate: found?.certificate ?? null,
      certificate_expires_at: found?.expires_at ?? null,
      checked_at: now().toISOString(),
      due_at: sql`now() + ${due} * interval '1 minute'`,
    })
    // A domain that got another name meanwhile is due anyway; what was found of the old name isn't said of the new one.
    .where(sql`${domain_check.domain_id} = ${id} AND EXISTS (SELECT FROM domain WHERE domain.id = ${id} AND domain.host = ${host})`);
}
