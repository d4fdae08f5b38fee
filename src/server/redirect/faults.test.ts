import { expect, it } from 'vitest';
import { createFaults } from './faults.ts';

it('a fault is told once in ten seconds, each kind for itself, with how often it was met', () => {
  const told: object[] = [];
  let now = 5;
  const faults = createFaults({ warn: (details) => void told.push(details) }, () => now);
  for (let count = 0; count < 1000; count += 1) faults('a code', new Error('late'));
  faults('a lease', 'gone');
  now += 9_999;
  faults('a code', new Error('late'));
  expect(told).toEqual([
    { kind: 'a code', count: 1, error: 'late' },
    { kind: 'a lease', count: 1, error: 'gone' },
  ]);
  now += 1;
  faults('a code', new Error('still late'));
  expect(told.at(-1)).toEqual({ kind: 'a code', count: 1001, error: 'still late' });
});
