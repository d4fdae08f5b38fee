import { Tooltip } from 'antd';
import { useEffect, useState } from 'react';
import { useFormat } from '../texts/format.ts';

/** A figure, abbreviated from 10,000 on, with the exact one on hover. */
export function Num({ value }: { value: number | null | undefined }) {
  const format = useFormat();
  if (value === null || value === undefined) return <span className="lc-soft">–</span>;
  const [short, exact] = [format.short(value), format.exact(value)];
  const figure = <span className="lc-num">{short}</span>;
  return short === exact ? figure : <Tooltip title={exact}>{figure}</Tooltip>;
}

/** A time of the wire: relative where recent, the full one of the site's time zone on hover. */
export function Time({ value, exact = false }: { value: string | null | undefined; exact?: boolean }) {
  const format = useFormat();
  const [, setTick] = useState(0);
  useEffect(() => {
    // "3 minutes ago" must not stand still on a page that is left open.
    const timer = setInterval(() => setTick((tick) => tick + 1), 60_000);
    return () => clearInterval(timer);
  }, []);
  if (!value) return <span className="lc-soft">–</span>;
  if (exact) return <time dateTime={value}>{format.time(value)}</time>;
  return (
    <Tooltip title={() => `${format.time(value)} (${format.timeZone})`}>
      <time dateTime={value} className="lc-num">
        {format.shortTime(value)}
      </time>
    </Tooltip>
  );
}
