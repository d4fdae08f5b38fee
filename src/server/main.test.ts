import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createEmptyDatabase } from './kit/testing/database.ts';
import { makeTestFolder } from './kit/testing/folder.ts';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));

test('a database of an unreleased state, such as of the list before there was one migration an area, ends the start with one paragraph, and stays as it is', async () => {
  const [database, home] = [await createEmptyDatabase(), makeTestFolder()];
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    'CREATE TABLE migration (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const names = ['0001-accounts', '0002-live-codes', '0003-visits', '0004-people', '0009-logs', '0052-codes-and-links', '0083-import-rows'];
  await client.query(`INSERT INTO migration SELECT name, 'another' FROM unnest($1::text[]) AS name`, [names]);
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: database.url,
    LIVECODE_DATA_DIR: join(home, 'data'),
    LIVECODE_ROLE: 'worker',
    LIVECODE_TRON_PORT: '0',
  };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      output += piece;
    });
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(output).toMatch(/^This database was made by an unreleased state of Livecode.*To start anew.*\n$/);
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  expect(rows).toEqual([{ name: 'migration' }]);
  await client.end();
  await database.drop();
  rmSync(home, { recursive: true, force: true });
});
