import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readState } from '../kit/data-folder-lock.ts';
import { clusterFolder } from '../kit/postgres/postgres-cluster.ts';
import { clearPredecessor } from '../kit/postgres/postgres-process.ts';
import { withDatabase } from '../kit/postgres/with-database.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { freePort } from '../kit/testing/ports.ts';
import { startBalancedLoad } from '../supervisor/testing/balanced-load.ts';
import { compare, prepare } from '../visits/testing/crash.ts';
import { makeArchive, run, shown } from './testing/releases.ts';

const timeout = 300_000;
const measured = { seconds: 600, codes: 20 };
const table = { '9001-things': 'CREATE TABLE thing (id integer PRIMARY KEY);' };

let shared: string;
let archives: Record<'first' | 'second' | 'failing', string>;
let names: string[];
let domainPort: number;
let home: string;
let copies = 0;
let endSite = async () => {};

const dataDir = () => join(home, 'data');
const upgradeProgram = () => join(home, 'program/src/server/upgrade/upgrade.main.ts');
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

/** Starts the installation as an operator does, and visitors who come all the time. */
async function startSite(rate = 200) {
  const [office, visits] = [await freePort(), await freePort()];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = {
    LIVECODE_PORT: String(office),
    LIVECODE_VISIT_PORT: String(visits),
    LIVECODE_REDIRECT_PROCESSES: '2',
    LIVECODE_TRUSTED_PROXIES: '127.0.0.1,::1',
    LIVECODE_TRON_PORT: '0',
  };
  const site = spawn(join(home, 'program/node_modules/.bin/node'), ['program/src/server/main.ts'], {
    cwd: home,
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [site.stdout, site.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = once(site, 'exit').then(([code]) => code);
  const starts = () => said.split('Livecode is running').length - 1;
  const runs = (times: number) => expect.poll(starts, { timeout: 120_000, message: said }).toBe(times);
  await runs(1);
  const load = startBalancedLoad({ ports: [visits], host: `localhost:${domainPort}`, names, rate });
  endSite = async () => {
    await load.stop();
    site.kill('SIGTERM');
    await ended;
  };
  await expect.poll(() => load.answered.length, { timeout: 15_000 }).toBeGreaterThan(rate);
  return {
    load,
    env,
    said: () => said,
    runs,
    isOpen: async () => (await fetch(`http://localhost:${office}/readyz`)).ok,
    /** What the database holds of the visits that were answered, once all of it is loaded and the site has stopped. */
    async stop() {
      const lost = () => onDatabase(async (url) => (await compare(url, load.answered, measured)).lost.length);
      await expect.poll(lost, { timeout: 60_000, interval: 500 }).toBe(0);
      site.kill('SIGTERM');
      expect(await ended).toBe(0);
      return onDatabase((url) => compare(url, load.answered, measured));
    },
  };
}

const nothingLost = { lost: [], inconsistent: [], miscounted: [] };

test('visits are answered throughout an upgrade of what runs, and none is lost', { timeout }, async () => {
  const site = await startSite();
  const predecessor = readState(dataDir())?.pid;
  const { code, said } = await run(home, [upgradeProgram(), archives.second], undefined, 0, site.env);
  expect([code, said]).toEqual([0, expect.stringContaining('Upgraded from 1.0.0 to 1.1.0, which starts by itself now.')]);
  expect(said).toContain('Livecode 1.1.0 runs.');
  await site.runs(2);
  expect([current(), await site.isOpen()]).toEqual(['1.1.0', true]);
  expect(readState(dataDir())?.pid).not.toBe(predecessor);

  const { answered, ...counts } = await site.load.stop();
  expect(counts).toMatchObject({ refused: 0, unavailable: 0 });
  expect(answered).toBeGreaterThan(400);
  expect(await site.stop()).toMatchObject(nothingLost);
});

test('an upgrade that fails starts the release before again, with every visit that was answered meanwhile', { timeout }, async () => {
  const site = await startSite();
  const { code, said } = await run(home, [upgradeProgram(), archives.failing], undefined, 0, site.env);
  expect([code, said]).toEqual([1, expect.stringContaining('The upgrade to 1.2.0 failed; 1.0.0 and its data are as they were.')]);
  await site.runs(2);
  expect([current(), await site.isOpen()]).toEqual(['1.0.0', true]);
  await site.load.stop();
  expect(await site.stop()).toMatchObject(nothingLost);
});

test('an upgrade that is killed on the way is ended by the site, which never stopped answering', { timeout }, async () => {
  const site = await startSite();
  for (const [line, release] of [
    [/Backing up/, '1.0.0'],
    [/prepares the database/, '1.1.0'],
  ] as const) {
    expect(await run(home, [upgradeProgram(), archives.second], line, 0, site.env)).toMatchObject({ code: null });
    await site.runs(release === '1.0.0' ? 2 : 3);
    expect([current(), await site.isOpen()]).toEqual([release, true]);
  }
  expect(await site.load.stop()).toMatchObject({ refused: 0, unavailable: 0 });
  expect(await site.stop()).toMatchObject(nothingLost);
});
