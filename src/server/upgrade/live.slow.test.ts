import { execFileSync } from 'node:child_process';
import { existsSync, readlinkSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readState } from '../kit/data-folder-lock.ts';
import { clusterFolder } from '../kit/postgres/postgres-cluster.ts';
import { clearPredecessor } from '../kit/postgres/postgres-process.ts';
import { withDatabase } from '../kit/postgres/with-database.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { freePort } from '../kit/testing/ports.ts';
import { ask } from '../redirect/testing/process.ts';
import { prepare } from '../visits/testing/crash.ts';
import { makeArchive, run, shown } from './testing/releases.ts';
import { startInstallation } from './testing/site.ts';
import { measured, nothingLost, startVisitedSite } from './testing/visited-site.ts';

const timeout = 300_000;
const table = { '9001-things': 'CREATE TABLE thing (id integer PRIMARY KEY);' };

let shared: string;
let archives: Record<'first' | 'second' | 'failing', string>;
let names: string[];
let domainPort: number;
let home: string;
let copies = 0;
let endSite = async () => {};

const dataDir = () => join(home, 'data');
const current = () => readlinkSync(join(home, 'program')).replace('releases/', '');
const onDatabase = <T>(work: (url: string) => Promise<T>) => withDatabase({ dataDir: dataDir(), databaseUrl: undefined }, work);

beforeAll(async () => {
  shared = makeTestFolder();
  archives = {
    first: await makeArchive(shared, '1.0.0', { further: shown }),
    second: await makeArchive(shared, '1.1.0', { migrations: table, further: shown }),
    failing: await makeArchive(shared, '1.2.0', {
      migrations: { ...table, '9002-wrong': 'CREATE TABLE thing (id integer);' },
      further: shown,
    }),
  };
  execFileSync('tar', ['-xzf', archives.first, '-C', shared]);
  home = join(shared, 'livecode');
  domainPort = await freePort();
  const env = { LIVECODE_VISIT_PORT: String(domainPort) };
  expect(await run(home, [join(home, 'program/src/server/main.ts'), '--prepare'], undefined, 0, env)).toMatchObject({ code: 0 });
  names = await onDatabase((url) => prepare(url, domainPort, measured));
}, timeout);
beforeEach(() => {
  copies += 1;
  home = join(shared, `home${copies}`);
  execFileSync('cp', ['-a', join(shared, 'livecode'), home]);
});
afterEach(async () => {
  await endSite();
  const cluster = clusterFolder(dataDir());
  if (existsSync(cluster)) await clearPredecessor(cluster, cluster, () => {});
  rmSync(home, { recursive: true, force: true });
});
afterAll(() => rmSync(shared, { recursive: true, force: true }));

async function startSite() {
  const site = await startVisitedSite({ home, domainPort, names: names.slice(0, -1), onDatabase });
  endSite = site.end;
  return site;
}

test('visits are answered throughout an upgrade of what runs, and none is lost', { timeout }, async () => {
  const site = await startSite();
  const predecessor = readState(dataDir())?.pid;
  const upgraded = site.upgrade(archives.second);
  await site.says('The data folder is lent to an upgrade');
  // Whichever process gets it: nobody asked for this code before.
  const asked = () => ask(site.visits, `/${names.at(-1)}`, { host: `localhost:${domainPort}` });
  const ids = (await Promise.all(Array.from({ length: 16 }, asked))).map(({ headers }) => String(headers['x-visit-id']));
  const { code, said } = await upgraded;
  expect([code, said]).toEqual([0, expect.stringContaining('Upgraded from 1.0.0 to 1.1.0, which starts by itself now.')]);
  expect(said).toContain('Livecode 1.1.0 runs.');
  await site.runs(2);
  expect([current(), await site.isOpen()]).toEqual(['1.1.0', true]);
  expect(readState(dataDir())?.pid).not.toBe(predecessor);

  const { answered, ...counts } = await site.load.stop();
  expect(counts).toMatchObject({ refused: 0, unavailable: 0 });
  expect(answered).toBeGreaterThan(400);
  expect(await site.compare([...site.load.answered, ...ids])).toMatchObject(nothingLost);
});

test('an upgrade that fails starts the release before again, with every visit that was answered meanwhile', { timeout }, async () => {
  const site = await startSite();
  const { code, said } = await site.upgrade(archives.failing);
  expect([code, said]).toEqual([1, expect.stringContaining('The upgrade to 1.2.0 failed; 1.0.0 and its data are as they were.')]);
  await site.runs(2);
  expect([current(), await site.isOpen()]).toEqual(['1.0.0', true]);
  await site.load.stop();
  expect(await site.compare()).toMatchObject(nothingLost);
});

test('an upgrade that is killed on the way is ended by the site, which never stopped answering', { timeout }, async () => {
  const site = await startSite();
  for (const [line, release] of [
    [/Backing up/, '1.0.0'],
    [/prepares the database/, '1.1.0'],
  ] as const) {
    expect(await site.upgrade(archives.second, line)).toMatchObject({ code: null });
    await site.runs(release === '1.0.0' ? 2 : 3);
    expect([current(), await site.isOpen()]).toEqual([release, true]);
  }
  expect(await site.load.stop()).toMatchObject({ refused: 0, unavailable: 0 });
  expect(await site.compare()).toMatchObject(nothingLost);
});

test('the way back of what runs takes visits again when the data is exchanged, and the next upgrade follows', { timeout }, async () => {
  const site = await startSite();
  const { answered } = site.load;
  const before = answered.slice();
  expect(await site.upgrade(archives.second)).toMatchObject({ code: 0 });
  await site.runs(2);
  const back = await site.upgrade('--back');
  expect([back.code, back.said]).toEqual([0, expect.stringContaining('Livecode 1.0.0 runs.')]);
  await site.runs(3);
  expect([current(), await site.isOpen()]).toEqual(['1.0.0', true]);
  const known = answered.length;
  expect((await site.upgrade(archives.second)).said).toContain('Livecode 1.1.0 runs.');
  await site.runs(4);
  expect([current(), await site.isOpen()]).toEqual(['1.1.0', true]);

  expect(await site.load.stop()).toMatchObject({ refused: 0, unavailable: 0 });
  // Those between are in the data that the way back has laid aside.
  expect(await site.compare([...before, ...answered.slice(known)])).toMatchObject({ lost: [], inconsistent: [] });
});

test('a stop ends what answers visits while its data folder is lent, and not the upgrade', { timeout }, async () => {
  const site = await startSite();
  const upgraded = site.upgrade(archives.second);
  await site.says('The data folder is lent to an upgrade');
  await site.load.stop();
  expect(await site.stop()).toBe(0);
  const { code, said } = await upgraded;
  expect([code, said]).toEqual([0, expect.stringContaining('Upgraded from 1.0.0 to 1.1.0: start Livecode again.')]);
  const next = await startInstallation(home);
  expect([current(), await next.isOpen()]).toEqual(['1.1.0', true]);
  expect(await next.stop()).toBe(0);
});

test('a release that does not come up is started again, while the one before answers visits', { timeout }, async () => {
  const site = await startSite();
  const upgraded = site.upgrade(archives.second);
  await site.says('The data folder is lent to an upgrade');
  const stranger = createServer();
  const take = () =>
    new Promise<boolean>((resolve) => stranger.once('error', () => resolve(false)).listen(site.office, () => resolve(true)));
  await expect.poll(take, { timeout: 30_000 }).toBe(true);
  await site.says('It did not start (code 1)');
  await new Promise((resolve) => stranger.close(resolve));
  expect((await upgraded).said).toContain('Livecode 1.1.0 runs.');
  await site.runs(2);
  expect(await site.load.stop()).toMatchObject({ refused: 0, unavailable: 0 });
  expect(await site.compare()).toMatchObject(nothingLost);
});

test('a release that is killed when it has taken a part of the visits is started again, and takes the rest', { timeout }, async () => {
  const site = await startSite();
  const predecessor = readState(dataDir())?.pid;
  const upgraded = site.upgrade(archives.second);
  const taking = () => {
    const { pid, children = [] } = readState(dataDir()) ?? {};
    return pid !== predecessor && children.some(({ name }) => name === 'redirect 0') ? pid : undefined;
  };
  await expect.poll(taking, { timeout: 120_000, interval: 5 }).toBeDefined();
  process.kill(taking() ?? 0, 'SIGKILL');
  await site.says('It did not start (code 137)');
  expect((await upgraded).said).toContain('Livecode 1.1.0 runs.');
  await site.runs(2);
  expect(await site.load.stop()).toMatchObject({ refused: 0, unavailable: 0 });
  expect(await site.compare()).toMatchObject(nothingLost);
});
