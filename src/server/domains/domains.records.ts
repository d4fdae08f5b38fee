import { isIP, isIPv6 } from 'node:net';
import type { NeededRecord, RecordsFound } from '../../contract/domain-check.ts';
import { isDevelopmentName, nameOf, zoneOf } from './domains.names.ts';

/**
 * The records that a domain needs. Where the operator named a host that all may point to, a CNAME; but the name of a zone itself cannot
 * have one beside its other records, so that it, and every domain where no host was named, gets the addresses.
 * @param addresses where domains must point, as `siteAddresses` says
 * @param found what was there when the domain was looked at
 */
export function neededRecords(
  host: string,
  addresses: readonly string[],
  found: RecordsFound | null,
  resolved: readonly string[] = [],
): NeededRecord[] {
  const bare = nameOf(host);
  if (isDevelopmentName(bare)) return [];
  const zone = zoneOf(bare);
  const name = host.startsWith('*.') ? `*.${bare}` : bare;
  const target = addresses.find((address) => isIP(address) === 0);
  const record = (type: NeededRecord['type'], value: string): NeededRecord => ({
    name,
    zone,
    type,
    value,
    present: isThere(type, value, found),
  });
  if (target !== undefined && name !== zone && target !== name) return [record('CNAME', target)];
  const ips = [...new Set([...addresses.filter((address) => isIP(address) !== 0), ...resolved])];
  return ips.map((ip) => record(isIPv6(ip) ? 'AAAA' : 'A', ip));
}

function isThere(type: NeededRecord['type'], value: string, found: RecordsFound | null): boolean {
  if (!found) return false;
  const values = { A: found.a, AAAA: found.aaaa, CNAME: found.cname }[type];
  return values.includes(value);
}
