import { useTranslation } from 'react-i18next';
import type { FilterDimension } from '../../../contract/visits/historical-statistics.ts';
import { BarList } from '../charts/BarList.tsx';
import { ChinaMap } from '../charts/ChinaMap.tsx';
import type { Breakdowns } from './answers.ts';
import { useValueLabel } from './labels.ts';
import type { Workbench } from './state.ts';
import { WaitingPanel } from './Waiting.tsx';

/** The dimensions of a screen, in its order; provinces are a map. */
export const shownDimensions = [
  ...['region', 'city', 'country', 'carrier', 'source', 'app', 'system', 'brand', 'model', 'browser', 'language'],
  ...['target', 'host', 'referer', 'outcome', 'weekday', 'hour'],
] as FilterDimension[];

/** What the visits are made of. Each value filters all the rest when it is clicked. */
export function Dimensions({ breakdowns, bench }: { breakdowns: Breakdowns; bench: Workbench }) {
  const { t } = useTranslation();
  const labelOf = useValueLabel();
  const partsOf = (dimension: FilterDimension) =>
    (breakdowns[dimension]?.parts ?? []).map(({ value, visits, name }) => ({
      key: value,
      label: labelOf(dimension, value, name),
      value: visits,
    }));
  return (
    <div className="lc-workbench-dimensions">
      {shownDimensions
        .filter((dimension) => breakdowns[dimension])
        .map((dimension) => {
          const shared = {
            title: t(`historical_statistics.dimension.${dimension}`),
            parts: partsOf(dimension),
            selected: bench.filters[dimension] ?? [],
            onSelect: (key: string | null) => key !== null && bench.toggle(dimension, key),
          };
          return dimension === 'region' ? (
            <div key={dimension}>
              <ChinaMap
                {...shared}
                parts={(breakdowns.region?.parts ?? []).map(({ value, visits }) => ({ key: value, label: value, value: visits }))}
              />
            </div>
          ) : (
            <div key={dimension}>
              <BarList {...shared} maximum={6} total={breakdowns[dimension]?.total ?? 0} />
            </div>
          );
        })}
    </div>
  );
}

const waitingDimensions = shownDimensions.slice(0, 6);

/** The first of them, while nothing is known but their names. */
export const WaitingDimensions = () => (
  <div className="lc-workbench-dimensions">
    {waitingDimensions.map((dimension) => (
      <div key={dimension}>
        <WaitingPanel title={`historical_statistics.dimension.${dimension}`} />
      </div>
    ))}
  </div>
);
