import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { test as base, expect } from '@playwright/test';
import pg from 'pg';
import QRCode from 'qrcode';
import { unknownEntries } from '../src/server/backup/backup.ts';
import { runningPostgres } from '../src/server/kit/postgres/postgres-address.ts';
import { makeTestFolder } from '../src/server/kit/testing/folder.ts';
import { segmentName } from '../src/server/kit/visits/journal/segment.ts';
import { createVisitIdReader } from '../src/server/kit/visits/visit-id.ts';
import { ask } from '../src/server/redirect/testing/process.ts';
import { inconsistencies } from '../src/server/visits/testing/consistency.ts';
import { type StartedProduct, startProduct } from './kit/product.ts';
import { userOf } from './kit/users.ts';
import { phone } from './kit/visitor.ts';

type Ends = (() => unknown)[];
const test = base.extend<{ ends: Ends }>({
  /** What is done when the test is over, however it went: the last of it first. */
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from here what a fixture needs.
  ends: async ({}, use) => {
    const ends: Ends = [];
    await use(ends);
    for (const end of ends.reverse()) await end();
  },
});

async function rows<Row extends pg.QueryResultRow>(dataDir: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: runningPostgres(dataDir) });
  await client.connect();
  return (await client.query<Row>(text, values).finally(() => client.end())).rows;
}

/** Runs `backup` or `restore` as their scripts do; with a passphrase the master key is in the file. */
async function run(program: string, args: string[], dataDir: string): Promise<string> {
  const path = fileURLToPath(new URL(`../src/server/backup/${program}.main.ts`, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [path, ...args], {
    env: { PATH: process.env.PATH, LIVECODE_DATA_DIR: dataDir, LIVECODE_BACKUP_PASSPHRASE: 'seven cups of green tea' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'close');
  expect(code, said).toBe(0);
  return said;
}

/** Visitors who come without a pause, and a user who uploads. */
function startLoad(product: StartedProduct, names: readonly string[], token: string) {
  const answered: string[] = [];
  const failures: string[] = [];
  let isOver = false;
  const host = `localhost:${product.visitPort}`;
  const visitor = async () => {
    while (!isOver) {
      const name = names[Math.floor(Math.random() * names.length)];
      const answer = await ask(product.visitPort, `/${name}`, {
        host,
        headers: { 'user-agent': phone, 'x-forwarded-for': `114.1.${answered.length % 250}.9` },
      });
      const id = answer.headers['x-visit-id'];
      if (typeof id === 'string') answered.push(id);
      else failures.push(`/${name} was answered ${answer.status}`);
    }
  };
  const uploader = async () => {
    for (let number = 0; !isOver; number += 1) {
      const form = new FormData();
      const picture = new Uint8Array(await QRCode.toBuffer(`upload ${number}`, { width: 200 }));
      form.append('file', new Blob([picture], { type: 'image/png' }), 'code.png');
      const answer = await fetch(`${product.backOffice}/api/file/add`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      });
      if (!answer.ok) failures.push(`an upload was answered ${answer.status}: ${await answer.text()}`);
      // Uploads are limited to two a second.
      await delay(700);
    }
  };
  const working = Promise.all([visitor(), visitor(), visitor(), visitor(), uploader()]);
  return {
    answered,
    failures,
    stop: async () => {
      isOver = true;
      await working;
    },
  };
}

/** Which of these visits the database does not hold. */
async function missingVisits(dataDir: string, ids: readonly string[]): Promise<string[]> {
  const segments = new Map(
    (await rows<{ id: number; name: string }>(dataDir, 'SELECT id, name FROM journal_segment')).map(({ id, name }) => [name, id]),
  );
  const stored = new Set((await rows<{ id: string }>(dataDir, 'SELECT id::text FROM visit')).map(({ id }) => id));
  const [key] = await rows<{ value: Buffer }>(dataDir, `SELECT value FROM secret WHERE key = 'visit_signing'`);
  const sources = [...segments.keys()].map((name) => name.split('.')[0] ?? '');
  const positionOf = createVisitIdReader(key?.value ?? Buffer.alloc(0), sources);
  return ids.filter((visit) => {
    const position = positionOf(visit);
    const segment = position && segments.get(segmentName(position.source, position.number));
    return segment === undefined || !stored.has(String(BigInt(segment) * 2n ** 26n + BigInt(position?.offset ?? 0)));
  });
}

/** Of rollups from rows. Of totals, by how much they are beyond the rows: how many visits there are differs where one site goes on. */
async function differences(dataDir: string): Promise<{ beyond: Record<string, number[]>; others: string[] }> {
  const client = new pg.Client({ connectionString: runningPostgres(dataDir) });
  await client.connect();
  const found = await inconsistencies(client).finally(() => client.end());
  const beyond: Record<string, number[]> = {};
  const others = found.filter((line) => {
    const [, table, side, id, figures = ''] = /^(\w+_total): only (counted|in rows): \((\d+),([\d,]+)\)$/.exec(line) ?? [];
    if (table === undefined) return true;
    const sign = side === 'counted' ? 1 : -1;
    const known = beyond[`${table} ${id}`];
    beyond[`${table} ${id}`] = figures.split(',').map((figure, at) => (known?.[at] ?? 0) + sign * Number(figure));
    return false;
  });
  return { beyond, others };
}

const namesOf = (path: string) => readdirSync(path).sort();

test.setTimeout(600_000);

test('a back-up under load, restored beside the original: both serve, hold the same, and know nothing of each other; later the copy stands alone', async ({
  ends,
}) => {
  const home = makeTestFolder();
  ends.push(() => rmSync(home, { recursive: true, force: true }));
  const start = async (dataDir: string, env: Record<string, string> = {}): Promise<StartedProduct> => {
    const product = await startProduct({ LIVECODE_DATA_DIR: dataDir, ...env });
    ends.push(product.stop);
    return product;
  };
  const folder = join(home, 'original');
  const original = await start(folder, { LIVECODE_DEMO: '1' });
  const names = (await rows<{ file_name: string }>(folder, 'SELECT file_name FROM live_code ORDER BY id')).map(
    ({ file_name }) => file_name,
  );
  const load = startLoad(original, names, (await userOf(original, 'admin', original.password)).token);
  ends.push(load.stop);
  await expect.poll(() => load.answered.length, { timeout: 60_000 }).toBeGreaterThan(200);
  const before = [...load.answered];
  const file = join(home, 'site.tar.zst');
  await run('backup', [file], folder);
  const after = load.answered.length;
  expect(after).toBeGreaterThan(before.length);
  expect(unknownEntries(readdirSync(folder))).toEqual([]);

  const copyFolder = join(home, 'elsewhere', 'copy');
  mkdirSync(join(home, 'elsewhere'), { mode: 0o711 });
  await run('restore', [file, copyFolder], folder);
  const restoredSegments = namesOf(join(copyFolder, 'journal'));
  const copy = await start(copyFolder);

  // The original's processes write the segments of these names, and go on: the copy must not wait for them.
  const unfinished = `SELECT name FROM journal_segment WHERE name = ANY ($1) AND finished_at IS NULL`;
  await expect.poll(() => rows(copyFolder, unfinished, [restoredSegments]), { timeout: 60_000 }).toEqual([]);
  expect(await missingVisits(copyFolder, before)).toEqual([]);

  const files = await rows<{ name: string }>(copyFolder, 'SELECT name FROM file');
  expect(files.length).toBeGreaterThan(0);
  for (const { name } of files) {
    expect(readFileSync(join(copyFolder, 'uploads', name)).equals(readFileSync(join(folder, 'uploads', name))), name).toBe(true);
  }
  expect(readFileSync(join(copyFolder, 'master.key'), 'utf8')).toBe(readFileSync(join(folder, 'master.key'), 'utf8'));

  const visit = (product: StartedProduct) => ask(product.visitPort, `/${names[0]}`, { host: `localhost:${original.visitPort}` });
  const ids = [String((await visit(original)).headers['x-visit-id']), String((await visit(copy)).headers['x-visit-id'])] as const;
  await rows(copyFolder, `UPDATE live_code SET name = 'of the copy' WHERE file_name = $1`, [names[0]]);
  await rows(folder, `UPDATE live_code SET name = 'of the original' WHERE file_name = $1`, [names[1]]);
  await load.stop();
  expect(load.failures).toEqual([]);
  await expect.poll(() => missingVisits(folder, [...load.answered, ids[0]]), { timeout: 60_000 }).toEqual([]);
  await expect.poll(() => missingVisits(copyFolder, [ids[1]]), { timeout: 60_000 }).toEqual([]);
  // Demo data has some of its own.
  expect(await differences(copyFolder)).toEqual(await differences(folder));
  expect(await missingVisits(folder, [ids[1]])).toEqual([ids[1]]);
  expect(await missingVisits(copyFolder, [ids[0]])).toEqual([ids[0]]);
  const named = (dataDir: string) => rows(dataDir, `SELECT name FROM live_code WHERE name LIKE 'of the %'`);
  expect(await named(copyFolder)).toEqual([{ name: 'of the copy' }]);
  expect(await named(folder)).toEqual([{ name: 'of the original' }]);
  await userOf(copy, 'admin', original.password);

  await copy.stop();
  await original.stop();
  rmSync(folder, { recursive: true });
  const moved = join(home, 'moved copy');
  renameSync(copyFolder, moved);
  const alone = await start(moved);
  expect(String((await visit(alone)).headers['x-visit-id'])).toMatch(/^[\w-]{22}$/);
  await userOf(alone, 'admin', original.password);
  expect(await missingVisits(moved, [...before, ids[1]])).toEqual([]);
});
