/**
 * How fast journals go into the embedded PostgreSQL: `npm run bench:loader -- [--visits 400000] [--codes 10000] [--sources 2]`.
 * Writes journals to disk, starts PostgreSQL with the product's settings and the loader as the process it is, and takes the time until
 * the last visit is in the database; then compares every rollup with the rows.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { migrate } from '../src/server/kit/postgres/migrate.ts';
import { startPostgres } from '../src/server/kit/postgres/postgres.ts';
import { makeTestFolder } from '../src/server/kit/testing/folder.ts';
import { journalFolder } from '../src/server/kit/visits/journal/segment.ts';
import { loaderRuntime } from '../src/server/visits/loader/loader.runtime.ts';
import { inconsistencies } from '../src/server/visits/testing/consistency.ts';
import { partEnvironment } from '../src/server/worker.runtime.ts';
import { writeJournals } from './journal-data.ts';
import { memoryOf, processorTimeOf } from './processes.ts';

const { values } = parseArgs({
  options: {
    visits: { type: 'string', default: '400000' },
    codes: { type: 'string', default: '10000' },
    sources: { type: 'string', default: '2' },
  },
});

const [visits, codes, sources] = [Number(values.visits), Number(values.codes), Number(values.sources)];
const dataDir = makeTestFolder();
const postgres = await startPostgres({ dataDir });
const client = new pg.Client({ connectionString: postgres.url });
try {
  await migrate(postgres.url);
  await client.connect();
  const { bytes } = writeJournals({ folder: journalFolder(dataDir), visits, codes, sources, seed: 1 });
  console.log(`${visits} visits of ${codes} codes at random in ${(bytes / 2 ** 20).toFixed(0)} MB of journals of ${sources} processes`);
  const loader = spawn(
    process.execPath,
    [...loaderRuntime.args, fileURLToPath(new URL('../src/server/visits/loader/loader.main.ts', import.meta.url))],
    {
      env: {
        ...process.env,
        ...partEnvironment,
        DATABASE_URL: postgres.url,
        LIVECODE_DATA_DIR: dataDir,
        LIVECODE_LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  await new Promise((resolve) => loader.once('message', resolve));
  const startedAt = performance.now();
  let seconds = 0;
  let most = 0;
  for (let loaded = 0; loaded < visits; ) {
    await delay(250);
    const { rows } = await client.query<{ loaded: number }>(
      'SELECT coalesce(sum(loaded_records), 0)::float8 AS loaded FROM journal_segment',
    );
    loaded = rows[0]?.loaded ?? 0;
    seconds = (performance.now() - startedAt) / 1000;
    most = Math.max(most, memoryOf(loader.pid).pss);
  }
  console.log(`loaded in ${seconds.toFixed(1)} s: ${(visits / seconds).toFixed(0)} visits/s`);
  await delay(10_000);
  console.log(
    `the loader took ${processorTimeOf(loader.pid).toFixed(1)} s of processor time and at most ${most.toFixed(0)} MB, ${memoryOf(loader.pid).pss.toFixed(0)} MB ten seconds later`,
  );
  const ended = new Promise((resolve) => loader.once('exit', resolve));
  loader.kill('SIGTERM');
  await ended;
  const { rows: kinds } = await client.query(
    `SELECT (SELECT count(*)::int FROM visit) AS rows, (SELECT count(*)::int FROM visitor) AS visitors, (SELECT count(*)::int FROM visit_agent) AS user_agents,
      (SELECT count(*)::int FROM visit_place) AS places, (SELECT count(*)::int FROM visit_hour_origin) AS origin_counts`,
  );
  console.log(kinds[0]);
  const differing = await inconsistencies(client);
  console.log(`rollups that differ from rows: ${differing.length}`, differing);
  process.exitCode = differing.length > 0 ? 1 : 0;
} finally {
  await client.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
