import { readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { guardNetwork } from '../../kit/network/guarded-network.ts';
import { pictureCacheFolder } from '../../kit/rows/picture-files.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { createVault, readMasterKey } from '../../kit/vault.ts';
import { uploadsFolder } from '../../kit/visits/visit-paths.ts';
import { createRemotePictures } from '../pictures/remote-pictures.ts';
import { loopback, startRaw, startS3, testKeys } from '../testing/s3-server.ts';
import { drawnPicture, uploadPicture } from '../testing/upload.ts';
import { removeDueObjects } from '../uploads.jobs.ts';
import type { Storage } from './bucket.ts';
import { openS3 } from './s3.ts';
import { createStorages, type Storages } from './storage.ts';

const log = pino({ level: 'silent' });
let test_app: TestApp;
let admin: TestUser;
let customer: TestUser;
let s3: Awaited<ReturnType<typeof startS3>>;
let bucket: Storage;
let storages: Storages;

beforeAll(async () => {
  [test_app, s3] = await Promise.all([createTestApp({ allowedNetworks: loopback }), startS3()]);
  [admin, customer] = await Promise.all([test_app.makeUser('administrator'), test_app.makeUser('customer')]);
  const network = guardNetwork(loopback);
  const place = { upload_type: 's3', endpoint: s3.endpoint, region: 'us-east-1', bucket: 'pictures', path_style: true } as const;
  bucket = openS3({ ...place, ...testKeys }, { network, agents: network.agents() });
  storages = createStorages({ dataDir: test_app.dataDir, vault: createVault(readMasterKey(test_app.dataDir)), network });
});
afterAll(async () => {
  await test_app.close();
  await s3.close();
});
afterEach(() => test_app.call(admin, 'image_config', 'choose', { id: 1 }));

let number = 0;
async function addStorage(given: Record<string, unknown> = {}): Promise<number> {
  number += 1;
  const input = {
    name: `storage ${number}`,
    upload_type: 's3',
    endpoint: s3.endpoint,
    region: 'us-east-1',
    bucket: 'pictures',
    path_style: true,
  };
  const { status, body } = await test_app.send(admin, 'image_config/add', { ...input, ...testKeys, ...given });
  expect([status, body.code]).toEqual([200, undefined]);
  return Number(body.id);
}
const choose = (id: number) => test_app.call(admin, 'image_config', 'choose', { id });
async function chosen(given: Record<string, unknown> = {}): Promise<number> {
  const id = await addStorage(given);
  expect((await choose(id)).status).toBe(200);
  return id;
}
const forgetKept = () => rm(pictureCacheFolder(test_app.dataDir), { recursive: true, force: true });
const rowsOf = async (query: ReturnType<typeof sql>) => (await test_app.db.execute(query)).rows;
const nameOf = (url: string) => url.slice('/file/'.length);

describe('an upload to a bucket', () => {
  test('lies there re-encoded below the save path, not on the disk, and is served with its type', async () => {
    const storage_id = await chosen({ save_path: 'pictures/2026' });
    const trailing = Buffer.concat([drawnPicture(), Buffer.from('<script>hidden</script>')]);
    const { status, body } = await uploadPicture(test_app, customer, trailing);
    expect(status).toBe(200);
    const stored = await bucket.get(`pictures/2026/${nameOf(body.url)}`);
    expect(stored.length).toBe(body.size);
    expect(stored.includes('<script>')).toBe(false);
    expect(await readdir(uploadsFolder(test_app.dataDir))).not.toContain(nameOf(body.url));
    const [row] = await rowsOf(sql`SELECT storage_id, object_key FROM file WHERE id = ${body.id}`);
    expect(row).toEqual({ storage_id, object_key: `pictures/2026/${nameOf(body.url)}` });
    const served = await test_app.app.inject({ url: body.url });
    expect([served.statusCode, served.headers['content-type'], served.headers['x-content-type-options']]).toEqual([
      200,
      'image/png',
      'nosniff',
    ]);
    expect(served.rawPayload.equals(stored)).toBe(true);
    expect(await rowsOf(sql`SELECT 1 FROM storage_removal`)).toEqual([]);
  });

  test('is read from its bucket again when this machine has not kept it, once for all who ask', async () => {
    await chosen();
    const { body } = await uploadPicture(test_app, customer);
    await forgetKept();
    const answers = await Promise.all(Array.from({ length: 20 }, () => test_app.app.inject({ url: body.url })));
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.rawPayload.length}`))).toEqual(new Set([`200 ${body.size}`]));
    expect(await readdir(pictureCacheFolder(test_app.dataDir))).toContain(nameOf(body.url));
  });

  test('the same picture sent many times at once makes as many objects', { tags: 'full' }, async () => {
    await chosen();
    const bytes = drawnPicture();
    const people = await Promise.all([1, 2, 3].map(() => test_app.makeUser('customer')));
    const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => uploadPicture(test_app, people[at % 3] ?? customer, bytes)));
    const names = new Set(answers.map(({ body }) => nameOf(body.url)));
    expect(names.size).toBe(12);
    for (const name of names) expect((await bucket.get(name)).length).toBeGreaterThan(0);
  });

  test('over the limit is refused in the words of the specification, and nothing is written', async () => {
    await chosen();
    const before = await rowsOf(sql`SELECT count(*) FROM file`);
    const { status, body } = await uploadPicture(test_app, customer, Buffer.alloc(6_000_000, 1));
    expect([status, body.code]).toEqual([413, 'upload.limit_exceeded']);
    expect(await rowsOf(sql`SELECT count(*) FROM file`)).toEqual(before);
  });
});

test('a switch leaves old pictures where they are, and each is read from its own storage', async () => {
  const onDisk = (await uploadPicture(test_app, customer)).body;
  const first = await chosen({ save_path: 'first' });
  const inFirst = (await uploadPicture(test_app, customer)).body;
  await chosen({ save_path: 'second' });
  const inSecond = (await uploadPicture(test_app, customer)).body;
  // What is written later goes elsewhere; what was written is found by the key of its time.
  await test_app.call(admin, 'image_config', 'update', { id: first, save_path: 'moved' });
  await forgetKept();
  for (const { url, size } of [onDisk, inFirst, inSecond]) {
    const served = await test_app.app.inject({ url });
    expect([served.statusCode, served.rawPayload.length]).toEqual([200, size]);
  }
  expect(await readdir(uploadsFolder(test_app.dataDir))).toContain(nameOf(onDisk.url));
});

describe('a storage that fails', () => {
  test.each([
    ['wrong keys', { access_key_secret: 'wrong' }],
    ['no such bucket', { bucket: 'missing-bucket' }],
    ['nobody there', { endpoint: 'http://127.0.0.1:1' }],
  ])('%s: the upload is refused in words, and makes no file', async (_name, given) => {
    await chosen(given);
    const before = await rowsOf(sql`SELECT count(*) FROM file`);
    const { status, body } = await uploadPicture(test_app, customer);
    expect([status, body.code]).toEqual([502, 'upload.storage_failed']);
    expect(JSON.stringify(body)).not.toMatch(/wrong|S3RVER|127\.0\.0\.1/);
    expect(await rowsOf(sql`SELECT count(*) FROM file`)).toEqual(before);
    await test_app.db.execute(sql`DELETE FROM storage_removal`);
  });

  test('that dies while a picture is sent leaves nothing but an entry to clean up', async () => {
    const raw = await startRaw((request) => request.socket.destroy());
    await chosen({ endpoint: raw.endpoint });
    expect((await uploadPicture(test_app, customer)).status).toBe(502);
    expect(await rowsOf(sql`SELECT due_at <= now() AS is_due FROM storage_removal`)).toEqual([{ is_due: true }]);
    // It is away: tried again later, not at once.
    expect(await removeDueObjects(test_app.db, storages, log)).toBe(0);
    expect(await rowsOf(sql`SELECT due_at > now() AS waits, attempts FROM storage_removal`)).toEqual([{ waits: true, attempts: 1 }]);
    await raw.close();
    await test_app.db.execute(sql`DELETE FROM storage_removal`);
  });

  test('while a picture is read answers 502, which nobody keeps', async () => {
    const id = await chosen();
    const { body } = await uploadPicture(test_app, customer);
    await forgetKept();
    await test_app.call(admin, 'image_config', 'update', { id, access_key_secret: 'wrong' });
    const served = await test_app.app.inject({ url: body.url });
    expect([served.statusCode, served.headers['cache-control']]).toEqual([502, 'no-store']);
    await test_app.call(admin, 'image_config', 'update', { id, access_key_secret: testKeys.access_key_secret });
    expect((await test_app.app.inject({ url: body.url })).statusCode).toBe(200);
  });
});

test('of pictures that lie elsewhere only so many are kept here, the newest of them', async () => {
  const dataDir = makeTestFolder();
  const pictures = createRemotePictures({ db: test_app.db, dataDir, storages, log, maxBytes: 10_000 });
  const names = Array.from({ length: 40 }, (_, index) => `${String(index).padStart(32, '0')}.png`);
  for (const [index, name] of names.entries()) {
    await pictures.keep(name, Buffer.alloc(1000));
    const at = new Date(Date.now() - 100_000 + index * 1000);
    await utimes(join(pictureCacheFolder(dataDir), name), at, at);
  }
  const kept = await readdir(pictureCacheFolder(dataDir));
  expect(kept.length).toBeGreaterThanOrEqual(8);
  expect(kept.length).toBeLessThanOrEqual(11);
  expect(kept.sort()).toEqual(names.slice(-kept.length));
  await rm(dataDir, { recursive: true });
});

describe('objects without a file', () => {
  test('go when the transaction that makes the file fails', async () => {
    await chosen({ save_path: 'orphans' });
    await test_app.db.execute(sql`ALTER TABLE file ADD CONSTRAINT no_more CHECK (object_key NOT LIKE 'orphans/%')`);
    expect((await uploadPicture(test_app, customer)).status).toBeGreaterThanOrEqual(400);
    await test_app.db.execute(sql`ALTER TABLE file DROP CONSTRAINT no_more`);
    const [entry] = await rowsOf(sql`SELECT object_key FROM storage_removal`);
    const key = String(entry?.object_key);
    expect((await bucket.get(key)).length).toBeGreaterThan(0);
    // Not yet: the upload could still be under way.
    expect(await removeDueObjects(test_app.db, storages, log)).toBe(0);
    await test_app.db.execute(sql`UPDATE storage_removal SET due_at = now()`);
    expect(await removeDueObjects(test_app.db, storages, log)).toBe(1);
    await expect(bucket.get(key)).rejects.toThrow();
    expect(await rowsOf(sql`SELECT 1 FROM storage_removal`)).toEqual([]);
  });

  test('are taken by one of several cleaners, from the disk too', async () => {
    const { body } = await uploadPicture(test_app, customer);
    await test_app.db.execute(sql`DELETE FROM file WHERE id = ${body.id}`);
    await test_app.db.execute(sql`INSERT INTO storage_removal (storage_id, object_key, due_at) VALUES (1, ${nameOf(body.url)}, now())`);
    const removed = await Promise.all([1, 2, 3].map(() => removeDueObjects(test_app.db, storages, log)));
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect((await test_app.app.inject({ url: body.url })).statusCode).toBe(404);
  });

  test('an upload that the cleaner took for lost makes no file', async () => {
    const raw = await startRaw(async (request, response) => {
      await test_app.db.execute(sql`UPDATE storage_removal SET attempts = 1`);
      request.resume().on('end', () => response.end());
    });
    await chosen({ endpoint: raw.endpoint });
    expect((await uploadPicture(test_app, customer)).status).toBe(503);
    await raw.close();
    await test_app.db.execute(sql`DELETE FROM storage_removal`);
  });
});
