import { DatePicker, Segmented } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Drawer } from '../../kit/dialogs/dialogs.tsx';
import { Failure } from '../../kit/feedback.ts';
import { useLiveFigures } from '../../kit/socket/liveFigures.ts';
import { useFormat } from '../../kit/texts/format.ts';
import { limitRange, presetRange, type Range, type RangeKind, rangeBefore, rangeKinds } from './range.ts';
import { StatisticsView } from './StatisticsView.tsx';
import { VisitList } from './VisitList.tsx';
import './statistics.css';

/** While one looks at today. */
const liveMilliseconds = 5_000;

/** One code's statistics over a range of days; today's follow as visitors come. */
export function StatisticsDrawer({ code, onClose }: { code: Pick<LiveCode, 'id' | 'name' | 'open_log'>; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const today = format.today();
  const [kind, setKind] = useState<RangeKind>('today');
  const [picked, setPicked] = useState<Range>(() => presetRange('last_30', today));
  const range = kind === 'custom' ? picked : presetRange(kind, today);
  const isLive = kind === 'today';
  const refetchInterval = useLiveFigures('qr_code_list', isLive ? liveMilliseconds : false);
  const present = useCall(api.qr_code_list.statistics, { id: code.id, ...range }, { refetchInterval });
  const before = useCall(
    api.qr_code_list.statistics,
    { id: code.id, ...rangeBefore(range) },
    { enabled: !isLive, placeholderData: undefined },
  );

  return (
    <Drawer open onClose={onClose} size={1040} title={t('qr_code_list.statistics.title', { name: code.name })} className="code-statistics">
      <div className="code-statistics-bar">
        <Segmented<RangeKind>
          value={kind}
          onChange={setKind}
          aria-label={t('qr_code_list.statistics.range')}
          options={rangeKinds.map((value) => ({ value, label: t(`qr_code_list.statistics.ranges.${value}`) }))}
        />
        {kind === 'custom' && (
          <DatePicker.RangePicker
            value={[dayjs(picked.from), dayjs(picked.to)]}
            allowClear={false}
            disabledDate={(date) => date.format('YYYY-MM-DD') > today}
            aria-label={t('qr_code_list.statistics.ranges.custom')}
            onChange={(days) => {
              const [from, to] = [days?.[0]?.format('YYYY-MM-DD'), days?.[1]?.format('YYYY-MM-DD')];
              if (from && to) setPicked(limitRange({ from, to }, today));
            }}
          />
        )}
        {isLive && !present.isError && (
          <span className="code-live">
            <i className="code-live-dot" aria-hidden />
            {t('qr_code_list.statistics.live')}
          </span>
        )}
      </div>
      {present.error && !present.data ? (
        <Failure error={present.error} retry={() => void present.refetch()} isRetrying={present.isFetching} />
      ) : (
        <StatisticsView
          answer={present.data}
          before={isLive ? undefined : before.data}
          isStale={present.isPlaceholderData}
          isCurrent={range.to === today}
          range={range}
        />
      )}
      <VisitList code={code} range={range} isLive={isLive} />
    </Drawer>
  );
}
