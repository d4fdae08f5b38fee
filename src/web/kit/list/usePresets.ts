import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../texts/format.ts';
import { presetsAhead, rangePresets } from './ranges.ts';

/** The specification's ranges for a picker of days: those that look back, or ahead. */
export function usePresets(ahead: boolean): { label: string; value: [dayjs.Dayjs, dayjs.Dayjs] }[] {
  const { t } = useTranslation();
  const format = useFormat();
  return (ahead ? presetsAhead : rangePresets)(format.today()).map(({ key, from, to }) => ({
    label: t(`common.range.${key}`),
    value: [dayjs(from), dayjs(to)],
  }));
}
