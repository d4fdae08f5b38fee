import dayjs, { type Dayjs } from 'dayjs';
import 'dayjs/locale/ja.js';
import 'dayjs/locale/th.js';
import 'dayjs/locale/vi.js';
import 'dayjs/locale/zh-cn.js';
import 'dayjs/locale/zh-tw.js';
import relativeTime from 'dayjs/plugin/relativeTime.js';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import type { BuiltInLanguage, Language } from '../../../contract/enums.ts';
import { baseOf } from './languages.ts';

dayjs.extend(utc);
dayjs.extend(timezone);
dayjs.extend(relativeTime);

/** antd's pickers and relative times follow the language by these names. */
const dayjsLocales: Record<BuiltInLanguage, string> = {
  'zh-CN': 'zh-cn',
  'zh-TW': 'zh-tw',
  'en-US': 'en',
  'vi-VN': 'vi',
  'th-TH': 'th',
  'ja-JP': 'ja',
};
export const dayjsLocaleOf = (language: Language): string => dayjsLocales[baseOf(language)];

export const exactTimeFormat = 'YYYY-MM-DD HH:mm:ss';

/** Every offset in use is a multiple of a quarter of an hour, and so is every change of one. */
const slotMinutes = 15;
const rememberedSlots = 4096;
const zones = new Map<string, { format: Intl.DateTimeFormat; offsets: Map<number, number> }>();

/** What the zone's clocks are ahead of UTC at a moment, in minutes: looked up once for a quarter of an hour, as the look takes long. */
function offsetAt(moment: Dayjs, timeZone: string): number {
  const { format, offsets } = zones.get(timeZone) ?? {
    format: new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }),
    offsets: new Map<number, number>(),
  };
  zones.set(timeZone, { format, offsets });
  const slot = Math.floor(moment.valueOf() / (slotMinutes * 60_000));
  const known = offsets.get(slot);
  if (known !== undefined) return known;
  // "GMT", "GMT+05:30", "GMT-03:30"
  const name = format.formatToParts(moment.toDate()).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /([+-])(\d+):(\d+)/.exec(name) ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  if (offsets.size >= rememberedSlots) offsets.clear();
  offsets.set(slot, offset);
  return offset;
}

/** A time of the wire (ISO 8601 in UTC, or milliseconds) in the given time zone. */
export function inZone(time: string | number, timeZone: string): Dayjs {
  const moment = dayjs.utc(time);
  return moment.utcOffset(offsetAt(moment, timeZone));
}

/** Recent times relative ("3 minutes ago"), this year's without the year, older ones as a date. */
export function shortTime(time: string, timeZone: string, language: Language, now = Date.now()): string {
  const at = inZone(time, timeZone);
  const present = inZone(now, timeZone);
  if (Math.abs(present.diff(at, 'hour')) < 24) return at.locale(dayjsLocaleOf(language)).from(present);
  return at.format(at.year() === present.year() ? 'MM-DD HH:mm' : 'YYYY-MM-DD');
}

const fixedSteps = { minute: 60_000, hour: 3_600_000 } as const;

/** When the step that begins at `at` is over, in milliseconds. A day, week or month ends at a midnight of the zone, after 23 or 25 hours too. */
export function stepEnd(at: string, step: 'minute' | 'hour' | 'day' | 'week' | 'month', timeZone: string): number {
  if (step === 'minute' || step === 'hour') return Date.parse(at) + fixedSteps[step];
  const start = dayjs.utc(inZone(at, timeZone).format('YYYY-MM-DD'));
  // A range can begin within a week (which begins on Monday) or a month.
  const first = step === 'week' ? start.subtract((start.day() + 6) % 7, 'day') : step === 'month' ? start.startOf('month') : start;
  const next = first.add(1, step).format('YYYY-MM-DD');
  return dayjs.tz(next, timeZone).valueOf();
}
