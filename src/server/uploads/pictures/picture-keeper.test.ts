import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pictureCacheFolder, wantedPicturesFolder } from '../../kit/rows/picture-files.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { servePicture } from '../../redirect/answers/pictures.ts';
import { loopback, startS3, testKeys } from '../testing/s3-server.ts';
import { uploadPicture } from '../testing/upload.ts';
import { startPictureKeeper } from './picture-keeper.public.ts';

let test_app: TestApp;
let admin: TestUser;
let customer: TestUser;
let s3: Awaited<ReturnType<typeof startS3>>;
let keeper: ReturnType<typeof startPictureKeeper>;
let visitPath: string;
let close: () => Promise<unknown>;

beforeAll(async () => {
  [test_app, s3] = await Promise.all([createTestApp({ allowedNetworks: loopback }), startS3()]);
  [admin, customer] = await Promise.all([test_app.makeUser('administrator'), test_app.makeUser('customer')]);
  const { dataDir, url } = test_app;
  keeper = startPictureKeeper({
    databaseUrl: url,
    dataDir,
    allowedNetworks: loopback,
    log: pino({ level: 'silent' }),
    checkMilliseconds: 50,
  });
  const server = createServer((request, response) => void servePicture(request, response, dataDir));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  visitPath = `http://127.0.0.1:${(server.address() as AddressInfo).port}/~file/`;
  close = () => new Promise((resolve) => server.close(resolve));
});
afterAll(async () => {
  await close();
  await keeper.stop();
  await test_app.close();
  await s3.close();
});

const storage = () => ({
  ...{ name: 'bucket', upload_type: 's3', endpoint: s3.endpoint, region: 'us-east-1', bucket: 'pictures', path_style: true },
  ...testKeys,
});
const askFor = async (name: string) => {
  const answer = await fetch(visitPath + name);
  return { status: answer.status, cached: answer.headers.get('cache-control'), size: (await answer.arrayBuffer()).byteLength };
};
const forget = async (name: string) => rm(`${pictureCacheFolder(test_app.dataDir)}/${name}`, { force: true });

test('without another storage nobody is asked, and a missing picture is missing at once', async () => {
  // Left from a time when there was one.
  await mkdir(wantedPicturesFolder(test_app.dataDir), { recursive: true });
  await expect.poll(() => existsSync(wantedPicturesFolder(test_app.dataDir))).toBe(false);
  expect(await askFor(`${'ab'.repeat(16)}.png`)).toEqual({ status: 404, cached: 'no-store', size: 0 });
  expect(existsSync(wantedPicturesFolder(test_app.dataDir))).toBe(false);
});

test('a picture of a bucket is on the visit path at once after its upload, and comes back when this machine lost it', async () => {
  const { body } = await test_app.send(admin, 'image_config/add', storage());
  await test_app.send(admin, 'image_config/choose', { id: body.id });
  const { url, size } = (await uploadPicture(test_app, customer)).body;
  const name = url.slice('/file/'.length);
  expect(await askFor(name)).toMatchObject({ status: 200, size });
  await expect.poll(() => existsSync(wantedPicturesFolder(test_app.dataDir))).toBe(true);
  await forget(name);
  const answers = await Promise.all(Array.from({ length: 30 }, () => askFor(name)));
  expect(new Set(answers.map(({ status, size: received }) => `${status} ${received}`))).toEqual(new Set([`200 ${size}`]));
});

test('strangers who ask for pictures that do not exist are told so, and leave nothing behind', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `${index.toString(16).padStart(32, '0')}.png`);
  const answers = await Promise.all(names.map(askFor));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  await expect.poll(() => readdir(wantedPicturesFolder(test_app.dataDir))).toEqual([]);
});

test('a picture whose storage is away is missing, for as long as it is away', async () => {
  const { url, size } = (await uploadPicture(test_app, customer)).body;
  const name = url.slice('/file/'.length);
  await forget(name);
  const pointAt = (endpoint: string) =>
    test_app.db.execute(sql`UPDATE image_config SET endpoint = ${endpoint}, updated_at = clock_timestamp() WHERE upload_type = 's3'`);
  await pointAt('http://127.0.0.1:1');
  expect(await askFor(name)).toEqual({ status: 404, cached: 'no-store', size: 0 });
  await pointAt(s3.endpoint);
  expect(await askFor(name)).toMatchObject({ status: 200, size });
});
