import { useCallback, useSyncExternalStore } from 'react';

/**
 * Whether a media query holds, from the first drawing on and followed afterwards. antd's own hook says no to everything at first, so that a
 * wide screen would be drawn once as a phone's.
 */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (hear: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', hear);
      return () => list.removeEventListener('change', hear);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** Narrower than antd's `md`: one column, cards instead of tables. */
export const useIsPhone = (): boolean => useMedia('(max-width: 767.98px)');
