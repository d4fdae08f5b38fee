import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { visitOf } from '../src/server/kit/testing/visit-record.ts';
import { journalFolder } from '../src/server/kit/visits/journal/segment.ts';
import { loaderRuntime } from '../src/server/visits/loader/loader.runtime.ts';
import { endedSource, writeSegment } from '../src/server/visits/testing/journal.ts';
import { partEnvironment } from '../src/server/worker.runtime.ts';
import { randomSource } from './journal-data.ts';

type Options = { dataDir: string; databaseUrl: string; rate: number };

/** Writes a journal of `rate` visits each second, by the skewed law of the others, and has the product's loader load them, as the process it is. */
export async function startVisits(pool: pg.Pool, { dataDir, databaseUrl, rate }: Options): Promise<{ end: () => Promise<number> }> {
  const { rows } = await pool.query<{ first: number; codes: number }>(
    'SELECT min(id)::float8 AS first, count(*)::float8 AS codes FROM live_code',
  );
  const { first = 0, codes = 0 } = rows[0] ?? {};
  const random = randomSource(1);
  const address = () => `10.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}.${Math.floor(random() * 10)}`;
  const visit = () =>
    visitOf({ live_code_id: first + Math.floor(random() ** 3 * codes), ip: address(), host: `d${Math.floor(random() * 20)}.example.com` });
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
  const aside = join(dataDir, 'beside');
  const writing = setInterval(() => {
    const source = endedSource('beside');
    const written = writeSegment(aside, source, 1, Array.from({ length: rate }, visit));
    // Whole at once, as the loader finds it.
    renameSync(written, written.replace(aside, journalFolder(dataDir)));
  }, 1_000);
  return {
    async end() {
      clearInterval(writing);
      const perSecond = ((await loaded()) - before) / ((performance.now() - startedAt) / 1_000);
      const ended = once(loader, 'exit');
      loader.kill('SIGTERM');
      await ended;
      return Math.round(perSecond);
    },
  };
}
