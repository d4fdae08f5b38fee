import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { migrate } from '../../kit/postgres/migrate.ts';
import { type Postgres, startPostgres } from '../../kit/postgres/postgres.ts';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { readMasterKey } from '../../kit/vault.ts';
import { journalFolder, newSource, segmentName } from '../../kit/visits/journal/segment.ts';
import { backUp } from '../backup.ts';
import { restore } from '../restore.ts';
import { ask, initdbFlags, settings } from './looks.ts';

/** Each restore writes and syncs some two thousand files, which a busy disk takes its time for. */
export const timeout = 120_000;

export let home: string;
export let dataDir: string;
export let postgres: Postgres;
/** A backup of it as it was at first. */
export let sound: string;
let copies = 0;

/** A site that runs, with rows, uploads and a journal, and a backup of it, for the tests of a file. */
export function prepareBackedUp(): void {
  beforeAll(async () => {
    home = makeTestFolder();
    dataDir = join(home, 'data');
    postgres = await startPostgres({ dataDir, settings, initdbFlags });
    await migrate(postgres.url);
    await ask(postgres.url, 'CREATE TABLE note (number integer PRIMARY KEY); INSERT INTO note VALUES (0)');
    readMasterKey(dataDir);
    mkdirSync(join(dataDir, 'uploads'));
    writeFileSync(join(dataDir, 'uploads/a.png'), Buffer.alloc(3_000_000, 'picture'));
    writeFileSync(join(dataDir, 'uploads/empty'), '');
    writeFileSync(join(dataDir, 'uploads/.b.png.1.part'), 'half');
    writeFileSync(join(journalFolder(dataDir), segmentName(newSource('0', journalFolder(dataDir)), 1)), 'visits');
    sound = (await backedUp()).path;
  }, timeout);
  afterAll(async () => {
    await postgres.stop();
    rmSync(home, { recursive: true, force: true });
  }, timeout);
}

export const program = (name: string) => fileURLToPath(new URL(`../${name}.main.ts`, import.meta.url));

export const notes = async (url: string) =>
  (await ask<{ number: number }>(url, 'SELECT number FROM note ORDER BY number')).map(({ number }) => number);

export function newPath(ending = ''): string {
  copies += 1;
  return join(home, `copy${copies}${ending}`);
}

export async function backedUp(change: { masterKey?: Buffer<ArrayBuffer>; signal?: AbortSignal } = {}) {
  const lines: string[] = [];
  const { signal = new AbortController().signal, masterKey } = change;
  const config = { dataDir, databaseUrl: undefined, masterKey };
  const { path } = await backUp({ config, target: newPath('.tar.zst'), signal, log: (line) => lines.push(line) });
  return { path, said: lines.join('\n') };
}

export async function restored(path: string, target = newPath()) {
  const lines: string[] = [];
  const config = { databaseUrl: undefined, masterKey: undefined };
  await restore({ path, dataDir: target, config, signal: new AbortController().signal, log: (line) => lines.push(line) });
  return { dataDir: target, said: lines.join('\n') };
}

/** The database of a restored copy, until its test is over. */
export async function started(folder: string): Promise<Postgres> {
  const server = await startPostgres({ dataDir: folder, settings });
  onTestFinished(() => server.stop());
  return server;
}

export const leftovers = () => readdirSync(home).filter((name) => /\.part$|restoring-/.test(name));
