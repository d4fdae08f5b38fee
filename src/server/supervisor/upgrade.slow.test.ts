import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, readMigrations } from '../kit/postgres/migrate.ts';
import { type Postgres, startPostgres } from '../kit/postgres/postgres.ts';
import { createDatabase } from '../kit/testing/database.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';

const program = fileURLToPath(new URL('./testing/upgrade.ts', import.meta.url));
const steps = 19;
// Long enough that a busy machine does not reach the last step before the seventh kill.
const stepMilliseconds = 120;

let home: string;
let postgres: Postgres;
beforeEach(async () => {
  home = makeTestFolder();
  postgres = await startPostgres({ dataDir: join(home, 'data'), initdbFlags: ['--no-sync'] });
}, 60_000);
afterEach(async () => {
  await postgres.stop();
  rmSync(postgres.folder, { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
});

/** The migrations of the product; the last ones take their time, and each notes that it ran. */
function writeMigrations() {
  const all = readMigrations();
  const earlier = join(home, 'earlier');
  const whole = join(home, 'whole');
  for (const folder of [earlier, whole]) mkdirSync(folder);
  for (const [index, { name, sql }] of all.entries()) {
    const isNew = index >= all.length - steps;
    const before = index === 0 ? 'CREATE TABLE applied_step (name text);\n' : '';
    const after = isNew ? `SELECT pg_sleep(${stepMilliseconds / 1000});\n` : '';
    const text = `${before}INSERT INTO applied_step VALUES ('${name}');\n${sql}\n${after}`;
    for (const folder of isNew ? [whole] : [earlier, whole]) writeFileSync(join(folder, `${name}.sql`), text);
  }
  return { earlier, whole, names: all.map(({ name }) => name) };
}

async function rowsOf<T extends object>(url: string, sql: string): Promise<T[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<T>(sql).finally(() => client.end());
  return rows;
}

/** Everything that migrations make, one line each, in an order of its own. */
const schemaOf = async (url: string): Promise<string[]> =>
  (
    await rowsOf<{ line: string }>(
      url,
      `WITH ours AS (SELECT oid FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema')
      SELECT line FROM (
        SELECT format('relation %s %s %s', relname, relkind, reloptions) FROM pg_class WHERE relnamespace IN (SELECT oid FROM ours)
        UNION ALL SELECT format('column %s.%s %s %s %s %s', relname, attnum, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid))
          FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
          WHERE relnamespace IN (SELECT oid FROM ours) AND attnum > 0
        UNION ALL SELECT format('constraint %s %s', conname, pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace IN (SELECT oid FROM ours)
        UNION ALL SELECT format('index %s %s', indexrelid::regclass, pg_get_indexdef(indexrelid)) || indisvalid FROM pg_index
          JOIN pg_class ON pg_class.oid = indexrelid WHERE relnamespace IN (SELECT oid FROM ours)
        UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace IN (SELECT oid FROM ours) AND prokind IN ('f', 'p')
        UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
        UNION ALL SELECT format('statistics %s', pg_get_statisticsobjdef(oid)) FROM pg_statistic_ext
        UNION ALL SELECT format('migration %s %s', name, checksum) FROM migration
        UNION ALL SELECT format('step %s', name) FROM applied_step
      ) AS made (line) ORDER BY line COLLATE "C"`,
    )
  ).map(({ line }) => line);

test('an upgrade of 19 steps survives seven kills, of itself and of PostgreSQL: each step is applied once, as in a straight run', async () => {
  const { earlier, whole, names } = writeMigrations();
  const [straight, killed] = await Promise.all([0, 1].map(() => createDatabase(postgres.url, 'template0')));
  if (!straight || !killed) throw new Error('two databases were made');
  await migrate(straight.url, whole);
  await migrate(killed.url, earlier);

  const begin = async () => {
    const child = fork(program, [killed.url, whole], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const ended = once(child, 'exit').then(([code, signal]) => code ?? signal);
    await Promise.race([once(child, 'message'), ended]);
    return { kill: () => child.kill('SIGKILL'), ended };
  };
  let upgrade = await begin();
  for (let kill = 0; kill < 7; kill += 1) {
    await delay(stepMilliseconds * (0.5 + 1.5 * Math.random()));
    if (kill % 3 === 2) {
      // The upgrade goes on by itself when the server is back.
      const pid = postgres.pid();
      process.kill(pid ?? 0, 'SIGKILL');
      await expect.poll(() => postgres.pid(), { timeout: 10_000, interval: 20 }).not.toBe(pid);
      continue;
    }
    upgrade.kill();
    expect(await upgrade.ended).toBe('SIGKILL');
    upgrade = await begin();
  }
  expect(await upgrade.ended).toBe(0);

  const steps = await rowsOf<{ name: string }>(killed.url, 'SELECT name FROM applied_step ORDER BY name COLLATE "C"');
  expect(steps.map(({ name }) => name)).toEqual(names);
  expect(await schemaOf(killed.url)).toEqual(await schemaOf(straight.url));
}, 60_000);
