import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../kit/testing/database.ts';
import { dumpPrograms } from '../kit/testing/dump-programs.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { freePort } from '../kit/testing/ports.ts';
import { prepare } from '../visits/testing/crash.ts';
import { makeArchive, run, shown } from './testing/releases.ts';
import { measured, nothingLost, startVisitedSite } from './testing/visited-site.ts';

const timeout = 300_000;

let shared: string;
let archives: Record<'first' | 'second', string>;
let database: TestDatabase;
let names: string[];
let domainPort: number;
let endSite = async () => {};

/** A host of its own, with a data folder of its own. */
const homeOf = (host: string) => join(shared, host, 'livecode');
const current = (host: string) => readlinkSync(join(homeOf(host), 'program')).replace('releases/', '');
const settings = (role: string) => ({ DATABASE_URL: database.url, LIVECODE_ROLE: role, LIVECODE_MASTER_KEY: '0'.repeat(64) });

function install(host: string, archive: string): void {
  mkdirSync(join(shared, host));
  execFileSync('tar', ['-xzf', archive, '-C', join(shared, host)]);
}

async function ask<Row extends object>(text: string): Promise<Row[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return (await client.query<Row>(text).finally(() => client.end())).rows;
}

async function startHost(host: string, role: string) {
  const site = await startVisitedSite({
    home: homeOf(host),
    domainPort,
    names,
    onDatabase: (work) => work(database.url),
    env: settings(role),
  });
  endSite = site.end;
  return site;
}

beforeAll(async () => {
  shared = makeTestFolder();
  archives = {
    first: await makeArchive(shared, '1.0.0', { further: shown }),
    second: await makeArchive(shared, '1.1.0', { migrations: { '9001-things': 'CREATE TABLE thing (id integer);' }, further: shown }),
  };
}, timeout);
beforeEach(async () => {
  database = await createEmptyDatabase();
  domainPort = await freePort();
  names = await prepare(database.url, domainPort, measured);
});
afterEach(async () => {
  await endSite();
  await database.drop();
});
afterAll(() => rmSync(shared, { recursive: true, force: true }));

test('a host of redirects alone is upgraded after the office, without a refused visit, and back', { timeout }, async () => {
  install('redirect', archives.first);
  const site = await startHost('redirect', 'redirect');

  install('office', archives.second);
  const migrated = await run(
    homeOf('office'),
    [join(homeOf('office'), 'program/src/server/main.ts'), '--prepare'],
    undefined,
    0,
    settings('web'),
  );
  expect(migrated).toMatchObject({ code: 0 });
  expect((await site.upgrade(archives.second)).said).toContain('Livecode 1.1.0 runs.');
  await site.runs(2);
  expect(current('redirect')).toBe('1.1.0');

  expect((await site.upgrade('--back')).said).toContain('Livecode 1.0.0 runs.');
  await site.runs(3);
  expect(current('redirect')).toBe('1.0.0');
  // The database is the office's: nothing of it was backed up here, and nothing of it goes back.
  expect(readdirSync(homeOf('redirect'))).not.toContain('backups');
  expect(await ask(`SELECT FROM migration WHERE name = '9001-things'`)).toHaveLength(1);
  expect(await site.load.stop()).toMatchObject({ refused: 0, unavailable: 0 });
  expect(await site.compare()).toMatchObject(nothingLost);
});

test('a site on an outside database is upgraded while it answers; without pg_dump it goes on as it was', { timeout }, async () => {
  install('all', archives.first);
  const site = await startHost('all', 'all');
  const { suffice: isBackedUp, wanted: major } = await dumpPrograms(database.url);
  const { code, said } = await site.upgrade(archives.second);
  const [wanted, words] = isBackedUp
    ? ['1.1.0', 'Upgraded from 1.0.0 to 1.1.0, which starts by itself now.']
    : ['1.0.0', `install postgresql-client-${major}`];
  expect([code, said]).toEqual([isBackedUp ? 0 : 1, expect.stringContaining(words)]);
  await site.runs(isBackedUp ? 2 : 1);
  expect([current('all'), await site.isOpen()]).toEqual([wanted, true]);
  expect(await site.load.stop()).toMatchObject({ refused: 0, unavailable: 0 });
  expect(await site.compare()).toMatchObject(nothingLost);
});
