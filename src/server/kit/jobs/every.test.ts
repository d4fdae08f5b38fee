import { expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { every } from './every.ts';

const silent = { warn: () => {} };

test('no turn begins during another, and stop waits for the one under way', async () => {
  let begun = 0;
  let ended = 0;
  const turns: (() => void)[] = [];
  const run = async () => {
    begun += 1;
    expect(begun).toBe(ended + 1);
    await new Promise<void>((resolve) => turns.push(resolve));
    ended += 1;
  };
  const repeated = every(1, run, { log: silent, failure: '', atOnce: true });
  expect(begun).toBe(1);
  // A timer of the same interval that was set later comes later: the turn that came due meanwhile was left out.
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(begun).toBe(1);
  turns[0]?.();
  await eventually(() => expect(turns).toHaveLength(2));

  let isStopped = false;
  const stopped = repeated.stop().then(() => {
    isStopped = true;
  });
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  turns[1]?.();
  await stopped;
  expect([begun, ended]).toEqual([2, 2]);
});

test('a turn that fails is logged, and the next one comes', async () => {
  const warnings: [object, string][] = [];
  let turns = 0;
  const run = async () => {
    turns += 1;
    if (turns === 1) throw new Error('away');
  };
  const log = { warn: (details: object, message: string) => void warnings.push([details, message]) };
  const repeated = every(1, run, { log, failure: 'it could not be done' });
  expect(turns).toBe(0);
  await eventually(() => expect(turns).toBeGreaterThan(1));
  await repeated.stop();
  expect(warnings).toEqual([[{ error: 'Error: away' }, 'it could not be done']]);
});
