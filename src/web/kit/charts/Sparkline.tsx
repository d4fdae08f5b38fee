type SparklineProps = {
  /** From the oldest to the newest. */
  values: readonly number[];
  width?: number;
  height?: number;
  /** The last value belongs to a period that isn't over. */
  isLastUnfinished?: boolean;
};

/** A line without axes beside a figure; decoration, as the figure and its change say the same in words. */
export function Sparkline({ values, width = 96, height = 28, isLastUnfinished = false }: SparklineProps) {
  if (values.length < 2) return null;
  const largest = Math.max(...values, 1);
  const point = (value: number, at: number) =>
    `${((at / (values.length - 1)) * (width - 4) + 2).toFixed(1)},${(height - 2 - (value / largest) * (height - 4)).toFixed(1)}`;
  const points = values.map(point);
  const over = isLastUnfinished ? points.slice(0, -1) : points;
  return (
    <svg
      className="lc-sparkline"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polygon points={`2,${height - 2} ${over.join(' ')} ${over.at(-1)?.split(',')[0]},${height - 2}`} />
      <polyline points={over.join(' ')} />
      {isLastUnfinished && <polyline className="lc-sparkline-running" points={points.slice(-2).join(' ')} />}
    </svg>
  );
}
