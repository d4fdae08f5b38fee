import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { drillWhenDue } from '../drills/drill.jobs.ts';
import { noteSchedule, recordRun } from './runs.ts';
import { watchBackups } from './watch.ts';

let now = new Date();
let test_app: TestApp;
let admin: TestUser;
let customer: TestUser;
beforeAll(async () => {
  test_app = await createTestApp({ now: () => now });
  [admin, customer] = [await test_app.makeUser('super'), await test_app.makeUser('customer')];
});
afterAll(() => test_app.close());

/** 04:00 in Shanghai is 20:00 of the day before. */
const night = new Date('2026-05-10T20:00:00Z');
const after = (hours: number) => new Date(night.getTime() + hours * 3_600_000);
const newest = 'livecode-20260510T200000Z.tar.zst';
const days = 24;

let folder: string;
beforeEach(async () => {
  await test_app.db.execute(sql`TRUNCATE backup_run, backup_schedule, event CASCADE`);
  folder = makeTestFolder();
  writeFileSync(join(folder, newest), '');
  now = night;
});

const scheduled = (isKeyless = false) => noteSchedule(test_app.db, { now, hours: 24, isKeyless });
const good = async () => ({ outcome: 'good', message: '', bytes: 7, encrypted: false, holds_key: false }) as const;
const damaged = async () => {
  throw new Error('the backup is damaged');
};
const drilled = (at: Date, drill: Parameters<typeof drillWhenDue>[1]['drill'] = good) =>
  drillWhenDue(test_app.db, { place: folder, drill }, { now: at, time_zone: 'Asia/Shanghai' });
const made = (at: Date, sha256 = 'ab') =>
  recordRun(test_app.db, {
    ...{ kind: 'backup', began_at: at.toISOString(), ended_at: at.toISOString(), file_name: newest, sha256 },
    ...{ bytes: 7, encrypted: false, holds_key: false, outcome: 'good' },
  });
const inquire = async () => (await test_app.call(admin, 'backup', 'inquire', {})).body;
const needs = async (as = admin) =>
  (await test_app.call(as, 'home', 'needs', {})).body.content.map(({ kind }) => kind).filter((kind) => kind.startsWith('backup_'));
/** Each owner of the platform is told. */
const told = async () => {
  const { rows } = await test_app.db.execute<{ type: string }>(
    sql`SELECT type FROM event WHERE type LIKE 'backup.%' AND owner_id = ${admin.id} ORDER BY id`,
  );
  return rows.map(({ type }) => type);
};

test('the newest backup is proved at once, then once a week in the night; the record says when', async () => {
  await scheduled();
  await made(night, 'cd');
  const asked: unknown[] = [];
  const drill = (...args: unknown[]) => {
    asked.push(args);
    return good();
  };
  for (const hours of [1, 2, 6 * days + 5, 7 * days - 0.5]) expect(await drilled(after(hours), drill)).toBe(hours === 1);
  expect(await drilled(after(7 * days + 0.5), drill)).toBe(true);
  expect(asked).toEqual(Array(2).fill([join(folder, newest), 'cd']));
  now = after(7 * days + 1);
  const { last_backup, last_drill, schedule, runs } = await inquire();
  expect(last_backup).toMatchObject({ ended_at: night.toISOString(), bytes: 7, encrypted: false, holds_key: false });
  expect(last_drill).toMatchObject({ file_name: newest, outcome: 'good', began_at: after(7 * days + 0.5).toISOString() });
  expect(schedule?.next).toEqual({ backup_at: after(8 * days).toISOString(), drill_at: after(14 * days).toISOString() });
  expect(runs.map(({ kind }) => kind)).toEqual(['drill', 'drill', 'backup']);
  expect(await needs()).toEqual([]);
});

test('a drill that fails is told, waits on the start page, and is tried again in the next night', async () => {
  await scheduled();
  expect(await drilled(after(1), damaged)).toBe(true);
  expect(await drilled(after(2), damaged)).toBe(false);
  expect(await told()).toEqual(['backup.drill_failed']);
  expect((await inquire()).runs).toMatchObject([{ kind: 'drill', outcome: 'failed', message: 'the backup is damaged' }]);
  expect([await needs(), await needs(customer)]).toEqual([['backup_failed'], []]);
  expect(await drilled(after(days + 1))).toBe(true);
  expect(await needs()).toEqual([]);
});

test('without a backup there is no drill, and what ends with its worker is no failure', async () => {
  const interrupted = async () => {
    throw new Error('Interrupted: nothing was left behind.');
  };
  await expect(drilled(after(1), interrupted)).rejects.toThrow('Interrupted');
  folder = makeTestFolder();
  expect(await drilled(after(1))).toBe(false);
  expect(await inquire()).toEqual({ schedule: null, last_backup: null, last_drill: null, runs: [] });
});

test('what is overdue is told once, and no more when it came', async () => {
  await scheduled();
  const watched = async (hours: number) => {
    now = after(hours);
    await watchBackups(test_app.db, now);
    return told();
  };
  expect(await watched(2 * days)).toEqual([]);
  expect(await watched(2 * days + 1)).toEqual(['backup.overdue']);
  expect(await watched(3 * days)).toEqual(['backup.overdue']);
  expect(await needs()).toEqual(['backup_overdue']);
  await made(now);
  await scheduled();
  expect(await watched(3 * days + 1)).toEqual(['backup.overdue']);
  expect(await needs()).toEqual([]);
  now = after(14 * days);
  await made(now);
  await scheduled();
  expect(await watched(14 * days + 1)).toEqual(['backup.overdue', 'backup.drill_overdue']);
  expect((await inquire()).schedule).toMatchObject({ backup_overdue_at: null, drill_overdue_at: now.toISOString() });
  await drilled(now);
  expect(await watched(14 * days + 2)).toHaveLength(2);
  expect(await needs()).toEqual([]);
});

test('a schedule that nobody kept for two weeks is forgotten, and one after it begins anew', async () => {
  await scheduled();
  await watchBackups(test_app.db, after(3 * days));
  now = after(15 * days);
  expect([(await inquire()).schedule, await needs()]).toEqual([null, []]);
  await scheduled();
  await watchBackups(test_app.db, now);
  expect((await inquire()).schedule).toMatchObject({ backup_overdue_at: null });
});

test('backups without the master key are told of until an administrator says that he keeps it, which the log notes', async () => {
  await scheduled(true);
  expect([await needs(), await needs(customer)]).toEqual([['backup_keyless'], []]);
  expect((await test_app.call(customer, 'backup', 'keep_key', {})).status).toBe(403);
  expect((await test_app.call(admin, 'backup', 'keep_key', {})).body).toEqual({ affected: 1 });
  expect((await test_app.call(admin, 'backup', 'keep_key', {})).body).toEqual({ affected: 0 });
  await scheduled(true);
  expect(await needs()).toEqual([]);
  const { rows } = await test_app.db.execute(sql`SELECT user_id::int FROM log WHERE type = 'backup/keep_key'`);
  expect(rows).toEqual([{ user_id: admin.id }]);
  await scheduled(false);
  await scheduled(true);
  expect(await needs()).toEqual(['backup_keyless']);
});

test('only administrators see backups', async () => {
  expect((await test_app.send(customer, 'backup/inquire', {})).status).toBe(403);
});
