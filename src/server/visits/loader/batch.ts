import { outcomes } from '../../../contract/enums.ts';
import type { DecodedRecord } from '../../kit/visits/journal/record.ts';
import { maxSegmentLength } from '../../kit/visits/journal/segment.ts';
import { addDays, type SiteClock } from '../../kit/visits/site-clock.ts';
import { sliceMilliseconds } from '../columns/tails.ts';
import { ownDeviceIn } from '../own/seen.ts';
import { aliasIn, type Facts, isCounted } from './lookup.ts';
import { type Report, reportOf } from './reports/reports.ts';
import { createSourceGroups, type SourceGroup } from './sources.ts';

/** More records than fit the 16 bits that each part of a group's key has must not come in one batch. */
export const maxBatchRecords = 50_000;
const keyRange = 2 ** 16;
const pressed = outcomes.indexOf('pressed');
const reached: readonly number[] = [outcomes.indexOf('passed'), outcomes.indexOf('program'), outcomes.indexOf('own')];
/** Whom a short code sent to a code is counted there. */
export const isOfSite = ({ short_code_id, outcome }: { short_code_id: number; outcome: number }): boolean =>
  short_code_id === 0 || !reached.includes(outcome);

/** A live or short code (the other is 0), an address and a day, with its visits in this batch. */
type Visitor = {
  live_code_id: number;
  short_code_id: number;
  ip: string;
  day: string;
  visits: number;
  first_at: number;
  last_at: number;
  place_id: number;
  agent_id: number;
  /** Position of its first record, and of the group of `hours` that this one counts in. */
  first: number;
  hour_group: number;
};
type HourGroup = {
  live_code_id: number;
  short_code_id: number;
  hour: string;
  outcome: number;
  visits: number;
  ips: number;
  new_ips: number;
};
/** Visits of a live code in an hour by where they came from. */
type OriginGroup = { live_code_id: number; hour: string; day_start: string; place_id: number; device_id: number; visits: number };

/** Visits of a live code in an hour by one of its aliases. */
type KeyGroup = { live_code_id: number; key_id: number; hour: string; visits: number };

/** Presses of its picture are no visits. */
type TargetGroup = { target_id: number; hour: string; visits: number; presses: number };

export type Batch = {
  /** COPY lines of the rows to keep, without their two flags; and which record each is. */
  rows: string[];
  row_records: number[];
  /** Those of short codes first; sorted by code, address and day, as every loader locks them. */
  visitors: Visitor[];
  hours: HourGroup[];
  origins: OriginGroup[];
  targets: TargetGroup[];
  keys: KeyGroup[];
  /** What counts over all codes have of each slice of time, by its start; and how many of these visits counts by code know alone. */
  slices: Map<number, { visits: number; unlogged: number }>;
  /** Codes that such visits are of, by hour. */
  unlogged: Map<string, Set<number>>;
  /** Visits by lease. */
  leases: Map<number, number>;
  /** Hits by forward, and the moment of the last one. */
  forwards: Map<number, { hits: number; last_at: number }>;
  /** Owners' devices, and the moment of the latest visit of each. */
  own_devices: Map<number, number>;
  sources: SourceGroup[];
  reports: Report[];
  /** UTC days of the rows. */
  partitions: Set<string>;
  /** Days of the site that records are of, and when each ends. */
  days: Map<string, number>;
  /** The earliest and latest day of the visitors; empty without any. */
  first_day: string;
  last_day: string;
};

/** The moments that PostgreSQL and ISO 8601 write alike; a clock that shows another is wrong anyway. */
const latestMoment = Date.parse('2200-01-01T00:00:00Z');
const sound = (at: number): number => Math.min(Math.max(at, 0), latestMoment);

/** Numbers values in the order in which they are first met. */
function createNumbering<T>() {
  const numbers = new Map<T, number>();
  return (value: T): number => {
    let number = numbers.get(value);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(value, number);
    }
    return number;
  };
}

/** Groups under keys that are numbers, in the order in which they are first met. */
function createGroups<G>() {
  const positions = new Map<number, number>();
  const groups: G[] = [];
  /** The position of a key's group, which `make` makes where it is new. */
  const positionOf = (key: number, make: () => G): number => {
    let position = positions.get(key);
    if (position === undefined) {
      position = groups.length;
      positions.set(key, position);
      groups.push(make());
    }
    return position;
  };
  return { groups, positionOf };
}

/** Above the ids of devices, and so that the product with those of places is exact. */
const deviceRange = 2 ** 26;

function createOrigins() {
  const { groups, positionOf } = createGroups<OriginGroup>();
  const numberOf = createNumbering<number>();
  const count = (base: number, live_code_id: number, { hour, day_start }: Hour, place_id: number, device_id: number): void => {
    const key = base * keyRange + numberOf(place_id * deviceRange + device_id);
    const group = groups[positionOf(key, () => ({ live_code_id, hour, day_start, place_id, device_id, visits: 0 }))];
    if (group) group.visits += 1;
  };
  return { groups, count };
}

function createTargets() {
  const { groups, positionOf } = createGroups<TargetGroup>();
  const numberOf = createNumbering<number>();
  const count = (hourNumber: number, hour: string, target_id: number, what: 'visits' | 'presses'): void => {
    const group = groups[positionOf(hourNumber * keyRange + numberOf(target_id), () => ({ target_id, hour, visits: 0, presses: 0 }))];
    if (group) group[what] += 1;
  };
  return { groups, count };
}

function createKeys() {
  const { groups, positionOf } = createGroups<KeyGroup>();
  const numberOf = createNumbering<number>();
  const count = (base: number, live_code_id: number, hour: string, key_id: number): void => {
    const group = groups[positionOf(base * keyRange + numberOf(key_id), () => ({ live_code_id, key_id, hour, visits: 0 }))];
    if (group) group.visits += 1;
  };
  return { groups, count };
}

type Hour = { number: number; hour: string; day: string; day_start: string; day_end: number };

/** Start of the clock hour and its texts, worked out once an hour of the batch. */
function createHours(clock: SiteClock) {
  const known = new Map<number, Hour>();
  return (at: number) => {
    const start = clock.hourOf(at);
    let hour = known.get(start);
    if (hour === undefined) {
      const day = clock.dayOf(start);
      hour = {
        ...{ number: known.size, hour: new Date(start).toISOString(), day },
        ...{ day_start: new Date(clock.startOf(day)).toISOString(), day_end: clock.startOf(addDays(day, 1)) },
      };
      known.set(start, hour);
    }
    return hour;
  };
}

/** Turns the records of one segment into what a transaction writes. */
export function groupBatch(segmentId: number, records: readonly DecodedRecord[], facts: Facts, clock: SiteClock): Batch {
  const rows: string[] = [];
  const rowRecords: number[] = [];
  const leases = new Map<number, number>();
  const forwards: Batch['forwards'] = new Map();
  const ownDevices: Batch['own_devices'] = new Map();
  const sources = createSourceGroups();
  const reports: Report[] = [];
  const partitions = new Set<string>();
  const touched = new Map<string, number>();
  const hourOf = createHours(clock);
  const codeNumber = createNumbering<number>();
  const ipNumber = createNumbering<string>();
  const hours = createGroups<HourGroup>();
  const visitors = createGroups<Visitor>();
  const dayNumber = createNumbering<string>();
  const origins = createOrigins();
  const targets = createTargets();
  const keys = createKeys();
  const slices: Batch['slices'] = new Map();
  const unlogged: Batch['unlogged'] = new Map();
  // Below 2^53 for the first 2^27 segments, which are eight exabytes of journals.
  const firstId = segmentId * maxSegmentLength;

  for (const [index, { offset, record }] of records.entries()) {
    const at = sound(record.at);
    const { live_code_id, short_code_id, target_id, forward_id, outcome } = record;
    const hourOfVisit = hourOf(at);
    const { number: hourNumber, hour, day } = hourOfVisit;
    touched.set(day, hourOfVisit.day_end);
    // A key only: short codes have ids of their own.
    const codeKey = codeNumber(short_code_id > 0 ? -short_code_id : live_code_id);
    const base = codeKey * keyRange + hourNumber;
    const hourGroup = hours.positionOf(base * 256 + outcome, () => ({
      ...{ live_code_id, short_code_id, hour, outcome },
      ...{ visits: 0, ips: 0, new_ips: 0 },
    }));
    const counted = hours.groups[hourGroup];
    if (counted) counted.visits += 1;
    const isUnlogged = !record.open_log && isCounted(record) && live_code_id > 0;
    if (isOfSite(record)) countSlice(slices, at, isUnlogged);
    if (isUnlogged) unlogged.set(hour, (unlogged.get(hour) ?? new Set()).add(live_code_id));
    if (record.lease_id > 0) leases.set(record.lease_id, (leases.get(record.lease_id) ?? 0) + 1);
    sources.add(record, facts.ip[index] ?? '', at);
    const report = reportOf(record, facts.ip[index] ?? '', at);
    if (report) reports.push(report);
    if (forward_id > 0) countForward(forwards, forward_id, at);
    const ownDevice = ownDeviceIn(record);
    if (ownDevice > 0) ownDevices.set(ownDevice, Math.max(ownDevices.get(ownDevice) ?? 0, at));
    if (outcome === pressed && target_id > 0) targets.count(hourNumber, hour, target_id, 'presses');
    if (record.open_log) {
      const time = new Date(at).toISOString();
      partitions.add(time.slice(0, 10));
      rowRecords.push(index);
      rows.push(rowOf(firstId + offset, time, index, records[index], facts));
    }
    if (!isCounted(record)) continue;

    const ip = facts.ip[index] ?? '';
    const [place_id, agent_id] = [facts.place_id[index] ?? 0, facts.agent_id[index] ?? 0];
    const position = visitors.positionOf((codeKey * keyRange + ipNumber(ip)) * keyRange + dayNumber(day), () => {
      const known = { live_code_id, short_code_id, ip, day, visits: 0, first_at: at, last_at: at, place_id, agent_id };
      return { ...known, first: index, hour_group: hourGroup };
    });
    const visitor = visitors.groups[position];
    if (visitor) {
      visitor.visits += 1;
      if (at < visitor.first_at) visitor.first_at = at;
      if (at > visitor.last_at) Object.assign(visitor, { last_at: at, place_id: facts.place_id[index], agent_id: facts.agent_id[index] });
    }
    if (live_code_id === 0) continue;
    origins.count(base, live_code_id, hourOfVisit, place_id, facts.device_id[index] ?? 0);
    if (target_id > 0) targets.count(hourNumber, hour, target_id, 'visits');
    const key_id = aliasIn(record);
    if (key_id > 0) keys.count(base, live_code_id, hour, key_id);
  }

  const sorted = visitors.groups.sort(byKey);
  const days = sorted.map(({ day }) => day).sort();
  return {
    rows,
    row_records: rowRecords,
    visitors: sorted,
    hours: hours.groups,
    origins: origins.groups,
    targets: targets.groups,
    keys: keys.groups,
    slices,
    unlogged,
    leases,
    forwards,
    own_devices: ownDevices,
    sources: sources.all(),
    reports,
    partitions,
    days: touched,
    first_day: days[0] ?? '',
    last_day: days.at(-1) ?? '',
  };
}

function countSlice(slices: Batch['slices'], at: number, isUnlogged: boolean): void {
  const start = at - (at % sliceMilliseconds);
  const { visits, unlogged } = slices.get(start) ?? { visits: 0, unlogged: 0 };
  slices.set(start, { visits: visits + 1, unlogged: unlogged + (isUnlogged ? 1 : 0) });
}

function countForward(forwards: Batch['forwards'], id: number, at: number): void {
  const { hits, last_at } = forwards.get(id) ?? { hits: 0, last_at: at };
  forwards.set(id, { hits: hits + 1, last_at: Math.max(last_at, at) });
}

const compare = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
const byKey = (a: Visitor, b: Visitor): number =>
  a.live_code_id - b.live_code_id || a.short_code_id - b.short_code_id || compare(a.ip, b.ip) || compare(a.day, b.day);

/** The columns in the order of `visitColumns`, up to the flags. */
function rowOf(id: number, time: string, index: number, decoded: DecodedRecord | undefined, facts: Facts): string {
  if (!decoded) return '';
  const { live_code_id, short_code_id, target_id, forward_id, outcome } = decoded.record;
  const nullable = (value: number | undefined) => (value ? value : '\\N');
  return `${id}\t${time}\t${nullable(live_code_id)}\t${nullable(short_code_id)}\t${nullable(target_id)}\t${nullable(forward_id)}\t${facts.ip[index]}\t${facts.host_id[index]}\t${facts.path_id[index]}\t${nullable(facts.referer_id[index])}\t${nullable(facts.language_id[index])}\t${facts.agent_id[index]}\t${facts.place_id[index]}\t${outcome}`;
}

export const visitColumns =
  'id, at, live_code_id, short_code_id, target_id, forward_id, ip, host_id, path_id, referer_id, language_id, agent_id, place_id, outcome, unique_ip, first_visit';
