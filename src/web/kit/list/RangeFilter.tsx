import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import { useText } from '../texts/text.ts';
import type { Filter } from './types.ts';
import type { ListState } from './useListState.ts';
import { usePresets } from './usePresets.ts';

/** The filter of a first and a last day. */
export function RangeFilter({ filter, state }: { filter: Extract<Filter, { kind: 'date_range' }>; state: ListState }) {
  const { t } = useTranslation();
  const text = useText();
  const day = (key: string) => (state.values[key] ? dayjs(String(state.values[key])) : null);
  return (
    <DatePicker.RangePicker
      className="lc-filter lc-filter-range"
      value={[day(filter.key), day(filter.to)]}
      allowEmpty={[true, true]}
      placeholder={[text(filter.label), t('common.range.to')]}
      aria-label={text(filter.label)}
      presets={usePresets(filter.ahead ?? false)}
      onChange={(range) =>
        state.setFilters({ [filter.key]: range?.[0]?.format('YYYY-MM-DD'), [filter.to]: range?.[1]?.format('YYYY-MM-DD') })
      }
    />
  );
}
