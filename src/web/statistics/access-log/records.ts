import { type AccessRecord, ipCountTones } from '../../../contract/visits/access-log.ts';
import { isForeign } from '../../kit/places.ts';

/** What may be said of a record, in the order in which it colours its row; several may be true at once. */
export const recordFlags = ['foreign', 'neighbour', 'very_often', 'often', 'messenger'] as const;
export type RecordFlag = (typeof recordFlags)[number];

export const recordFilters = ['all', 'mobile', 'unicom', 'telecom', 'messenger', 'foreign', 'apple', 'android', 'same_agent'] as const;
export type RecordFilter = (typeof recordFilters)[number];

export type ShownRecord = AccessRecord & { flags: readonly RecordFlag[]; filters: ReadonlySet<RecordFilter> };

const networkOf = (ip: string): string => ip.slice(0, ip.lastIndexOf('.'));
const fromMessenger = ({ latest_source }: AccessRecord): boolean =>
  latest_source === 'messenger' || latest_source === 'messenger_enterprise';

function counts(values: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}

/** The records with what is true of each among the others: the first three segments of its address, its user agent. */
export function shownRecords(records: readonly AccessRecord[]): ShownRecord[] {
  const networks = counts(records.map(({ ip }) => networkOf(ip)));
  const agents = counts(records.map(({ latest_user_agent }) => latest_user_agent));
  return records.map((record) => {
    const foreign = isForeign(record.country);
    const messenger = fromMessenger(record);
    const { ip_count, carrier, system, brand } = record;
    const isFlagged: Record<RecordFlag, boolean> = {
      foreign,
      neighbour: (networks.get(networkOf(record.ip)) ?? 0) > 1,
      very_often: ip_count >= ipCountTones.primary,
      often: ip_count > ipCountTones.above && ip_count < ipCountTones.primary,
      messenger: messenger && record.country !== '' && !foreign,
    };
    const passes: Record<RecordFilter, boolean> = {
      all: true,
      mobile: carrier === 'mobile',
      unicom: carrier === 'unicom',
      telecom: carrier === 'telecom',
      messenger,
      foreign,
      apple: brand === 'Apple' || system === 'iOS' || system === 'macOS',
      android: system === 'Android',
      same_agent: record.latest_user_agent !== '' && (agents.get(record.latest_user_agent) ?? 0) > 1,
    };
    return {
      ...record,
      flags: recordFlags.filter((flag) => isFlagged[flag]),
      filters: new Set(recordFilters.filter((filter) => passes[filter])),
    };
  });
}

/** How many records pass each filter. */
export const filterCounts = (records: readonly ShownRecord[]): Record<RecordFilter, number> =>
  Object.fromEntries(recordFilters.map((filter) => [filter, records.filter(({ filters }) => filters.has(filter)).length])) as Record<
    RecordFilter,
    number
  >;
