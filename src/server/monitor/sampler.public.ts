import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type pg from 'pg';
import { every, type Repeated } from '../kit/jobs/every.ts';
import { sampleOf } from './samples.ts';

const sampleMilliseconds = 10_000;
/** As long as the screen looks back, and a little more. */
const keptHours = 25;
const samplesBetweenPurges = 180;

type Options = {
  pool: pg.Pool;
  /** The metrics of all processes of this host. */
  all: () => Promise<string>;
  dataDir: string;
  /** Tells one of several sites on a machine from the others. */
  port: number;
  log: { warn: (details: object, message: string) => void };
};

async function usedShare(folder: string): Promise<number> {
  const { blocks, bavail } = await statfs(folder);
  return blocks === 0 ? 0 : 1 - bavail / blocks;
}

/** Writes down what this host tells at this moment. */
export async function takeSample({ pool, all, dataDir, port }: Omit<Options, 'log'>): Promise<void> {
  const [text, disk] = await Promise.all([all(), usedShare(dataDir)]);
  const sources = [...text.matchAll(/^livecode_journal_source\{.*source="([^"]+)"/gm)].map(([, source]) => source);
  const { rows } = await pool.query<{ source: string; records: number }>(
    'SELECT source, sum(loaded_records)::float8 AS records FROM journal_segment WHERE source = ANY ($1::text[]) GROUP BY source',
    [sources],
  );
  const loaded = new Map(rows.map(({ source, records }) => [source, records]));
  const sample = sampleOf(text, (source) => loaded.get(source) ?? 0, disk);
  await pool.query('INSERT INTO host_sample (host, sample) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    `${hostname()}:${port}`,
    JSON.stringify(sample),
  ]);
}

/** Takes one every ten seconds. It is run by one process of each host: that of the back office, else the loader. */
export function startSampler({ log, ...options }: Options): Repeated {
  let taken = 0;
  async function take(): Promise<void> {
    await takeSample(options);
    taken += 1;
    if (taken % samplesBetweenPurges === 1)
      await options.pool.query('DELETE FROM host_sample WHERE at < now() - make_interval(hours => $1)', [keptHours]);
  }
  // While the database is away there is nothing to be written to: the gap tells it.
  return every(sampleMilliseconds, take, { log, failure: 'no sample of this host was taken' });
}
