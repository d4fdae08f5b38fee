import type { EChartsType } from 'echarts/core';
import type { EChartsOption } from 'echarts/types/dist/shared';
import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * Draws an option into an element; the library comes with the first chart, the chart follows the element's size.
 * @param openMark is given the place of the line across the chart that was clicked
 */
export function useChart(
  option: EChartsOption,
  openMark?: (index: number) => void,
): { host: RefObject<HTMLDivElement | null>; isLoading: boolean; error: Error | null } {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType | null>(null);
  const opens = useRef(openMark);
  const [isLoading, setIsLoading] = useState(true);
  const [error, setError] = useState<Error | null>(null);

  useEffect(() => {
    let isGone = false;
    const element = host.current;
    if (!element) return;
    const observer = new ResizeObserver(() => chart.current?.resize());
    import('./echarts.ts').then(
      ({ init }) => {
        if (isGone) return;
        chart.current = init(element, null, { renderer: 'canvas' });
        chart.current.on('click', ({ componentType, dataIndex }) => {
          if (componentType === 'markLine') opens.current?.(dataIndex);
        });
        observer.observe(element);
        setIsLoading(false);
      },
      (cause: unknown) => setError(cause instanceof Error ? cause : new Error(String(cause))),
    );
    return () => {
      isGone = true;
      observer.disconnect();
      chart.current?.dispose();
      chart.current = null;
    };
  }, []);

  useEffect(() => {
    opens.current = openMark;
  });

  useEffect(() => {
    if (!isLoading) chart.current?.setOption(option, { notMerge: true });
  }, [option, isLoading]);

  return { host, isLoading, error };
}
