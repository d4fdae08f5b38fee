import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase } from '../../kit/testing/database.ts';
import { ask } from '../testing/looks.ts';
import { withScratchDatabase } from './scratch.ts';

async function scratches(url: string): Promise<string[]> {
  const rows = await ask<{ name: string }>(url, `SELECT datname AS name FROM pg_database WHERE datname LIKE 'livecode\\_drill\\_%'`);
  return rows.map(({ name }) => name);
}

test('a drill of an outside database has one of its own, which goes with it, and with it what killed ones left', {
  tags: 'full',
}, async () => {
  const { url, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  const left = `livecode_drill_${randomBytes(4).toString('hex')}`;
  await ask(url, `CREATE DATABASE ${left}`);
  const own = await withScratchDatabase(url, async (scratch) => {
    await ask(scratch, 'CREATE TABLE note (number integer)');
    await expect(withScratchDatabase(url, () => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
    return new URL(scratch).pathname.slice(1);
  });
  expect(own).not.toBe(left);
  const there = await scratches(url);
  expect([there.includes(left), there.includes(own ?? '')]).toEqual([false, false]);
});

test('a role that may create no database is told so', async () => {
  const { url, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  const narrow = new URL(url);
  narrow.searchParams.set('options', '-c role=pg_monitor');
  expect(await withScratchDatabase(narrow.href, async () => 'worked')).toBeUndefined();
});
