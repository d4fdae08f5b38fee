import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { crashUnderLoad } from '../testing/crash.ts';

test('whatever is killed under load, every answered visit is in the database once, counted once, and no threshold is overshot', async () => {
  const dataDir = makeTestFolder();
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const report = await crashUnderLoad({ dataDir, seconds: 9, connections: 12, codes: 40, pauseBetweenKills: 1100 });
  expect(report.lost).toEqual([]);
  expect(report.inconsistent).toEqual([]);
  expect(report.miscounted).toEqual([]);
  expect(report.answered).toBeGreaterThan(200);
  expect(report.rows).toBeGreaterThanOrEqual(report.answered);
  expect(report.limited_visits).toBeGreaterThan(0);
  expect(Math.min(...Object.values(report.kills))).toBeGreaterThanOrEqual(1);
});
