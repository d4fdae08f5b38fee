import { useTranslation } from 'react-i18next';
import type { Language } from '../../../contract/enums.ts';
import { useSite } from '../site.tsx';
import { exactNumber, percent, shortNumber } from './numbers.ts';
import { exactTimeFormat, inZone, shortTime } from './time.ts';

export { inZone } from './time.ts';

/** Formats figures and times for the user's language and the site's time zone. */
export function useFormat() {
  const { i18n } = useTranslation();
  const { time_zone } = useSite();
  const language: Language = i18n.language;
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
