/**
 * The whole product on one machine under as many visits as it takes (a part of `visits.ts`): redirect processes, loader, database, back
 * office and the client of the visits share the processors, each rotation in turns with one bare node:http process.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Product, startProduct } from '../e2e/kit/product.ts';
import { rotationMode } from '../src/contract/enums.ts';
import { runningPostgres } from '../src/server/kit/postgres/postgres-address.ts';
import { readBatch } from '../src/server/kit/visits/journal/reader.ts';
import { journalFolder, listSegments } from '../src/server/kit/visits/journal/segment.ts';
import { familyOf, partPid } from './abuse-processes.ts';
import { addressOf } from './everything.ts';
import type { Load, Visit } from './load.ts';
import { median } from './percentile.ts';
import { memoryOf, processorTimeOf } from './processes.ts';

const visitsOf = (mode: string, codes: number, host: string): Visit[] =>
  Array.from({ length: codes }, (_, n) => ({ path: `/whole-${mode}-${n}`, host, address: addressOf(n) }));

async function fill(client: pg.Client, codes: number): Promise<void> {
  for (const [mode, number] of Object.entries(rotationMode)) {
    await client.query(
      `WITH made AS (INSERT INTO live_code (file_name, owner_id, name, rotation_mode)
        SELECT 'whole-' || $1 || '-' || n, (SELECT min(id) FROM user_account), 'Code ' || n, $2 FROM generate_series(0, $3::integer - 1) AS n RETURNING id)
      INSERT INTO live_code_target (live_code_id, kind, content, sort)
        SELECT id, 'url', 'https://target.example/' || id || '/' || sort, sort FROM made, generate_series(1, 3) AS sort`,
      [mode, number, codes],
    );
  }
}

/** Seconds since the oldest visit that stands in a journal and not in the database; 0 where all are loaded. */
async function lagOf(client: pg.Client, dataDir: string): Promise<number> {
  const { rows } = await client.query<{ name: string; offset: number; is_finished: boolean }>(
    'SELECT name, loaded_offset::float8 AS offset, finished_at IS NOT NULL AS is_finished FROM journal_segment',
  );
  const known = new Map(rows.map((row) => [row.name, row]));
  let oldest = Number.POSITIVE_INFINITY;
  for (const { name, path } of listSegments(journalFolder(dataDir))) {
    const segment = known.get(name);
    if (segment?.is_finished) continue;
    const { records } = await readBatch(path, segment?.offset ?? 0, { isFinal: false, bytes: 1 });
    oldest = Math.min(oldest, records[0]?.record.at ?? oldest);
  }
  return Number.isFinite(oldest) ? Math.max(0, Date.now() - oldest) / 1000 : 0;
}

/** Processor time of what the product is made of, in seconds. */
function processorTimes(dataDir: string): Record<string, number> {
  const { pid, children } = JSON.parse(readFileSync(join(dataDir, 'supervisor.json'), 'utf8')) as {
    pid: number;
    children: { pid: number; name: string }[];
  };
  const database = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const times: Record<string, number> = { supervisor: processorTimeOf(pid) };
  for (const child of children) {
    const name = child.name.replace(/ \d+$/, '');
    times[name] = (times[name] ?? 0) + processorTimeOf(child.pid);
  }
  times.database = familyOf(database).reduce((sum, one) => sum + processorTimeOf(one), 0);
  return times;
}

/** Of the loader, looked at four times a second. */
function watchLoader(client: pg.Client, dataDir: string) {
  let [lag, memory, latest] = [0, 0, 0];
  const look = async (): Promise<void> => {
    latest = await lagOf(client, dataDir);
    lag = Math.max(lag, latest);
    memory = Math.max(memory, memoryOf(partPid(dataDir, 'loader')).pss);
  };
  let looking = Promise.resolve();
  const again = (): Promise<void> => {
    looking = looking.then(look);
    return looking;
  };
  const timer = setInterval(again, 250);
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
    async caughtUp() {
      const since = performance.now();
      do {
        await delay(100);
        await again();
      } while (latest > 0);
      return (performance.now() - since) / 1000;
    },
    peak() {
      const seen = { lag, memory };
      [lag, memory] = [0, 0];
      return seen;
    },
  };
}

type Options = {
  folder: string;
  codes: number;
  rounds: number;
  ask: (port: number, visits?: readonly Visit[]) => Promise<Load>;
  barePort: number;
  say: (text: string, figure: number, target: string, isMet: boolean) => void;
  tell: (name: string, loads: Load[]) => void;
};

/** The bare server is asked when the loader has caught up, so that it is compared with a machine that does nothing else. */
export async function whole(options: Options): Promise<void> {
  const { folder, codes } = options;
  console.log(`\nthe whole product, two redirect processes, against one of bare node:http; ${codes} codes of three targets`);
  const dataDir = join(folder, 'whole');
  const product = await startProduct({ LIVECODE_DATA_DIR: dataDir, LIVECODE_NICENESS: '5' });
  const client = new pg.Client({ connectionString: runningPostgres(dataDir) });
  await client.connect();
  const loader = watchLoader(client, dataDir);
  try {
    await fill(client, codes);
    let answered = 0;
    for (const mode of Object.keys(rotationMode)) answered += await rotation(mode, product, loader, options);
    const counted = Number((await client.query('SELECT sum(visits) AS visits FROM live_code_total')).rows[0]?.visits);
    console.log(`\n ${answered} answers were counted by the client, ${counted} visits are counted in the database`);
    // Those under way when the client stopped are counted without being known to it.
    options.say('visits answered and not counted', Math.max(0, answered - counted), '0', counted >= answered);
  } finally {
    await loader.stop();
    await client.end();
    await product.stop();
  }
}

/** Measures one; answers how many visits were answered. */
async function rotation(
  mode: string,
  { visitPort, visits: site, dataDir }: Product,
  loader: ReturnType<typeof watchLoader>,
  { codes, rounds, ask, barePort, say, tell }: Options,
): Promise<number> {
  const visits = visitsOf(mode, codes, new URL(site).host);
  const warm = await ask(visitPort, visits);
  await ask(barePort);
  await loader.caughtUp();
  loader.peak();
  const [bare, ours, rests]: [Load[], Load[], number[]] = [[], [], []];
  const before = processorTimes(dataDir);
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await ask(barePort));
    ours.push(await ask(visitPort, visits));
    rests.push(await loader.caughtUp());
  }
  const after = processorTimes(dataDir);
  const { lag, memory } = loader.peak();
  console.log(`\n ${mode}`);
  tell('bare node:http, 302', bare);
  tell('visits of the whole product', ours);
  const answers = ours.reduce((sum, one) => sum + one.answers, 0);
  const each = Object.entries(after).map(([name, time]) => `${name} ${(((time - (before[name] ?? 0)) * 1e6) / answers).toFixed(1)}`);
  console.log(`  processor time a visit, until all are loaded: ${each.join(', ')} µs`);
  console.log(`  the last was loaded ${median(rests).toFixed(1)} s after it was answered`);
  const ratioOf = (figure: (one: Load) => number) => median(ours.map((one, index) => figure(one) / figure(bare[index] as Load)));
  const [requests, p99] = [ratioOf((one) => one.requests_per_second), ratioOf((one) => one.p99)];
  say('requests per second, × of bare', requests, '≥ 0.70', requests >= 0.7);
  say('p99, × of bare', p99, '< 2.00', p99 < 2);
  say('the loader behind, at most, s', lag, '≤ 10', lag <= 10);
  say('memory of the loader, at most, MB', memory, '≤ 250', memory <= 250);
  return warm.answers + answers;
}
