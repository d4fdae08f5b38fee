import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { tryLock, writeState } from '../kit/data-folder-lock.ts';
import { clusterFolder } from '../kit/postgres/postgres-cluster.ts';
import { clearPredecessor } from '../kit/postgres/postgres-process.ts';
import { withDatabase } from '../kit/postgres/with-database.ts';
import { createEmptyDatabase } from '../kit/testing/database.ts';
import { dumpPrograms } from '../kit/testing/dump-programs.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { makeArchive, makeForeignArchive, run } from './testing/releases.ts';

/** Each step starts a database, and copies one. */
const timeout = 300_000;
const first = '1.0.0';
const second = '1.1.0';
const sleep = 'SELECT pg_sleep(0.4);';

let shared: string;
let original: string;
let archives: Record<'first' | 'second' | 'failing' | 'alike' | 'foreign', string>;
let home: string;
let copies = 0;
const dataDir = () => join(home, 'data');

const program = (path: string) => join(home, 'program/src/server', path);
const upgradeBy = (archive: string, killAt?: RegExp, after?: number) =>
  run(home, [program('upgrade/upgrade.main.ts'), archive], killAt, after);
const goBack = (killAt?: RegExp) => run(home, [program('upgrade/upgrade.main.ts'), '--back'], killAt);
/** What a start does before its parts: the same refusals, the same database. */
const prepare = () => run(home, [program('main.ts'), '--prepare']);
const current = () => readlinkSync(join(home, 'program')).replace('releases/', '');
const filesIn = (folder: string) => readdirSync(join(home, folder)).sort();
const releases = () => filesIn('releases').filter((name) => /^\d/.test(name));

const ask = <Row extends object>(text: string, folder = dataDir()): Promise<Row[]> =>
  withDatabase({ dataDir: folder, databaseUrl: undefined }, async (connectionString) => {
    const client = new Client({ connectionString });
    await client.connect();
    return (await client.query<Row>(text).finally(() => client.end())).rows;
  });
const notes = async () => (await ask<{ text: string }>('SELECT text FROM note ORDER BY text')).map(({ text }) => text);
const steps = async () =>
  (await ask<{ name: string }>(`SELECT name FROM migration WHERE name >= '9000' ORDER BY name`)).map(({ name }) => name);

beforeAll(async () => {
  shared = makeTestFolder();
  const table = {
    '9001-things': `CREATE TABLE thing (id integer PRIMARY KEY); ${sleep}`,
    '9002-more': `CREATE TABLE more_things (id integer); ${sleep}`,
  };
  archives = {
    first: await makeArchive(shared, first),
    second: await makeArchive(shared, second, { migrations: table }),
    failing: await makeArchive(shared, '1.2.0', { migrations: { ...table, '9003-wrong': 'CREATE TABLE thing (id integer);' } }),
    alike: await makeArchive(shared, '1.0.1'),
    foreign: await makeForeignArchive(shared),
  };
  execFileSync('tar', ['-xzf', archives.first, '-C', shared]);
  original = join(shared, 'livecode');
  home = original;
  expect(await prepare()).toMatchObject({ code: 0 });
  writeState(dataDir(), { pid: undefined, completed: true, stopping: false, children: [] });
  await ask(`CREATE TABLE note (text text); INSERT INTO note VALUES ('before')`);
  mkdirSync(join(dataDir(), 'uploads'));
  writeFileSync(join(dataDir(), 'uploads/a.png'), 'picture');
  mkdirSync(join(dataDir(), 'test-network'));
  writeFileSync(join(dataDir(), 'test-network/chain'), 'blocks');
}, timeout);
beforeEach(() => {
  copies += 1;
  home = join(shared, `home${copies}`);
  execFileSync('cp', ['-a', original, home]);
});
afterEach(async () => {
  const cluster = clusterFolder(dataDir());
  if (existsSync(cluster)) await clearPredecessor(cluster, cluster, () => {});
  rmSync(home, { recursive: true, force: true });
});
afterAll(() => rmSync(shared, { recursive: true, force: true }));

test('an upgrade that is killed at every step keeps everything, and is brought to its end by the same command', { timeout }, async () => {
  const kills: [RegExp, number][] = [
    [/Unpacking/, 100],
    [/lies beside/, 0],
    [/Backing up/, 0],
  ];
  for (const [line, after] of kills) {
    const { code, said } = await upgradeBy(archives.second, line, after);
    expect(code, `${line}: ${said}`).toBeNull();
    expect(current()).toBe(first);
  }
  expect(await upgradeBy(archives.second, /Written in/)).toMatchObject({ code: null });
  // This kill comes too late to stop the change of releases where the disk is quick.
  if (current() === first) {
    // What runs meanwhile is the release before, with all of its data.
    expect(await prepare()).toMatchObject({ code: 0 });
    expect(await upgradeBy(archives.second, /From now on/)).toMatchObject({ code: null });
  }
  const { code } = await upgradeBy(archives.second, /prepares the database/, 300);
  expect(current()).toBe(second);
  // On a quick machine the kill comes when all is done.
  expect(code === 0 || (await upgradeBy(archives.second)).code === 0, 'the last one').toBe(true);

  expect(await steps()).toEqual(['9001-things', '9002-more']);
  expect(await notes()).toEqual(['before']);
  expect(readFileSync(join(dataDir(), 'uploads/a.png'), 'utf8')).toBe('picture');
  expect(releases()).toEqual([first, second]);
  // The kill after `Written in` may have left one more, which is whole.
  expect(filesIn('backups').filter((name) => !/^before-1\.1\.0-.*\.tar\.zst$/.test(name))).toEqual([]);
  expect(filesIn('backups').length).toBeOneOf([1, 2]);
  const again = await upgradeBy(archives.second);
  expect(again).toMatchObject({ code: 1, said: expect.stringContaining('1.1.0 is what this installation runs already.') });
});

test('after a kill on the way a start ends the upgrade as well', { timeout }, async () => {
  expect(await upgradeBy(archives.second, /From now on/, 200)).toMatchObject({ code: null });
  expect(current()).toBe(second);
  expect(await prepare()).toMatchObject({ code: 0 });
  expect(await steps()).toEqual(['9001-things', '9002-more']);
  expect(await notes()).toEqual(['before']);
});

test('the way back brings release and data back, killed at every step, and keeps what was recorded since', { timeout }, async () => {
  expect(await upgradeBy(archives.second)).toMatchObject({ code: 0 });
  await ask(`INSERT INTO note VALUES ('since')`);
  let kills = 0;
  for (const line of [/Restoring/, /The data of/, /The data is as it was/]) {
    const { code, said } = await goBack(line);
    // On a quick machine a kill comes when all is done, this one or the one before.
    if (code === 0 || said.includes('There is nothing to go back from')) break;
    expect(code, `${line}: ${said}`).toBeNull();
    kills += 1;
    // Without its data folder a start would make a new site.
    if (current() === second)
      expect(await prepare()).toMatchObject({ code: 1, said: expect.stringContaining('npm run upgrade -- --back ends it') });
  }
  expect(kills).toBeGreaterThan(0);
  const last = await goBack();
  // The last kill may have come too late to stop it.
  expect(last.code === 0 || last.said.includes('There is nothing to go back from'), last.said).toBe(true);
  expect(current()).toBe(first);
  expect(await prepare()).toMatchObject({ code: 0 });
  expect(await notes()).toEqual(['before']);
  expect(await steps()).toEqual([]);
  expect(readFileSync(join(dataDir(), 'test-network/chain'), 'utf8')).toBe('blocks');
  const [aside = '', ...others] = filesIn('.').filter((name) => name.startsWith('data.'));
  expect(others).toEqual([]);
  expect(await ask('SELECT FROM note', join(home, aside))).toHaveLength(2);
  // And forward again.
  expect(await upgradeBy(archives.second)).toMatchObject({ code: 0 });
  expect(await notes()).toEqual(['before']);
});

test('a release that changes no schema leaves the data alone, on the way back too', { timeout }, async () => {
  expect(await upgradeBy(archives.alike)).toMatchObject({ code: 0 });
  await ask(`INSERT INTO note VALUES ('since')`);
  expect(await goBack()).toMatchObject({ code: 0 });
  expect(current()).toBe(first);
  expect(await notes()).toEqual(['before', 'since']);
  expect(await goBack()).toMatchObject({ code: 1, said: expect.stringContaining('There is nothing to go back from: 1.0.0 is what runs.') });
});

test('a migration that fails leads back by itself', { timeout }, async () => {
  const failed = await upgradeBy(archives.failing);
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.said).toContain('Migration 9003-wrong failed');
  expect(failed.said).toContain('The upgrade to 1.2.0 failed; 1.0.0 and its data are as they were.');
  expect(current()).toBe(first);
  expect(await prepare()).toMatchObject({ code: 0 });
  expect(await notes()).toEqual(['before']);
});

test('what cannot be upgraded is refused in words, and nothing is changed', { timeout }, async () => {
  const refused = async (archive: string, words: string) => {
    const { code, said } = await upgradeBy(archive);
    expect(said).toContain(words);
    expect(code).toBe(1);
    expect(current()).toBe(first);
  };
  const damaged = join(home, 'damaged.tar.gz');
  execFileSync('cp', [archives.second, damaged]);
  truncateSync(damaged, 500_000);
  await refused(damaged, 'is damaged or cut short');
  writeFileSync(`${damaged}.sha256`, 'abc  damaged.tar.gz\n');
  await refused(damaged, 'is not what its checksum');
  await refused(archives.foreign, 'is for plan9-mips, and this machine is');
  await refused(join(home, 'package.json'), 'is damaged or cut short');
  await refused(join(home, 'none.tar.gz'), 'There is no file');
  expect(releases()).toEqual([first]);

  const release = tryLock(dataDir());
  await refused(archives.second, 'stop it, and run the same command again');
  release?.();
  expect(await upgradeBy(archives.second)).toMatchObject({ code: 0 });
  const older = await upgradeBy(archives.alike);
  expect(older).toMatchObject({ code: 1, said: expect.stringContaining('1.0.1 is older than 1.1.0') });
  rmSync(dataDir(), { recursive: true });
  expect(await upgradeBy(archives.failing)).toMatchObject({ code: 1, said: expect.stringContaining('There is no site in') });
});

test('an outside database is backed up and migrated, and what leads back is said; without pg_dump nothing is changed', {
  timeout,
}, async () => {
  const [source, target] = [await createEmptyDatabase(), await createEmptyDatabase()];
  onTestFinished(async () => {
    await source.drop();
    await target.drop();
  });
  rmSync(clusterFolder(dataDir()), { recursive: true });
  rmSync(join(dataDir(), 'database.id'));
  let url = source.url;
  const by = (args: string[]) => run(home, args, undefined, 0, { DATABASE_URL: url });
  const upgradeOutside = (archive: string) => by([program('upgrade/upgrade.main.ts'), archive]);
  const prepareOutside = () => by([program('main.ts'), '--prepare']);
  async function askOutside<Row extends object>(text: string): Promise<Row[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    return (await client.query<Row>(text).finally(() => client.end())).rows;
  }
  const stepsOutside = async () =>
    (await askOutside<{ name: string }>(`SELECT name FROM migration WHERE name >= '9000' ORDER BY name`)).map(({ name }) => name);
  expect(await prepareOutside()).toMatchObject({ code: 0 });
  await askOutside(`CREATE TABLE note (text text); INSERT INTO note VALUES ('before')`);

  const programs = await dumpPrograms(url);
  if (!programs.suffice) {
    const refused = await upgradeOutside(archives.second);
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining(`install postgresql-client-${programs.wanted}`) });
    expect([current(), await stepsOutside()]).toEqual([first, []]);
    expect(await prepareOutside()).toMatchObject({ code: 0 });
    return;
  }
  // What failed halfway has changed the database: that is said, and nothing else.
  const failed = await upgradeOutside(archives.failing);
  expect(failed.code).toBe(1);
  expect(failed.said).toContain('The upgrade to 1.2.0 failed, and has changed the database');
  expect(current()).toBe(first);
  const backup = /npm run restore -- (\S+)/.exec(failed.said)?.[1] ?? '';
  url = target.url;
  const filled = await by([program('backup/restore.main.ts'), backup, join(home, 'restored')]);
  expect(filled).toMatchObject({ code: 0 });
  expect(await askOutside('SELECT text FROM note')).toEqual([{ text: 'before' }]);

  rmSync(dataDir(), { recursive: true });
  execFileSync('mv', [join(home, 'restored'), dataDir()]);
  expect(await prepareOutside()).toMatchObject({ code: 0 });
  writeState(dataDir(), { pid: undefined, completed: true, stopping: false, children: [] });
  expect(await upgradeOutside(archives.second)).toMatchObject({ code: 0 });
  expect([current(), await stepsOutside()]).toEqual([second, ['9001-things', '9002-more']]);
  const back = await by([program('upgrade/upgrade.main.ts'), '--back']);
  expect(back).toMatchObject({ code: 0, said: expect.stringContaining('Create an empty one, put it into DATABASE_URL') });
  expect(current()).toBe(first);
});
