import { Tooltip } from 'antd';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { contrast, mix } from '../look/color.ts';
import { useIsDark } from '../look/pageColors.ts';
import { paletteOf } from '../look/theme.ts';
import { useFormat } from '../texts/format.ts';
import { useText } from '../texts/text.ts';
import { ChartFrame, FigureTable } from './ChartFrame.tsx';
import { type Province, provinceName, provinceOf, provinces, tileName } from './chinaTiles.ts';
import { seriesColor } from './colors.ts';
import type { Part } from './types.ts';

type ChinaMapProps = {
  /** Message key or text. */
  title?: string;
  help?: string;
  /** Visits by region name as the address data gives it (广东省); names of other places are summed apart. */
  parts: readonly Part[];
  /** The region that filters now; of a list, `onSelect` gets the key that was clicked. */
  selected?: string | null | readonly string[];
  onSelect?: (key: string | null) => void;
};

const size = 60;
const gap = 4;
const columns = 7;
const rows = 8;

type Cell = { province: Province; key: string; value: number };

function cellsOf(parts: readonly Part[]): { cells: Cell[]; elsewhere: number } {
  const found = new Map<Province, { key: string; value: number }>();
  let elsewhere = 0;
  for (const part of parts) {
    const province = provinceOf(part.key);
    if (!province) elsewhere += part.value;
    else found.set(province, { key: found.get(province)?.key ?? part.key, value: (found.get(province)?.value ?? 0) + part.value });
  }
  return { cells: provinces.map((province) => ({ province, ...(found.get(province) ?? { key: province.zh, value: 0 }) })), elsewhere };
}

/** Five steps on a logarithmic scale: beside one large province the small ones are still told apart. */
const stepOf = (value: number, largest: number) =>
  value <= 0 ? 0 : largest <= 1 ? 5 : 1 + Math.round((4 * Math.log(value)) / Math.log(largest));

/** China's 34 province-level regions as equal tiles, coloured by value; arrow keys walk over them. */
export function ChinaMap({ title = 'common.chart.map.title', help, parts, selected = null, onSelect }: ChinaMapProps) {
  const { t, i18n } = useTranslation();
  const text = useText();
  const format = useFormat();
  const isDark = useIsDark();
  const { cells, elsewhere } = cellsOf(parts);
  const total = cells.reduce((sum, cell) => sum + cell.value, elsewhere);
  const largest = Math.max(...cells.map((cell) => cell.value), 1);
  const nameOf = (province: Province) => provinceName(province, i18n.language);
  const share = (value: number) => (total > 0 ? format.percent(value / total) : '–');
  const ranked = cells.filter((cell) => cell.value > 0).sort((a, b) => b.value - a.value);
  const tableRows = ranked.map((cell) => ({
    key: cell.province.code,
    cells: [nameOf(cell.province), format.exact(cell.value), share(cell.value)],
  }));
  if (elsewhere > 0) tableRows.push({ key: 'elsewhere', cells: [t('common.chart.map.abroad'), format.exact(elsewhere), share(elsewhere)] });

  return (
    <ChartFrame
      title={title}
      help={help}
      table={<FigureTable head={[text(title), t('common.chart.value'), t('common.chart.share')]} rows={tableRows} />}
    >
      <Tiles
        cells={cells}
        largest={largest}
        isDark={isDark}
        label={text(title)}
        nameOf={nameOf}
        tileOf={(province) => tileName(province, i18n.language)}
        wordsOf={(cell) => (cell.value > 0 ? `${format.exact(cell.value)} · ${share(cell.value)}` : t('common.chart.map.none'))}
        shortOf={format.short}
        selected={selected}
        onSelect={onSelect}
      />
      <div className="lc-map-foot">
        <Scale isDark={isDark} largest={format.short(largest)} />
        {elsewhere > 0 && (
          <span className="lc-soft">
            {t('common.chart.map.abroad')} <b className="lc-num">{format.short(elsewhere)}</b>
          </span>
        )}
      </div>
    </ChartFrame>
  );
}

function fillOf(step: number, isDark: boolean): string {
  const ground = paletteOf(isDark).hover;
  return step === 0 ? ground : mix(ground, seriesColor(0, isDark), 0.12 + step * 0.165);
}

type TilesProps = {
  cells: readonly Cell[];
  largest: number;
  isDark: boolean;
  label: string;
  nameOf: (province: Province) => string;
  tileOf: (province: Province) => string;
  wordsOf: (cell: Cell) => string;
  shortOf: (value: number) => string;
  selected: string | null | readonly string[];
  onSelect?: (key: string | null) => void;
};

function Tiles({ cells, largest, isDark, label, nameOf, tileOf, wordsOf, shortOf, selected, onSelect }: TilesProps) {
  const [current, setCurrent] = useState('BJ');
  const list = useRef<HTMLUListElement>(null);
  const isChosen = (key: string) => (Array.isArray(selected) ? selected.includes(key) : selected === key);

  /** The nearest tile in the direction of an arrow key takes the focus. */
  function walk(event: KeyboardEvent, from: Province) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const [x = 0, y = 0] = step;
    const ahead = cells
      .map(({ province }) => ({
        province,
        along: (province.column - from.column) * x + (province.row - from.row) * y,
        across: Math.abs((province.column - from.column) * y) + Math.abs((province.row - from.row) * x),
      }))
      .filter((candidate) => candidate.along > 0)
      .sort((a, b) => a.along + a.across * 2 - (b.along + b.across * 2));
    const next = ahead[0]?.province;
    if (!next) return;
    setCurrent(next.code);
    list.current?.querySelector<HTMLElement>(`[data-code="${next.code}"]`)?.focus();
  }

  return (
    <ul
      ref={list}
      className="lc-map"
      aria-label={label}
      style={{ maxWidth: columns * (size + gap) - gap, aspectRatio: `${columns} / ${rows}` }}
    >
      {cells.map((cell) => {
        const { province, key, value } = cell;
        const step = stepOf(value, largest);
        const fill = fillOf(step, isDark);
        // What stands on the tile is a part of its name, for those who say it aloud to press it.
        const shown = value > 0 ? shortOf(value) : '';
        const words = wordsOf(cell);
        return (
          <li key={province.code} style={{ gridColumn: province.column + 1, gridRow: province.row + 1 }}>
            <Tooltip title={`${nameOf(province)} ${words}`}>
              <button
                type="button"
                data-code={province.code}
                className="lc-tile"
                style={{ background: fill, color: contrast('#ffffff', fill) >= 4.5 ? '#ffffff' : '#000000' }}
                tabIndex={current === province.code ? 0 : -1}
                aria-label={[nameOf(province), words.includes(shown) ? '' : shown, words].filter(Boolean).join(' ')}
                aria-pressed={onSelect ? isChosen(key) : undefined}
                onFocus={() => setCurrent(province.code)}
                onKeyDown={(event) => walk(event, province)}
                onClick={() => onSelect?.(!Array.isArray(selected) && isChosen(key) ? null : key)}
              >
                <span>{tileOf(province)}</span>
                <small className="lc-num">{shown}</small>
              </button>
            </Tooltip>
          </li>
        );
      })}
    </ul>
  );
}

function Scale({ isDark, largest }: { isDark: boolean; largest: string }) {
  return (
    <span className="lc-map-scale lc-soft" aria-hidden>
      0
      {[1, 2, 3, 4, 5].map((step) => (
        <i key={step} style={{ background: fillOf(step, isDark) }} />
      ))}
      {largest}
    </span>
  );
}
