import { expect, test } from 'vitest';
import { readMigrations } from '../src/server/kit/postgres/migrate.ts';
import { brokenUpgrade, readReleased } from './release-migrations.ts';

const list = (...names: string[]) => names.map((name) => ({ name, checksum: `of ${name}` }));

test("a database of the last release can be upgraded: today's migrations begin with the released ones, unchanged", () => {
  expect(brokenUpgrade(readReleased(), readMigrations())).toBeUndefined();
});

test('further migrations after the released ones are right, and nothing is released before the first release', () => {
  expect(brokenUpgrade(list('0001-a', '0003-c'), list('0001-a', '0003-c', '0004-d'))).toBeUndefined();
  expect(brokenUpgrade([], list('0001-a'))).toBeUndefined();
});

test.each([
  ['one that comes before a released one', list('0001-a', '0002-b', '0003-c'), 'Migration 0002-b must get a number after 0003-c'],
  ['a released one that was removed', list('0001-a'), '0003-c is released and must stay'],
  [
    'a released one that was edited',
    [...list('0001-a'), { name: '0003-c', checksum: 'another' }],
    '0003-c is released and must not be edited',
  ],
])('%s is told by its name', (_name, today, reason) => {
  expect(brokenUpgrade(list('0001-a', '0003-c'), today)).toContain(reason);
});
