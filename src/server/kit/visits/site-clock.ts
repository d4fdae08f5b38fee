import { visitSettingDefaults } from '../../../contract/settings.visits.ts';

/** Hours and days as the clocks of one time zone show them. Moments are milliseconds since 1970, days are `YYYY-MM-DD`. */
export type SiteClock = {
  /** The start of the clock hour that a moment lies in; in a zone such as +05:30 that is half past in UTC. */
  hourOf: (at: number) => number;
  dayOf: (at: number) => string;
  /** The hour that clocks show, 0 to 23. */
  clockHourOf: (at: number) => number;
  /** The first moment at which clocks show this hour of the day or, where it is skipped for summer time, a later one. */
  startOf: (day: string, hour?: number) => number;
  /** The starts of a day's hours: 24 of them, 23 or 25 where clocks change. */
  hoursOf: (day: string) => number[];
};

const hourLength = 3_600_000;
const dayLength = 24 * hourLength;
/** Every offset in use is a multiple of a quarter of an hour, and so is every change of one. */
const slotLength = hourLength / 4;
const rememberedSlots = 16_384;
const rememberedClocks = 16;
const clocks = new Map<string, SiteClock>();

const midnightOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The day `count` days after (negative: before) a day. */
export const addDays = (day: string, count: number): string => new Date(midnightOf(day) + count * dayLength).toISOString().slice(0, 10);

/** The days from `from` to `to`, both included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** The clock of an IANA time zone; of the default one where the name is unknown. */
export function siteClock(zone: string): SiteClock {
  const known = clocks.get(zone);
  if (known) return known;
  if (clocks.size >= rememberedClocks) clocks.clear();
  const clock = clockOf(zone);
  clocks.set(zone, clock);
  return clock;
}

function clockOf(zone: string): SiteClock {
  const format = formatOf(zone);
  const offsets = new Map<number, number>();

  /** What clocks are ahead of UTC, in milliseconds. */
  const offsetAt = (at: number): number => {
    const slot = Math.floor(at / slotLength);
    const known = offsets.get(slot);
    if (known !== undefined) return known;
    if (offsets.size >= rememberedSlots) offsets.clear();
    const offset = localTime(format, slot * slotLength) - slot * slotLength;
    offsets.set(slot, offset);
    return offset;
  };

  const hourOf = (at: number): number => {
    const offset = offsetAt(at);
    return Math.floor((at + offset) / hourLength) * hourLength - offset;
  };
  const startOf = (day: string, hour = 0): number => {
    const shown = midnightOf(day) + hour * hourLength;
    const candidates = [shown - offsetAt(shown - dayLength), shown - offsetAt(shown + dayLength)].sort((a, b) => a - b);
    return candidates.find((at) => at + offsetAt(at) >= shown) ?? shown - offsetAt(shown);
  };
  return {
    hourOf,
    dayOf: (at) => new Date(at + offsetAt(at)).toISOString().slice(0, 10),
    clockHourOf: (at) => new Date(at + offsetAt(at)).getUTCHours(),
    startOf,
    hoursOf: (day) => {
      const hours: number[] = [];
      const end = startOf(addDays(day, 1));
      for (let at = startOf(day); at < end; at += hourLength) hours.push(at);
      return hours;
    },
  };
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...parts, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...parts, timeZone: visitSettingDefaults.time_zone });
  }
}

/** What clocks show at a moment, as the milliseconds at which UTC clocks show the same. */
function localTime(format: Intl.DateTimeFormat, at: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of format.formatToParts(at)) parts[type] = Number(value);
  return Date.UTC(parts.year ?? 1970, (parts.month ?? 1) - 1, parts.day, parts.hour, parts.minute);
}
