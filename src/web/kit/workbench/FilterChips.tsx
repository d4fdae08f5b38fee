import { Button, Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import type { FilterDimension } from '../../../contract/visits/historical-statistics.ts';
import { useValueLabel } from './labels.ts';
import type { Workbench } from './state.ts';

/** The values that filter now, each with the way to let go of it. */
export function FilterChips({ bench, names }: { bench: Workbench; names: ReadonlyMap<string, string> }) {
  const { t } = useTranslation();
  const labelOf = useValueLabel();
  const chosen = (Object.entries(bench.filters) as [FilterDimension, string[]][]).flatMap(([dimension, values]) =>
    values.map((value) => ({ dimension, value })),
  );
  if (chosen.length === 0) return null;
  return (
    <ul className="lc-workbench-chips" aria-label={t('common.filters.used')}>
      {chosen.map(({ dimension, value }) => {
        const name = `${t(`historical_statistics.dimension.${dimension}`)}: ${labelOf(dimension, value, names.get(`${dimension}:${value}`))}`;
        return (
          <li key={`${dimension}:${value}`}>
            <Tag closable={{ 'aria-label': t('common.filters.remove', { name }) }} onClose={() => bench.toggle(dimension, value)}>
              {name}
            </Tag>
          </li>
        );
      })}
      <li>
        <Button type="link" size="small" onClick={() => bench.change({ filters: {} })}>
          {t('common.filters.clear')}
        </Button>
      </li>
    </ul>
  );
}
