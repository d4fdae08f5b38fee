import { expect, test } from 'vitest';
import { retryWhile } from './database.ts';
import { untilRoom } from './disk.ts';

/** What comes of a start whose database fails at first, by whether there was room before it and after its failure. */
async function startWith(before: boolean, after: boolean): Promise<{ attempts: number; failed: boolean }> {
  const looks = [before, after];
  let attempts = 0;
  const { attempt, mayPass } = untilRoom(
    () => looks.shift() ?? true,
    async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('could not write lock file');
    },
  );
  const failed = await retryWhile(
    mayPass,
    attempt,
    () => false,
    () => {},
  ).then(
    () => false,
    () => true,
  );
  return { attempts, failed };
}

test('a start that failed without room on the disk is tried again, also where there is room when that is looked at', async () => {
  expect(await startWith(false, false)).toEqual({ attempts: 2, failed: false });
  expect(await startWith(true, false)).toEqual({ attempts: 2, failed: false });
  expect(await startWith(false, true)).toEqual({ attempts: 2, failed: false });
  expect(await startWith(true, true)).toEqual({ attempts: 1, failed: true });
});
