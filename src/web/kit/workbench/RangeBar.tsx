import { DatePicker, Select } from 'antd';
import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import { type Comparison, comparisons, type StatisticsStep, statisticsSteps } from '../../../contract/visits/historical-statistics.ts';
import { presetsOf, type RangeKind, type Workbench } from './state.ts';

const day = 'YYYY-MM-DD';

/** Which days, by which step, against which others. */
export function RangeBar({ bench, hasStep }: { bench: Workbench; hasStep: boolean }) {
  const { t } = useTranslation();
  const { kind, range, compare, step, today, change } = bench;
  const kinds: RangeKind[] = [...presetsOf(today).map(({ key }) => key), 'custom'];
  return (
    <>
      <Select<RangeKind>
        className="lc-workbench-select"
        value={kind}
        aria-label={t('historical_statistics.range.label')}
        options={kinds.map((value) => ({
          value,
          label: value === 'custom' ? t('historical_statistics.range.custom') : t(`common.range.${value}`),
        }))}
        onChange={(value) => change({ kind: value, range })}
      />
      <DatePicker.RangePicker
        className="lc-workbench-range"
        value={[dayjs(range.from), dayjs(range.to)]}
        allowClear={false}
        aria-label={t('historical_statistics.range.custom')}
        onChange={(days) => {
          const [from, to] = [days?.[0]?.format(day), days?.[1]?.format(day)];
          if (from && to) change({ kind: 'custom', range: { from, to } });
        }}
      />
      <Select<Comparison | ''>
        className="lc-workbench-select"
        value={compare ?? ''}
        aria-label={t('historical_statistics.compare.label')}
        options={(['', ...comparisons] as const).map((value) => ({ value, label: t(`historical_statistics.compare.${value || 'none'}`) }))}
        onChange={(value) => change({ compare: value || undefined })}
      />
      {hasStep && (
        <Select<StatisticsStep | ''>
          className="lc-workbench-select"
          value={step ?? ''}
          aria-label={t('historical_statistics.step.label')}
          options={(['', ...statisticsSteps] as const).map((value) => ({
            value,
            label: t(`historical_statistics.step.${value || 'auto'}`),
          }))}
          onChange={(value) => change({ step: value || undefined })}
        />
      )}
    </>
  );
}
