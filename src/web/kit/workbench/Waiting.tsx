import { Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { useCall } from '../calls/query.ts';
import { Failure } from '../feedback.ts';

const lateMilliseconds = 2_000;

function useIsLate(isWaiting: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setIsLate(true), lateMilliseconds);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isWaiting]);
  return isWaiting && isLate;
}

/** Says that visits are being counted where that takes so long that one asks whether anything happens. */
export function Counting({ isWaiting }: { isWaiting: boolean }) {
  const { t } = useTranslation();
  return useIsLate(isWaiting) ? (
    <p className="lc-soft lc-workbench-counting" role="status">
      {t('historical_statistics.counting')}
    </p>
  ) : null;
}

/** A panel of which only the name is known as yet. */
export function WaitingPanel({ title, rows = 4 }: { title: string; rows?: number }) {
  const { t } = useTranslation();
  return (
    <section className="lc-panel" aria-busy>
      <div className="lc-panel-head">
        <h2>{t(title)}</h2>
      </div>
      <Skeleton active title={false} paragraph={{ rows }} />
    </section>
  );
}

type MissingPanelProps = { title: string; query: Pick<ReturnType<typeof useCall>, 'data' | 'error' | 'refetch' | 'isFetching'> };

/** What became of a panel that did not come, under its name; nothing where it came or is awaited. */
export function MissingPanel({ title, query: { data, error, refetch, isFetching } }: MissingPanelProps) {
  const { t } = useTranslation();
  if (!error || data) return null;
  return (
    <section className="lc-panel">
      <div className="lc-panel-head">
        <h2>{t(title)}</h2>
      </div>
      <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />
    </section>
  );
}
