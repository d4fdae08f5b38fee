import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { visitOf } from '../src/server/kit/testing/visit-record.ts';
import { journalFolder } from '../src/server/kit/visits/journal/segment.ts';
import { loaderRuntime } from '../src/server/visits/loader/loader.runtime.ts';
import { compactRollups } from '../src/server/visits/maintenance/maintenance.ts';
import { livingSource, writeSegment } from '../src/server/visits/testing/journal.ts';
import { partEnvironment } from '../src/server/worker.runtime.ts';
import { manyPeople, randomSource } from './journal-data.ts';

type Options = { dataDir: string; databaseUrl: string; rate: number };

/** Who comes, again and again. */
const peopleNumber = 500_000;
/** As often as the worker does. */
const compactionMilliseconds = 60_000;

/** Writes a journal of `rate` visits each second, by the skewed law of the others, and has the product's loader load them, as the process it is; counts by hour are compacted as the worker does. */
export async function startVisits(pool: pg.Pool, { dataDir, databaseUrl, rate }: Options): Promise<{ end: () => Promise<number> }> {
  const { rows: codes } = await pool.query<{ id: number; targets: number[] }>(
    'SELECT live_code_id::float8 AS id, array_agg(id::float8) AS targets FROM live_code_target GROUP BY 1 ORDER BY 1',
  );
  const random = randomSource(1);
  const people = manyPeople(random, peopleNumber);
  const oneOf = <T>(list: readonly T[], skew = 1): T | undefined => list[Math.floor(random() ** skew * list.length)];
  const visit = () => {
    const { id = 0, targets = [] } = oneOf(codes, 3) ?? {};
    return visitOf({
      live_code_id: id,
      target_id: oneOf(targets) ?? 0,
      ...oneOf(people),
      host: `d${Math.floor(random() * 20)}.example.com`,
    });
  };
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
  // Two redirect processes, each of which ends a segment every second.
  const sources = ['one', 'two'].map((name) => livingSource(name));
  let number = 0;
  const writing = setInterval(() => {
    number += 1;
    for (const source of sources) {
      const written = writeSegment(aside, source, number, Array.from({ length: rate / sources.length }, visit));
      // Whole at once, as the loader finds it.
      renameSync(written, written.replace(aside, journalFolder(dataDir)));
    }
  }, 1_000);
  let compacting: Promise<unknown> = Promise.resolve();
  const jobs = setInterval(() => {
    compacting = compactRollups(pool, { now: new Date(), hours: 2 });
  }, compactionMilliseconds);
  return {
    async end() {
      clearInterval(writing);
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
