import { setTimeout as delay } from 'node:timers/promises';

/** Waits until `isTrue`, looking every 20 ms. False when the time ran out. */
export async function until(isTrue: () => boolean, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (!isTrue()) {
    if (performance.now() > end) return false;
    await delay(20);
  }
  return true;
}
