import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { startS3, testKeys } from '../uploads/testing/s3-server.ts';
import { backUpWhenDue, backupsToRemove } from './backup.jobs.ts';
import { openBucket } from './bucket.ts';

let test_app: TestApp;
let admin: TestUser;
let folder: string;
let told: Set<number>;
let s3: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  s3 = await startS3();
  vi.stubEnv('AWS_ACCESS_KEY_ID', testKeys.access_key_id);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', testKeys.access_key_secret);
  test_app = await createTestApp();
  admin = await test_app.makeUser('administrator');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.close();
  await test_app.close();
});
beforeEach(() => {
  folder = makeTestFolder();
  told = new Set();
});

const nameOf = (at: Date) => `livecode-${at.toISOString().replace(/[-:]|\.\d+/g, '')}.tar.zst`;
/** 04:00 in Shanghai is 20:00 of the day before. */
const night = new Date('2026-05-10T20:00:00Z');
const after = (hours: number) => new Date(night.getTime() + hours * 3_600_000);
const site = { time_zone: 'Asia/Shanghai' } as const;
const scheduled = { hours: 24, keep: 3, weeks: 0 };
const made = (name: string) => ({ name, bytes: 1, sha256: '00', encrypted: false, holds_key: false });
const writing = (nameNow: () => string) => async (into: string) => {
  const name = nameNow();
  writeFileSync(join(into, name), '');
  return made(name);
};
const never = async () => made('none');
const nightly = (now: Date, make: (into: string) => Promise<ReturnType<typeof made>> = writing(() => nameOf(now))) =>
  backUpWhenDue(test_app.db, { ...scheduled, place: folder, make }, { now, ...site }, told);
const messages = async () => (await test_app.call(admin, 'message_list', 'inquire', {})).body.content;

test('a backup is made once a night, made up for in the day, and so many are kept', async () => {
  writeFileSync(join(folder, 'livecode-by-hand.tar.zst'), '');
  expect(await nightly(after(0.5))).toBe(true);
  expect(await nightly(after(1.5))).toBe(false);
  expect(await nightly(after(23.5))).toBe(false);
  for (const day of [1, 2, 3]) expect(await nightly(after(day * 24 + 5))).toBe(true);
  const kept = [29, 53, 77].map((hours) => nameOf(after(hours)));
  expect(readdirSync(folder).toSorted()).toEqual([...kept, 'livecode-by-hand.tar.zst'].toSorted());
});

test('encrypted ones are counted among the others', async () => {
  for (const day of [0, 1, 2, 3]) {
    const at = after(day * 24 + 1);
    const make = writing(() => `${nameOf(at)}${day % 2 ? '.age' : ''}`);
    expect(await nightly(at, make)).toBe(true);
    expect(await nightly(after(day * 24 + 2))).toBe(false);
  }
  const kept = [`${nameOf(after(25))}.age`, nameOf(after(49)), `${nameOf(after(73))}.age`];
  expect(readdirSync(folder).toSorted()).toEqual(kept.toSorted());
});

test('what fails is told to administrators once a night, removes nothing, and is tried again', async () => {
  for (const day of [0, 1, 2]) await nightly(after(day * 24 + 1));
  const before = readdirSync(folder);
  const fail = async () => {
    throw new Error('no space left on device');
  };
  for (const hours of [73, 74]) await expect(nightly(after(hours), fail)).rejects.toThrow('no space');
  expect(readdirSync(folder)).toEqual(before);
  expect((await messages()).filter(({ title }) => title === '备份失败')).toMatchObject([
    { content: expect.stringContaining('no space left on device') },
  ]);
  await expect(nightly(after(97), fail)).rejects.toThrow('no space');
  expect((await messages()).filter(({ title }) => title === '备份失败')).toHaveLength(2);
  expect(await nightly(after(98))).toBe(true);
  const { rows } = await test_app.db.execute(sql`SELECT file_name, outcome, message FROM backup_run ORDER BY id DESC LIMIT 2`);
  expect(rows).toEqual([
    { file_name: nameOf(after(98)), outcome: 'good', message: '' },
    { file_name: '', outcome: 'failed', message: 'no space left on device' },
  ]);
});

test('a folder that is gone is told of, too', async () => {
  const gone = join(folder, 'gone');
  const run = backUpWhenDue(test_app.db, { ...scheduled, place: gone, make: never }, { now: after(200), ...site }, told);
  await expect(run).rejects.toThrow('ENOENT');
  expect((await messages())[0]).toMatchObject({ title: '备份失败', content: expect.stringContaining(gone) });
});

test('several a day are made where that is wished for, each once', async () => {
  const names: string[] = [];
  const make = writing(() => names[names.push(nameOf(current)) - 1] ?? '');
  let current = night;
  for (let hour = 0.5; hour < 24; hour += 1) {
    current = after(hour);
    await backUpWhenDue(test_app.db, { ...scheduled, hours: 6, place: folder, make }, { now: current, ...site }, told);
  }
  expect(names).toEqual([0.5, 6.5, 12.5, 18.5].map((hour) => nameOf(after(hour))));
});

test('the newest of each week stay besides, and what a killed backup left goes after a day', () => {
  const now = after(0);
  const found = Array.from({ length: 40 }, (_, days) => ({ name: `day ${days}`, at: after(-24 * days).getTime(), isPart: false }));
  const parts = [1, 30].map((hours) => ({ name: `part ${hours}`, at: after(-hours).getTime(), isPart: true }));
  const removed = new Set(backupsToRemove([...parts, ...found], { keep: 3, weeks: 4 }, now));
  const kept = found.filter(({ name }) => !removed.has(name)).map(({ name }) => name);
  // The night of 10 May 2026 is a Sunday in UTC: a week ends with it.
  expect(kept).toEqual(['day 0', 'day 1', 'day 2', 'day 7', 'day 14', 'day 21']);
  expect([...removed].filter((name) => name.startsWith('part'))).toEqual(['part 30']);
});

const address = () => `s3://pictures/nightly?endpoint=${s3.endpoint}&path_style=1`;

test('backups are kept and removed in a bucket as in a folder', async () => {
  const bucket = openBucket(address());
  const make = async () => {
    const target = bucket.openTarget(nameOf(current));
    await target.write(Buffer.from('a backup'));
    await target.finish(new AbortController().signal);
    return made(nameOf(current));
  };
  let current = night;
  for (const day of [0, 1, 2, 3, 4]) {
    current = after(day * 24 + 1);
    expect(await backUpWhenDue(test_app.db, { ...scheduled, place: address(), make }, { now: current, ...site }, told)).toBe(true);
  }
  expect(await bucket.list()).toEqual([49, 73, 97].map((hours) => nameOf(after(hours))));
  bucket.close();
});

test('an archive of many parts comes back out of a bucket as it was, one that was given up is not there', async () => {
  const bucket = openBucket(address());
  const pieces = Array.from({ length: 36 }, () => randomBytes(2 ** 20));
  const target = bucket.openTarget('large.tar.zst');
  for (const piece of pieces) await target.write(piece);
  await target.finish(new AbortController().signal);
  const givenUp = bucket.openTarget('given-up.tar.zst');
  for (const piece of pieces) await givenUp.write(piece);
  await givenUp.discard();
  const path = await bucket.fetch('large.tar.zst', folder, new AbortController().signal);
  expect(Buffer.concat(pieces).equals(readFileSync(path))).toBe(true);
  expect(await bucket.list()).not.toContain('given-up.tar.zst');
  bucket.close();
});

test('a bucket that is not there is told of, without its keys', async () => {
  const place = address().replace('pictures', 'absent-bucket');
  const run = backUpWhenDue(test_app.db, { ...scheduled, place, make: never }, { now: after(500), ...site }, told);
  await expect(run).rejects.toThrow('bucket');
  const [newest] = await messages();
  expect(newest).toMatchObject({ title: '备份失败', content: expect.stringContaining('s3://absent-bucket/nightly') });
  expect(newest?.content).not.toContain(testKeys.access_key_secret);
});
