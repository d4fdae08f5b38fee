import { isIP, isIPv6 } from 'node:net';
import type { DnsState, NeededRecord, RecordsFound } from '../../../contract/domains/domain-check.ts';
import { isDevelopmentName, nameOf, zoneOf } from '../domains.names.ts';

type Checked = { records: RecordsFound | null; dns_state: DnsState | null };

/**
 * The records that a domain needs. Where the operator named a host that all may point to, a CNAME; but the name of a zone itself cannot
 * have one beside its other records: it gets the addresses, or an alias where there are none. A domain alone gets the addresses.
 * @param addresses where domains must point, as `siteAddresses` says
 * @param checked what was found when the domain was looked at
 */
export function neededRecords(host: string, addresses: readonly string[], { records, dns_state }: Checked): NeededRecord[] {
  const bare = nameOf(host);
  if (isDevelopmentName(bare)) return [];
  const zone = zoneOf(bare);
  const name = host.startsWith('*.') ? `*.${bare}` : bare;
  const target = addresses.find((address) => isIP(address) === 0 && address !== bare);
  const ips = addresses.filter((address) => isIP(address) !== 0);
  // What follows an alias looks like plain addresses from outside; what leads here by addresses needs no alias.
  const isHere = dns_state === 'here';
  const record = (type: NeededRecord['type'], value: string, present: boolean): NeededRecord => ({ name, zone, type, value, present });
  if (target !== undefined && name !== zone) return [record('CNAME', target, isHere || (records?.cname.includes(target) ?? false))];
  if (target !== undefined && ips.length === 0) return [record('ALIAS', target, isHere)];
  return ips.map((ip) => {
    const isV6 = isIPv6(ip);
    return record(isV6 ? 'AAAA' : 'A', ip, (isV6 ? records?.aaaa : records?.a)?.includes(ip) ?? false);
  });
}

/** What was found, each as type and value. */
export const foundRecords = ({ a, aaaa, cname }: RecordsFound): string[] => [
  ...cname.map((value) => `CNAME ${value}`),
  ...a.map((value) => `A ${value}`),
  ...aaaa.map((value) => `AAAA ${value}`),
];
