import { setTimeout as delay } from 'node:timers/promises';

/** Waits until `isTrue`, looking every 20 ms. False when the time ran out. */
export async function until(isTrue: () => boolean, milliseconds: number): Promise<boolean> {
  const end = Date.now() + milliseconds;
  while (!isTrue()) {
    if (Date.now() > end) return false;
    await delay(20);
  }
  return true;
}
