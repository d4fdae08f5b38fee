import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Num } from '../feedback/figures.tsx';
import { useFormat } from '../texts/format.ts';
import { useText } from '../texts/text.ts';
import { ChartFrame, FigureTable } from './ChartFrame.tsx';
import type { Part } from './types.ts';

type BarListProps = {
  /** Message key or text. */
  title: string;
  help?: string;
  /** `label` is a message key or text; an empty one is "unknown". */
  parts: readonly Part[];
  /** The whole the shares refer to; default the sum of all parts. */
  total?: number;
  /** Parts shown before "show all". */
  maximum?: number;
  /** The part that filters now; clicking a part chooses it, clicking it again lets go. Of a list, `onSelect` gets the key that was clicked. */
  selected?: string | null | readonly string[];
  onSelect?: (key: string | null) => void;
};

/** A breakdown: each part as a row with a bar in its cell, its figure and its share. */
export function BarList({ title, help, parts, total, maximum = 8, selected = null, onSelect }: BarListProps) {
  const { t } = useTranslation();
  const text = useText();
  const format = useFormat();
  const [isWhole, setIsWhole] = useState(false);
  const sorted = [...parts].sort((a, b) => b.value - a.value);
  const whole = total ?? sorted.reduce((sum, part) => sum + part.value, 0);
  const largest = sorted[0]?.value ?? 0;
  const shown = isWhole ? sorted : sorted.slice(0, maximum);
  const labelOf = (part: Part) => (part.label === '' ? t('common.unknown') : text(part.label));
  const shareOf = (part: Part) => (whole > 0 ? format.percent(part.value / whole) : '–');

  const isChosen = (key: string) => (Array.isArray(selected) ? selected.includes(key) : selected === key);

  return (
    <ChartFrame
      title={title}
      help={help}
      table={
        <FigureTable
          head={[text(title), t('common.chart.value'), t('common.chart.share')]}
          rows={sorted.map((part) => ({ key: part.key, cells: [labelOf(part), format.exact(part.value), shareOf(part)] }))}
        />
      }
    >
      {sorted.length === 0 ? (
        <p className="lc-chart-none">{t('common.chart.no_data')}</p>
      ) : (
        <ul className="lc-bars">
          {shown.map((part) => {
            const content = (
              <>
                <i className="lc-bar" style={{ width: `${largest > 0 ? (part.value / largest) * 100 : 0}%` }} aria-hidden />
                <span className="lc-bar-label">{labelOf(part)}</span>
                <Num value={part.value} />
                <span className="lc-bar-share lc-num">{shareOf(part)}</span>
              </>
            );
            return (
              <li key={part.key}>
                {onSelect ? (
                  <button
                    type="button"
                    className="lc-bar-row"
                    aria-pressed={isChosen(part.key)}
                    onClick={() => onSelect(!Array.isArray(selected) && isChosen(part.key) ? null : part.key)}
                  >
                    {content}
                  </button>
                ) : (
                  <div className="lc-bar-row">{content}</div>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {sorted.length > maximum && (
        <Button type="link" size="small" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? t('common.chart.show_less') : `${t('common.chart.show_all')} (${sorted.length})`}
        </Button>
      )}
    </ChartFrame>
  );
}
