import { vi } from 'vitest';

/** What is awaited comes at once on a quiet machine; correctness does not depend on how busy it is. */
const patienceMilliseconds = 15_000;

/**
 * Waits until a claim holds, and answers what it answers.
 * @param timeout milliseconds, where the work itself takes long
 */
export const eventually = <T>(claim: () => T | Promise<T>, { timeout = patienceMilliseconds, interval = 50 } = {}): Promise<T> =>
  vi.waitFor(claim, { timeout, interval });
