import { ArrowDownOutlined, ArrowUpOutlined, MinusOutlined } from '@ant-design/icons';
import { Skeleton, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../texts/format.ts';
import { useText } from '../texts/text.ts';
import { Sparkline } from './Sparkline.tsx';

type StatCardProps = {
  /** Message key or text. */
  title: string;
  help?: string;
  /** Undefined while loading. */
  value: number | undefined;
  /** The same figure of the period before. */
  before?: number;
  /** What `before` is: message key or text ("the same time yesterday"). */
  period?: string;
  trend?: readonly number[];
  /** More is worse (refused visits): an increase is shown in the colour of a warning. */
  isBad?: boolean;
  /** A word more, below. */
  note?: ReactNode;
  onClick?: () => void;
};

/** Smaller figures change by hundreds of per cent for nothing: what was before is named instead. */
const smallBase = 20;

/** A figure, its change against the period before with arrow and sign, and its course. */
export function StatCard({ title, help, value, before, period, trend, isBad = false, note, onClick }: StatCardProps) {
  const { t } = useTranslation();
  const text = useText();
  const format = useFormat();
  const label = help ? (
    <Tooltip title={text(help)}>
      <span className="lc-stat-title lc-stat-help">{text(title)}</span>
    </Tooltip>
  ) : (
    <span className="lc-stat-title">{text(title)}</span>
  );
  const content = (
    <>
      {label}
      {value === undefined ? (
        <Skeleton active title={{ width: 80 }} paragraph={false} />
      ) : (
        <>
          <span className="lc-stat-row">
            <Tooltip title={format.exact(value)}>
              <b className="lc-stat-value lc-num">{format.short(value)}</b>
            </Tooltip>
            {trend && <Sparkline values={trend} isLastUnfinished />}
          </span>
          {before !== undefined && (
            <Change value={value} before={before} isBad={isBad} words={period ? t('common.chart.against', { period: text(period) }) : ''} />
          )}
          {note && <small className="lc-soft">{note}</small>}
        </>
      )}
    </>
  );
  return onClick ? (
    <button type="button" className="lc-stat" onClick={onClick}>
      {content}
    </button>
  ) : (
    <div className="lc-stat">{content}</div>
  );
}

type ChangeProps = { value: number; before: number; isBad?: boolean; words: string };

/** What a figure changed by against the period before, with arrow and sign. */
export function Change({ value, before, isBad = false, words }: ChangeProps) {
  const { t } = useTranslation();
  const format = useFormat();
  if (before < smallBase && value < smallBase)
    return (
      <span className="lc-change lc-soft">
        {words} <span className="lc-num">{format.exact(before)}</span>
      </span>
    );
  const difference = value - before;
  const direction = Math.sign(difference);
  const kind = direction === 0 ? 'none' : direction > 0 === isBad ? 'bad' : 'good';
  const Arrow = direction > 0 ? ArrowUpOutlined : direction < 0 ? ArrowDownOutlined : MinusOutlined;
  const sign = direction > 0 ? '+' : direction < 0 ? '−' : '';
  const size = before > 0 ? format.percent(Math.abs(difference) / before) : format.short(Math.abs(difference));
  return (
    <Tooltip title={`${words} ${format.exact(before)}`}>
      <span className={`lc-change lc-change-${kind}`}>
        <span className="lc-num">
          <Arrow aria-hidden /> {sign}
          {size}
        </span>
        <span className="lc-soft">{before === 0 && value > 0 ? t('common.chart.no_base') : words}</span>
      </span>
    </Tooltip>
  );
}
