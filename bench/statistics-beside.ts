import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import { journalFolder } from '../src/server/kit/visits/journal/segment.ts';
import { loaderRuntime } from '../src/server/visits/loader/loader.runtime.ts';
import { compactRollups } from '../src/server/visits/maintenance/maintenance.ts';
import { partEnvironment } from '../src/server/worker.runtime.ts';
import type { WriterData } from './statistics-writer.ts';

type Options = { dataDir: string; databaseUrl: string; rate: number };

/** As often as the worker does. */
const compactionMilliseconds = 60_000;

/** Writes a journal of `rate` visits each second, by the skewed law of the others, and has the product's loader load them, as the process it is; counts by hour are compacted as the worker does. */
export async function startVisits(pool: pg.Pool, { dataDir, databaseUrl, rate }: Options): Promise<{ end: () => Promise<number> }> {
  const { rows: codes } = await pool.query<{ id: number; targets: number[] }>(
    'SELECT live_code_id::float8 AS id, array_agg(id::float8) AS targets FROM live_code_target GROUP BY 1 ORDER BY 1',
  );
  mkdirSync(journalFolder(dataDir), { recursive: true });
  const main = fileURLToPath(new URL('../src/server/visits/loader/loader.main.ts', import.meta.url));
  const env = {
    ...process.env,
    ...partEnvironment,
    DATABASE_URL: databaseUrl,
    LIVECODE_DATA_DIR: dataDir,
    LIVECODE_LOG_LEVEL: 'warn',
  };
  const loader = spawn(process.execPath, [...loaderRuntime.args, main], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(loader, 'message');
  const loaded = async () =>
    Number((await pool.query('SELECT coalesce(sum(loaded_records), 0) AS loaded FROM journal_segment')).rows[0].loaded);
  const [startedAt, before] = [performance.now(), await loaded()];
  const workerData: WriterData = { codes, dataDir, aside: join(dataDir, 'beside'), rate };
  // A thread of its own: who answers people writes no journals.
  const writer = new Worker(new URL('./statistics-writer.ts', import.meta.url), { workerData });
  await once(writer, 'message');
  let compacting: Promise<unknown> = Promise.resolve();
  const jobs = setInterval(() => {
    compacting = compactRollups(pool, { now: new Date(), hours: 2 });
  }, compactionMilliseconds);
  return {
    async end() {
      writer.postMessage('end');
      clearInterval(jobs);
      await compacting;
      const perSecond = ((await loaded()) - before) / ((performance.now() - startedAt) / 1_000);
      const ended = once(loader, 'exit');
      loader.kill('SIGTERM');
      await ended;
      return Math.round(perSecond);
    },
  };
}
