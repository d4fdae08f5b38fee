/**
 * How fast journals go into the embedded PostgreSQL: `npm run bench:loader -- [--visits 400000] [--codes 10000] [--sources 2]`.
 * Writes journals to disk, starts PostgreSQL with the product's settings and the loader as the process it is, and takes the time until
 * the last visit is in the database; then compares every rollup with the rows.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { journalFolder } from '../src/server/kit/journal/segment.ts';
import { migrate } from '../src/server/kit/migrate.ts';
import { startPostgres } from '../src/server/kit/postgres.ts';
import { writeJournals } from './journal-data.ts';

const { values } = parseArgs({
  options: {
    visits: { type: 'string', default: '400000' },
    codes: { type: 'string', default: '10000' },
    sources: { type: 'string', default: '2' },
    keep: { type: 'boolean', default: false },
  },
});
const [visits, codes, sources] = [Number(values.visits), Number(values.codes), Number(values.sources)];
const dataDir = mkdtempSync(join(tmpdir(), 'livecode-bench-loader-'));
const postgres = await startPostgres({ dataDir });
const client = new pg.Client({ connectionString: postgres.url });
try {
  await migrate(postgres.url);
  await client.connect();
  const { bytes } = writeJournals({ folder: journalFolder(dataDir), visits, codes, sources, seed: 1 });
  console.log(`${visits} visits of ${codes} codes at random in ${(bytes / 2 ** 20).toFixed(0)} MB of journals of ${sources} processes`);
  const loader = spawn(
    process.execPath,
    [
      ...(process.env.PROF ? ['--cpu-prof', '--cpu-prof-dir=/tmp/prof'] : []),
      fileURLToPath(new URL('../src/server/visits/loader.main.ts', import.meta.url)),
    ],
    {
      env: { ...process.env, DATABASE_URL: postgres.url, LIVECODE_DATA_DIR: dataDir, LIVECODE_LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  await new Promise((resolve) => loader.once('message', resolve));
  const startedAt = performance.now();
  for (let loaded = 0; loaded < visits; ) {
    await delay(500);
    const { rows } = await client.query<{ loaded: number }>(
      'SELECT coalesce(sum(loaded_records), 0)::float8 AS loaded FROM journal_segment',
    );
    loaded = rows[0]?.loaded ?? 0;
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${loaded} loaded  ${(loaded / seconds).toFixed(0)}/s`);
  }
  loader.kill('SIGTERM');
  await new Promise((resolve) => loader.once('exit', resolve));
} finally {
  await client.end();
  await postgres.stop();
  if (!values.keep) rmSync(dataDir, { recursive: true, force: true });
}
