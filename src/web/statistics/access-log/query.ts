import dayjs from 'dayjs';
import { type AccessRecord, accessLogDays } from '../../../contract/visits/access-log.ts';
import { inZone } from '../../kit/texts/time.ts';

const dayFormat = 'YYYY-MM-DD';
const before = (day: string, days: number): string => dayjs(day).subtract(days, 'day').format(dayFormat);

/** Days of the site's time zone, `YYYY-MM-DD`, both included; null where none is chosen. */
export type DayRange = readonly [from: string | null, to: string | null];

/** Two days as they were chosen, the earlier one first. */
export const ordered = (from: string | null, to: string | null): DayRange => (from && to && from > to ? [to, from] : [from, to]);

/** The days that the form asks for at first: today and the two before it. */
export const firstRange = (today: string): DayRange => [before(today, accessLogDays.shown - 1), today];

export const isSelectable = (day: string, today: string): boolean => day >= before(today, accessLogDays.lookBack) && day <= today;

/** A moment that the site's clocks show as this time of this day. */
const momentOf = (day: string, time: string, timeZone: string): string => dayjs.tz(`${day} ${time}`, timeZone).toISOString();

/** What was asked for, and what was found. */
export type Found = { addresses: readonly string[]; records: readonly AccessRecord[] };

/** What is sent for days: from 00:00:00 of the first to 23:59:59 of the last. Without a day the start is missing, and now stands for the end. */
export function timesOf([from, to]: DayRange, timeZone: string): { start_time: string; end_time: string } {
  if (!from || !to) return { start_time: '', end_time: inZone(Date.now(), timeZone).toISOString() };
  return { start_time: momentOf(from, '00:00:00', timeZone), end_time: momentOf(to, '23:59:59', timeZone) };
}

/** The addresses of a text, one a line; empty lines and repetitions are left out. */
export const addressesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

const segment = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ipv4 = new RegExp(`^${segment}(?:\\.${segment}){3}$`);

/** The numbers, from 1, of the lines that hold something else than an IPv4 address. */
export const wrongLines = (text: string): number[] =>
  text.split('\n').flatMap((line, index) => (line.trim() === '' || ipv4.test(line.trim()) ? [] : [index + 1]));
