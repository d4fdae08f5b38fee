import type { NeededRecord } from '../../../contract/domains/domain-check.ts';

const ttlSeconds = 600;

/** Zones after each other, their names in the order that DNSSEC and people sort them in: by labels from the right. */
const byZone = (one: NeededRecord, other: NeededRecord): number =>
  one.zone.localeCompare(other.zone, 'en') ||
  reversed(one.name).localeCompare(reversed(other.name), 'en') ||
  one.type.localeCompare(other.type, 'en');
const reversed = (name: string): string => name.split('.').reverse().join('.');

/** `@` for the zone itself, else what stands before it. */
const relative = ({ name, zone }: NeededRecord): string => (name === zone ? '@' : name.slice(0, -zone.length - 1));

/**
 * A master file (RFC 1035 section 5) with an `$ORIGIN` for each zone, to be added to zones that exist: SOA and NS records are theirs. A
 * name that would need an alias at its top, for which DNS has no record, is told in a comment.
 */
export function zoneFile(records: readonly NeededRecord[], now: Date): string {
  const lines = [`; Livecode, ${now.toISOString()}`, `$TTL ${ttlSeconds}`];
  let zone = '';
  for (const record of [...records].sort(byZone)) {
    if (record.zone !== zone) {
      zone = record.zone;
      lines.push('', `$ORIGIN ${zone}.`);
    }
    const value = record.type === 'A' || record.type === 'AAAA' ? record.value : `${record.value}.`;
    const line = `${relative(record).padEnd(24)} IN ${record.type.padEnd(5)} ${value}`;
    lines.push(record.type === 'ALIAS' ? `; ${line}` : line);
  }
  return `${lines.join('\n')}\n`;
}
