import dayjs, { type Dayjs } from 'dayjs';
import 'dayjs/locale/zh-cn.js';
import relativeTime from 'dayjs/plugin/relativeTime.js';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { useTranslation } from 'react-i18next';
import type { Language } from '../../contract/enums.ts';
import { currentLanguage } from './i18n.ts';
import { useSite } from './site.tsx';

dayjs.extend(utc);
dayjs.extend(timezone);
dayjs.extend(relativeTime);

/** antd's pickers and relative times follow the language by these names. */
export const dayjsLocales: Record<Language, string> = { 'zh-CN': 'zh-cn', 'en-US': 'en' };

const exact: Partial<Record<Language, Intl.NumberFormat>> = {};
const compact: Partial<Record<Language, Intl.NumberFormat>> = {};

export function exactNumber(value: number, language: Language = currentLanguage()): string {
  exact[language] ??= new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  return exact[language].format(value);
}

/** 12,345 becomes 1.2万 in Chinese and 12.3k in English; below 10,000 the exact figure is short enough. */
export function shortNumber(value: number, language: Language = currentLanguage()): string {
  if (Math.abs(value) < 10_000) return exactNumber(value, language);
  compact[language] ??= new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  return compact[language].format(value).replace('K', 'k');
}

/** A share, 0–1, as a percentage with at most one digit after the point. */
export function percent(share: number, language: Language = currentLanguage()): string {
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(share);
}

export const exactTimeFormat = 'YYYY-MM-DD HH:mm:ss';

/** A time of the wire (ISO 8601 in UTC) in the given time zone. */
export const inZone = (time: string | number, timeZone: string): Dayjs => dayjs.utc(time).tz(timeZone);

/** Recent times relative ("3 minutes ago"), this year's without the year, older ones as a date. */
export function shortTime(time: string, timeZone: string, language: Language = currentLanguage()): string {
  const at = inZone(time, timeZone);
  const now = inZone(Date.now(), timeZone);
  if (Math.abs(now.diff(at, 'hour')) < 24) return at.locale(dayjsLocales[language]).fromNow();
  return at.format(at.year() === now.year() ? 'MM-DD HH:mm' : 'YYYY-MM-DD');
}

/** Formats figures and times for the user's language and the site's time zone. */
export function useFormat() {
  const { i18n } = useTranslation();
  const { time_zone } = useSite();
  const language = i18n.language as Language;
  return {
    timeZone: time_zone,
    short: (value: number) => shortNumber(value, language),
    exact: (value: number) => exactNumber(value, language),
    percent: (share: number) => percent(share, language),
    time: (time: string) => inZone(time, time_zone).format(exactTimeFormat),
    shortTime: (time: string) => shortTime(time, time_zone, language),
    /** Today in the site's time zone, `YYYY-MM-DD`. */
    today: () => inZone(Date.now(), time_zone).format('YYYY-MM-DD'),
  };
}
