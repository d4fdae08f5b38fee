import { execFile } from 'node:child_process';
import type { Socket } from 'node:net';
import { platform } from 'node:os';
import { promisify } from 'node:util';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../testing/database.ts';
import { openDatabase, openPool } from './database.ts';

/** How far PostgreSQL's process stands back for a process of ours that stands back by five. */
async function nicenessOfBackend(env: Record<string, string>): Promise<number> {
  const database = await createTestDatabase();
  try {
    const program = `
      import { getPriority, setPriority } from 'node:os';
      import { openPool } from ${JSON.stringify(new URL('./database.ts', import.meta.url).href)};
      const pool = openPool(process.argv[1], console);
      await pool.query('SELECT 1');
      setPriority(5);
      const { rows } = await pool.query('SELECT pg_backend_pid() AS pid');
      console.log(getPriority(rows[0].pid));
      await pool.end();`;
    const args = ['--input-type=module', '-e', program, database.url];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PATH: process.env.PATH, ...env } });
    return Number(stdout);
  } finally {
    await database.drop();
  }
}

test.runIf(platform() === 'linux')(
  "the embedded server's processes stand back with the part they work for, those of another server don't",
  async () => {
    expect(await nicenessOfBackend({ LIVECODE_OWN_POSTGRES: '1' })).toBe(5);
    expect(await nicenessOfBackend({})).toBe(0);
  },
);

test('a connection that ends before its transaction begins is given back: as many as one likes, and the pool still serves', async () => {
  const database = await createTestDatabase();
  const pool = openPool(database.url, { warn: () => {} }, 2);
  const db = openDatabase(pool);
  // As when the server is killed between the two.
  const cut = (client: pg.PoolClient) => (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  pool.on('acquire', cut);
  try {
    for (let time = 0; time < 5; time += 1) await expect(db.transaction(async () => 'begun')).rejects.toThrow();
    pool.off('acquire', cut);
    expect(await db.transaction(async () => 'begun')).toBe('begun');
    expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
  } finally {
    await pool.end();
    await database.drop();
  }
});
