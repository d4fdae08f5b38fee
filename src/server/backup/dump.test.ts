import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase, createTestDatabase } from '../kit/testing/database.ts';
import { dumpPrograms } from '../kit/testing/dump-programs.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { backUp } from './backup.ts';
import { restore } from './restore.ts';

async function ask(url: string, text: string): Promise<pg.QueryResultRow | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text).finally(() => client.end());
  return rows[0];
}

test('an outside database goes along where pg_dump is there and new enough; else it is said what is missing', async () => {
  const [source, target] = [await createTestDatabase(), await createEmptyDatabase()];
  const home = makeTestFolder();
  onTestFinished(async () => {
    await source.drop();
    await target.drop();
    rmSync(home, { recursive: true });
  });
  const dataDir = join(home, 'data');
  mkdirSync(join(dataDir, 'uploads'), { recursive: true });
  writeFileSync(join(dataDir, 'uploads/a.png'), 'picture');
  const quiet = { signal: new AbortController().signal, log: () => {} };
  const path = join(home, 'site.tar.zst');
  const made = backUp({ config: { dataDir, databaseUrl: source.url, masterKey: undefined }, target: path, ...quiet });
  made.catch(() => {});
  const programs = await dumpPrograms(source.url);
  if (!programs.suffice) {
    await expect(made).rejects.toThrow(`install postgresql-client-${programs.wanted}`);
    return;
  }
  await made;
  const restored = (databaseUrl: string | undefined) =>
    restore({ path, dataDir: join(home, 'copy'), config: { databaseUrl, masterKey: undefined }, ...quiet });
  await expect(restored(undefined)).rejects.toThrow('set DATABASE_URL');
  await expect(restored(source.url)).rejects.toThrow('is not empty');
  await restored(target.url);
  const count = 'SELECT count(*) AS tables, (SELECT count(*) FROM permission_node) AS nodes FROM pg_tables';
  expect(await ask(target.url, count)).toEqual(await ask(source.url, count));
  expect(readFileSync(join(home, 'copy/uploads/a.png'), 'utf8')).toBe('picture');
  // Hosts that have other folders know it, too.
  expect(await ask(target.url, 'SELECT count(*)::int AS copies FROM restored_copy')).toEqual({ copies: 1 });
});
