import { useSyncExternalStore } from 'react';

const query = () => matchMedia('(prefers-reduced-motion: reduce)');

function subscribe(listener: () => void): () => void {
  const list = query();
  list.addEventListener('change', listener);
  return () => list.removeEventListener('change', listener);
}

/** Whether the user asked for less motion; charts then stand still. */
export const useReducedMotion = () => useSyncExternalStore(subscribe, () => query().matches);
