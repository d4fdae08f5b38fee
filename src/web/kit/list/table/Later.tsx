import { type ReactNode, useDeferredValue } from 'react';

/** Drawn after what comes into sight with it: rows that are scrolled to fast enough have their first columns at once, the others in slices. */
export function Later({ draw }: { draw: () => ReactNode }) {
  const isDue = useDeferredValue(true, false);
  return isDue ? draw() : <span className="lc-skeleton" />;
}
