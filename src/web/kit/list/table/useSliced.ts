import { type ReactNode, useDeferredValue, useMemo } from 'react';

/** Pages of more rows are drawn in slices, and on wide screens only their rows in sight: hundreds at once would keep the page from answering. */
const mostRowsAtOnce = 50;

export const isLongPage = ({ pageSize }: { pageSize: number }): boolean => pageSize > mostRowsAtOnce;

/**
 * Draws a long page in slices after the rest of the screen, so that the page answers meanwhile: without rows first, then with them; after that
 * the former ones stand until the next are drawn. A short page is drawn at once.
 * @param draw the same function at every drawing
 */
export function useSliced<Props extends { rows: readonly object[] | undefined; state: { pageSize: number } }>(
  props: Props,
  draw: (props: Props) => ReactNode,
): ReactNode {
  const isLong = isLongPage(props.state);
  const deferred = useDeferredValue(props, isLong ? { ...props, rows: undefined } : props);
  const drawn = isLong ? deferred : props;
  return useMemo(() => draw(drawn), [draw, drawn]);
}
