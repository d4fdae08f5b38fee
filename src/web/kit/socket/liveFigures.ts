import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { GroupName } from '../calls/query.ts';
import { createStore } from '../local.ts';

/** The socket tells a page that watches of newer visits; this often it asks nevertheless. */
const toldMilliseconds = 30_000;

/** Whether the real-time socket is open, and the parts of the screen that show live figures. */
const open = createStore(false);
const watched = createStore<readonly { hear: () => void }[]>([]);

export const setSocketOpen = open.set;
export const isWatched = (): boolean => watched.get().length > 0;
export const subscribeToWatched = watched.subscribe;
/** There are newer visits than before. */
export function tellOfNewerFigures(): void {
  for (const { hear } of watched.get()) hear();
}

/**
 * The interval to ask in for what the socket tells of as well: `whileTold` while it is open, should a word have been lost.
 * @param pollMilliseconds false for what does not change any more
 */
export function useFallbackInterval(pollMilliseconds: number | false, whileTold: number): number | false {
  const isOpen = useSyncExternalStore(open.subscribe, open.get);
  return pollMilliseconds !== false && isOpen ? Math.max(pollMilliseconds, whileTold) : pollMilliseconds;
}

/**
 * Keeps a group's answers as fresh as the visits: by the statistics tick of the socket, or by asking in this interval where there is none.
 * @param pollMilliseconds false while the figures stand still
 * @returns the interval to ask in
 */
export function useLiveFigures(group: GroupName, pollMilliseconds: number | false): number | false {
  const client = useQueryClient();
  const isLive = pollMilliseconds !== false;
  useEffect(() => {
    if (!isLive) return;
    const watcher = {
      hear() {
        if (document.visibilityState === 'visible') void client.invalidateQueries({ queryKey: [group] });
      },
    };
    watched.set([...watched.get(), watcher]);
    return () => watched.set(watched.get().filter((other) => other !== watcher));
  }, [client, group, isLive]);
  return useFallbackInterval(pollMilliseconds, toldMilliseconds);
}
