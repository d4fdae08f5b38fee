import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeState } from '../kit/data-folder-lock.ts';
import { clusterFolder } from '../kit/postgres/postgres-cluster.ts';
import { clearPredecessor } from '../kit/postgres/postgres-process.ts';
import { withDatabase } from '../kit/postgres/with-database.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { ask } from '../redirect/testing/process.ts';
import { ownFolder } from './installation.ts';
import { makeArchive, run, shown } from './testing/releases.ts';
import { startInstallation } from './testing/site.ts';

/** What 0.1.0 was made of. */
const commit = '1f569e10edb1cdb1e06df4e6a240906e1ff20dd0';
const git = (...args: string[]) => spawnSync('git', args, { cwd: ownFolder, maxBuffer: 1e9 });
const hasHistory = git('cat-file', '-e', `${commit}^{commit}`).status === 0;

let shared: string;
let home: string;
beforeEach(() => {
  shared = makeTestFolder();
  home = join(shared, 'livecode');
});
afterEach(async () => {
  const cluster = clusterFolder(dataDir());
  if (existsSync(cluster)) await clearPredecessor(cluster, cluster, () => {});
  rmSync(shared, { recursive: true, force: true });
});

const dataDir = () => join(home, 'data');
const program = (path: string) => join(home, 'program/src/server', path);
const current = () => readlinkSync(join(home, 'program')).replace('releases/', '');
/** Of a site that was made with the usual port for visits. */
const firstEntryDomain = 'localhost:3001';
const demo = { LIVECODE_DEMO: '1' };
const timeout = 600_000;

type Columns = Map<string, string[]>;
type Rows = Map<string, string[]>;

/** What says how the database was prepared. */
const ofPreparation = ['migration'];

async function onDatabase<T>(work: (client: Client) => Promise<T>): Promise<T> {
  return withDatabase({ dataDir: dataDir(), databaseUrl: undefined }, async (connectionString) => {
    const client = new Client({ connectionString });
    await client.connect();
    return work(client).finally(() => client.end());
  });
}

async function readColumns(client: Client): Promise<Columns> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT table_name AS name, array_agg(column_name::text ORDER BY ordinal_position) AS columns
      FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' GROUP BY table_name ORDER BY table_name`,
  );
  return new Map(rows.filter(({ name }) => !ofPreparation.includes(name)).map(({ name, columns }) => [name, columns]));
}

/** Every row of every table, as a hash of those columns. */
async function readRows(client: Client, columns: Columns): Promise<Rows> {
  const found: Rows = new Map();
  for (const [table, names] of columns) {
    const list = names.map((name) => `"${name}"`).join(', ');
    const { rows } = await client.query<{ hash: string }>(`SELECT md5(ROW(${list})::text) AS hash FROM ONLY "${table}"`);
    found.set(
      table,
      rows.map(({ hash }) => hash),
    );
  }
  return found;
}

/** How many rows of a table are not there any more as they were, for each where there are any. */
function missing(before: Rows, after: Rows): Record<string, number> {
  const lost: Record<string, number> = {};
  for (const [table, hashes] of before) {
    const there = new Map<string, number>();
    for (const hash of after.get(table) ?? []) there.set(hash, (there.get(hash) ?? 0) + 1);
    for (const hash of hashes) {
      const left = there.get(hash) ?? 0;
      if (left === 0) lost[table] = (lost[table] ?? 0) + 1;
      else there.set(hash, left - 1);
    }
  }
  return lost;
}

const digest = (rows: Rows) =>
  Object.fromEntries([...rows].map(([table, hashes]) => [table, createHash('sha256').update(hashes.sort().join()).digest('hex')]));

/** Whether the office is ready, and what a visit to a code of the demo data gets. */
async function startAndVisit(fileName: string): Promise<{ isReady: boolean; status: number }> {
  const site = await startInstallation(home);
  try {
    const { status } = await ask(site.visits, `/${fileName}`, { host: firstEntryDomain });
    return { isReady: await site.isOpen(), status };
  } finally {
    await site.stop();
  }
}

/** A site of 0.1.0 with demo data and a picture, and the archive of this state. */
async function makeSite() {
  const sources = join(shared, 'sources');
  mkdirSync(sources);
  execFileSync('tar', ['-x', '-C', sources], { input: git('archive', commit).stdout });
  const first = await makeArchive(shared, '0.1.0', { from: sources });
  const next = await makeArchive(shared, '0.2.0', { further: shown });
  execFileSync('tar', ['-xzf', first, '-C', shared]);
  expect(await run(home, [program('main.ts'), '--prepare'], undefined, 0, demo)).toMatchObject({ code: 0 });
  writeState(dataDir(), { pid: undefined, completed: true, stopping: false, children: [] });
  mkdirSync(join(dataDir(), 'uploads'), { recursive: true });
  writeFileSync(join(dataDir(), 'uploads/a.png'), 'picture');

  const { columns, before } = await onDatabase(async (client) => {
    const known = await readColumns(client);
    return { columns: known, before: await readRows(client, known) };
  });
  expect(before.get('live_code')?.length).toBeGreaterThan(10);
  const files = readFiles();
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['uploads/a.png', 'master.key']));
  return {
    next,
    before,
    files,
    rows: () => onDatabase((client) => readRows(client, columns)),
    /** Rules of every kind of event are given the kinds that came since. */
    changed: { push_rule: before.get('push_rule')?.length },
  };
}

/** Pictures, keys, exports, visits that wait and the chain of test money: what a site has beside its database, by path. */
function readFiles(): Record<string, string> {
  const hashed = (path: string) => [
    path,
    createHash('sha256')
      .update(readFileSync(join(dataDir(), path)))
      .digest('hex'),
  ];
  const paths = readdirSync(dataDir(), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^(uploads|exports|journal|test-network|master\.key)/.test(path),
  );
  return Object.fromEntries(paths.filter((path) => statSync(join(dataDir(), path)).isFile()).map(hashed));
}

const upgradeBy = (archive: string, killAt?: RegExp, after?: number) =>
  run(home, [program('upgrade/upgrade.main.ts'), archive], killAt, after);

const goBack = (killAt?: RegExp) => run(home, [program('upgrade/upgrade.main.ts'), '--back'], killAt);

test.skipIf(!hasHistory)(
  'a site of 0.1.0 keeps every row and file over an upgrade to this state, over the way back, and over the upgrade again',
  { timeout },
  async () => {
    const { next, before, files, rows, changed } = await makeSite();
    expect(await upgradeBy(next)).toMatchObject({ code: 0 });
    expect(current()).toBe('0.2.0');
    expect(missing(before, await rows())).toEqual(changed);
    expect(readFiles()).toEqual(files);

    expect(await goBack()).toMatchObject({ code: 0 });
    expect(current()).toBe('0.1.0');
    expect(await run(home, [program('main.ts'), '--prepare'])).toMatchObject({ code: 0 });
    expect(digest(await rows())).toEqual(digest(before));
    expect(readFiles()).toEqual(files);

    expect(await upgradeBy(next)).toMatchObject({ code: 0 });
    expect(missing(before, await rows())).toEqual(changed);
    const codes = await onDatabase((client) => client.query<{ file_name: string }>('SELECT file_name FROM live_code ORDER BY id LIMIT 1'));
    expect(await startAndVisit(codes.rows[0]?.file_name ?? '')).toEqual({ isReady: true, status: 200 });
  },
);

test.skipIf(!hasHistory)(
  'an upgrade of 0.1.0 that is killed at every step, and a way back that is, end by the same command with every row and file',
  { timeout },
  async () => {
    const { next, before, files, rows, changed } = await makeSite();
    const kills: [RegExp, number][] = [
      [/Unpacking/, 100],
      [/lies beside/, 0],
      [/Backing up/, 0],
      [/Written in/, 0],
      [/From now on/, 0],
      [/prepares the database/, 0],
      [/prepares the database/, 500],
    ];
    const killed: string[] = [];
    for (const [line, after] of kills) {
      const { code, said } = await upgradeBy(next, line, after);
      // On a quick machine the kills after the change of releases come when all is done.
      if (current() === '0.2.0' && (code === 0 || said.includes('runs already'))) break;
      expect(code, `${line}: ${said}`).toBeNull();
      killed.push(line.source);
    }
    expect(killed).toEqual(expect.arrayContaining(['Unpacking', 'lies beside', 'Backing up']));
    const ended = await upgradeBy(next);
    expect(ended.code === 0 || ended.said.includes('runs already'), ended.said).toBe(true);
    expect(current()).toBe('0.2.0');
    expect(missing(before, await rows())).toEqual(changed);
    expect(readFiles()).toEqual(files);

    for (const line of [/Restoring/, /The data of/, /The data is as it was/]) {
      const { code, said } = await goBack(line);
      if (code === 0 || said.includes('There is nothing to go back from')) break;
      expect(code, `${line}: ${said}`).toBeNull();
    }
    const back = await goBack();
    expect(back.code === 0 || back.said.includes('There is nothing to go back from'), back.said).toBe(true);
    expect(current()).toBe('0.1.0');
    expect(await run(home, [program('main.ts'), '--prepare'])).toMatchObject({ code: 0 });
    expect(digest(await rows())).toEqual(digest(before));
    expect(readFiles()).toEqual(files);
  },
);
