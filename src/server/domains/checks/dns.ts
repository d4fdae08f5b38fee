import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { DnsState, RecordsFound } from '../../../contract/domains/domain-check.ts';
import type { Settings } from '../../../contract/settings.ts';
import { canonicalIp, specialAddresses } from '../../kit/network/ip.ts';
import { isDevelopmentName } from '../domains.names.ts';

const queryMilliseconds = 2500;
const tries = 2;
/** Answers of a resolver that say: there is no such record. */
const absent = new Set(['ENODATA', 'ENOTFOUND', 'ENONAME']);
const mostRecords = 20;

export type Lookup = {
  a: (name: string) => Promise<string[]>;
  aaaa: (name: string) => Promise<string[]>;
  cname: (name: string) => Promise<string[]>;
};

/** Asks the name servers of the settings, or else those of the system. */
export function createLookup({ dns_servers }: Pick<Settings, 'dns_servers'>): Lookup {
  const resolver = new Resolver({ timeout: queryMilliseconds, tries });
  if (dns_servers.length > 0) resolver.setServers(dns_servers);
  const found = async (query: Promise<string[]>): Promise<string[]> =>
    query.then(
      (values) => values.slice(0, mostRecords),
      (error: NodeJS.ErrnoException) => {
        if (absent.has(error.code ?? '')) return [];
        throw error;
      },
    );
  const addresses = async (query: Promise<string[]>) => (await found(query)).map((ip) => canonicalIp(ip) ?? ip).sort();
  return {
    a: (name) => addresses(resolver.resolve4(name)),
    aaaa: (name) => addresses(resolver.resolve6(name)),
    cname: async (name) => (await found(resolver.resolveCname(name))).map((target) => target.toLowerCase().replace(/\.$/, '')),
  };
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'EFAILED';

/** The records of a name. Of several questions one may fail; what the others answered is kept. */
export async function findRecords(name: string, lookup: Lookup): Promise<RecordsFound> {
  if (isIP(name) !== 0) return { a: [name], aaaa: [], cname: [], error: null };
  const [a, aaaa, cname] = await Promise.allSettled([lookup.a(name), lookup.aaaa(name), lookup.cname(name)]);
  const values = (answer: PromiseSettledResult<string[]>): string[] => (answer.status === 'fulfilled' ? answer.value : []);
  const failed = [a, aaaa, cname].find((answer) => answer.status === 'rejected');
  return { a: values(a), aaaa: values(aaaa), cname: values(cname), error: failed ? codeOf(failed.reason) : null };
}

/** Addresses of this machine that the internet can reach. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => canonicalIp(address.replace(/%.*$/, '')))
    .filter((ip): ip is string => ip !== null && !specialAddresses.has(ip))
    .sort();
}

/** Where domains must point. */
export function siteAddresses({ visit_addresses }: Pick<Settings, 'visit_addresses'>): { addresses: string[]; configured: boolean } {
  if (visit_addresses.length === 0) return { addresses: ownAddresses(), configured: false };
  return { addresses: visit_addresses.map((address) => canonicalIp(address) ?? address.toLowerCase()), configured: true };
}

/** The site as records are compared with it: its addresses, those of its names included, and the names themselves. */
export type Site = { ips: ReadonlySet<string>; names: ReadonlySet<string> };

export async function resolveSite(addresses: readonly string[], lookup: Lookup): Promise<Site> {
  const names = addresses.filter((address) => isIP(address) === 0);
  const ips = new Set(addresses.filter((address) => isIP(address) !== 0));
  for (const name of names) {
    const { a, aaaa } = await findRecords(name, lookup);
    for (const ip of [...a, ...aaaa]) ips.add(ip);
  }
  return { ips, names: new Set(names) };
}

export function dnsStateOf(name: string, { a, aaaa, cname, error }: RecordsFound, site: Site): DnsState {
  if (isDevelopmentName(name) && isIP(name) === 0) return 'here';
  if (cname.some((target) => site.names.has(target))) return 'here';
  const found = [...a, ...aaaa];
  if (found.length === 0) return error === null ? 'nothing' : 'failed';
  if (site.ips.size === 0) return 'unknown';
  const own = found.filter((ip) => site.ips.has(ip)).length;
  if (own === 0) return 'elsewhere';
  return own === found.length ? 'here' : 'partly';
}
