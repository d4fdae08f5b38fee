/**
 * How quick statistics are: `npm run bench:statistics -- [--visits 5000000] [--days 90] [--codes 10000] [--repeat 10] [--clickhouse http://…/database] [--paired] [--beside 2000] [--data folder] [--no-addresses]`. Fills the embedded
 * PostgreSQL with visits and their counts, and makes every call of the statistics screens over the whole range, without filters, with one, and
 * with three of different dictionaries: for the code that is visited most, for a customer with a hundredth of the codes, and for an
 * administrator, who sees all. With `--paired` each call is made in turns without the files of days and with them. With `--data` the visits stay in a folder, and those that it has are asked. With `--beside` a loader loads so many visits a second meanwhile. With a ClickHouse, the administrator's only, answered by files of days and then by the copy there; `npm run bench:clickhouse` does so on the engine of tests. Tells each at the median and the 95th percentile, those above 150 ms as slow, and what a visit takes on the disk.
 */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { filterDimensions } from '../src/contract/visits/historical-statistics.ts';
import { openPool } from '../src/server/kit/postgres/database.ts';
import { migrate } from '../src/server/kit/postgres/migrate.ts';
import { startPostgres } from '../src/server/kit/postgres/postgres.ts';
import { makeTestFolder } from '../src/server/kit/testing/folder.ts';
import { seed } from '../src/server/seed.ts';
import { copyVisits } from '../src/server/visits/clickhouse/copying.ts';
import { answerFromClickhouse, answerFromColumns } from '../src/server/visits/clickhouse/visit-stores.ts';
import { createColumns } from '../src/server/visits/columns/columns.ts';
import { columnsStore } from '../src/server/visits/columns/columns-store.ts';
import type { VisitStore } from '../src/server/visits/statistics/workbench/store.ts';
import { startEngine } from '../src/server/visits/testing/clickhouse-setup.ts';
import { type Ask, measure, openApp, openSession } from './codes-measure.ts';
import { startVisits } from './statistics-beside.ts';
import { fillVisits, ownerAccount } from './statistics-data.ts';

const { values } = parseArgs({
  options: {
    visits: { type: 'string', default: '5000000' },
    days: { type: 'string', default: '90' },
    codes: { type: 'string', default: '10000' },
    repeat: { type: 'string', default: '10' },
    clickhouse: { type: 'string' },
    paired: { type: 'boolean', default: false },
    beside: { type: 'string', default: '0' },
    data: { type: 'string' },
    'no-addresses': { type: 'boolean', default: false },
  },
});
const [visits, days, codes, repeat] = [Number(values.visits), Number(values.days), Number(values.codes), Number(values.repeat)];
const wantedMilliseconds = 150;
const slow: string[] = [];
let calls = 0;
let pairedStore: VisitStore | undefined;
const paired = { sooner: 0, alike: 0, slower: 0 };

const dayOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10);
const filters = {
  none: undefined,
  one: { carrier: ['mobile'] },
  three: { carrier: ['mobile'], brand: ['品牌0', '品牌1'], hour: ['19', '20', '21'] },
} as const;
const rowDimensions = ['model', 'language', 'referer', 'host'];
const countedDimensions = filterDimensions.filter((dimension) => !rowDimensions.includes(dimension));

/** What a screen asks: the group's calls with what each takes besides. */
const questions: [call: string, input: object][] = [
  ['inquire', { compare: 'before' }],
  ['breakdown', { dimensions: countedDimensions }],
  ['breakdown', { dimensions: rowDimensions }],
  ['heatmap', {}],
  ['targets', {}],
  ['explain', { compare: 'before' }],
];

/** In turns without the files of days and with them. */
async function measureBoth(run: () => Promise<unknown>, files: VisitStore): Promise<string> {
  const times: [rows: number[], files: number[]] = [[], []];
  for (let time = 0; time <= repeat; time += 1)
    for (const [number, store] of [undefined, files].entries()) {
      answerFromColumns(store);
      const startedAt = performance.now();
      await run();
      // The first of each finds nothing in memory.
      if (time > 0) times[number]?.push(performance.now() - startedAt);
    }
  const [before = 0, after = 0] = times.map((own) => own.sort((one, other) => one - other)[Math.floor(own.length / 2)] ?? 0);
  const verdict = after > before * 1.25 && after - before > 5 ? 'slower' : before > after * 1.25 && before - after > 5 ? 'sooner' : 'alike';
  paired[verdict] += 1;
  return `, median without files ${before.toFixed(0)} ms, with them ${after.toFixed(0)} ms: ${verdict}`;
}

async function measureCall(who: string, ask: Ask, path: string, input: object, words: string): Promise<void> {
  const both = pairedStore && (await measureBoth(() => ask(path, input), pairedStore));
  const { median, p95 } = await measure(() => ask(path, input), repeat);
  calls += 1;
  const isSlow = p95 > wantedMilliseconds;
  if (isSlow) slow.push(`${who}, ${words}`);
  console.log(
    `${isSlow ? 'SLOW' : '    '} ${p95.toFixed(0).padStart(6)} ms  ${who}, ${words}${both ?? `, median ${median.toFixed(0)} ms`}`,
  );
}

async function measureAll(who: string, ask: Ask, about: object): Promise<void> {
  for (const length of [7, 30, days]) {
    const range = { from: dayOf(length - 1), to: dayOf(0) };
    for (const [name, filter] of Object.entries(filters)) {
      for (const [call, more] of questions) {
        const input = { ...range, ...about, ...more, ...(filter && { filters: filter }) };
        const what = 'dimensions' in more && more.dimensions === rowDimensions ? `${call} from rows` : call;
        await measureCall(who, ask, `historical_statistics/${call}`, input, `${what}, ${length} days, filters: ${name}`);
      }
    }
  }
  await measureCall(who, ask, 'access_real_time_statistics/inquire', {}, 'real time');
}

/** Lets files of days answer, and waits until there are all that a question about the whole range needs. */
async function answerByColumns(ask: Ask): Promise<{ end: () => Promise<void> }> {
  const log = {
    warn: (_details: object, message: string) => {
      throw new Error(message);
    },
  };
  const columns = createColumns({ dataDir, databaseUrl: postgres.url, log });
  const store = columnsStore({ columns, log, tooLongMilliseconds: Number.POSITIVE_INFINITY });
  answerFromColumns(store);
  if (values.paired) pairedStore = store;
  const startedAt = performance.now();
  // The tail of today follows the file of its first hours.
  for (const _file of ['part', 'tail']) {
    await ask('historical_statistics/inquire', { from: dayOf(days - 1), to: dayOf(0), filters: filters.one });
    await columns.built();
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const size = readdirSync(join(dataDir, 'visit-columns'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  console.log(`files of days in ${seconds} s, ${(size / visits).toFixed(1)} bytes for each visit`);
  return columns;
}

async function measureScreens(customer: Ask, administrator: Ask): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('SELECT min(id) AS id FROM live_code');
  await measureAll('the most visited code', customer, { live_code_ids: [Number(rows[0]?.id)] });
  await measureAll('a customer', customer, {});
  await measureAll('an administrator', administrator, {});
  const days = { from: dayOf(29), to: dayOf(0) };
  await measureCall('an administrator', administrator, 'visit_summary/inquire', days, 'visit summary, 30 days');
}

/** Moves the visits to a ClickHouse and asks both stores the same. Nothing else is measured then. */
async function measureStores(ask: Ask, url: string): Promise<void> {
  const columns = await answerByColumns(ask);
  await measureAll('files of days', ask, {});
  await columns.end();
  answerFromColumns(undefined);
  const startedAt = performance.now();
  const faults = await copyVisits({ pool, address: { url, cluster: undefined }, log: () => {}, isOver: () => false, anew: true });
  if (faults.length > 0) throw new Error(faults.join('; '));
  console.log(`${visits} visits moved and compared in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  answerFromClickhouse(url, {
    warn: (_details, message) => {
      throw new Error(message);
    },
  });
  await measureAll('ClickHouse', ask, {});
}

const dataDir = values.data ?? makeTestFolder();
const postgres = await startPostgres({ dataDir });
const pool = openPool(postgres.url, { warn: () => {} }, 10);
try {
  await migrate(postgres.url);
  // Written last: what was interrupted is not asked as if it were whole.
  const { rows } = await pool.query<{ is_filled: boolean }>('SELECT EXISTS (SELECT FROM live_code_total) AS is_filled');
  if (!rows[0]?.is_filled) {
    await seed(pool, { adminPassword: 'bench-password', visitPort: 3001, dataDir, demo: false });
    await fillVisits(pool, { visits, days, codes, addresses: !values['no-addresses'] });
  }
  await tellSizes();
  const app = await openApp(pool, dataDir);
  const administrator = await openSession(pool, app, 'admin');
  if (values.clickhouse) {
    const engine = values.clickhouse === 'engine' ? await startEngine() : undefined;
    await measureStores(administrator.ask, engine ? `${engine.url}/default` : values.clickhouse);
    await engine?.end();
  } else {
    const columns = await answerByColumns(administrator.ask);
    const beside =
      Number(values.beside) > 0 ? await startVisits(pool, { dataDir, databaseUrl: postgres.url, rate: Number(values.beside) }) : undefined;
    await measureScreens((await openSession(pool, app, ownerAccount)).ask, administrator.ask);
    if (beside) console.log(`${await beside.end()} visits were loaded a second meanwhile`);
    await columns.end();
    if (pairedStore) console.log(`with files of days ${paired.sooner} sooner, ${paired.alike} alike, ${paired.slower} slower`);
  }
  await app.close();
  console.log(`${calls - slow.length} of ${calls} calls within ${wantedMilliseconds} ms at the 95th percentile`);
} finally {
  await pool.end();
  await postgres.stop();
  if (!values.data) rmSync(dataDir, { recursive: true, force: true });
}

/** What each kind of table takes, with its indexes. */
async function tellSizes(): Promise<void> {
  const { rows } = await pool.query<{ kind: string; heap: string; indexes: string }>(
    `SELECT CASE WHEN relname ~ '^visit_[0-9]{8}$' THEN 'visit' WHEN relname ~ '^visit_hour' THEN 'counts of codes' WHEN relname ~ '^visit_(site|day)_' THEN 'counts over all codes'
        WHEN relname = 'visitor' THEN 'visitor' ELSE 'other' END AS kind, sum(pg_table_size(oid)) AS heap, sum(pg_indexes_size(oid)) AS indexes
      FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace GROUP BY 1 ORDER BY 1`,
  );
  const { rows: kept } = await pool.query<{ visits: string }>('SELECT sum(visits) AS visits FROM visit_site_hour');
  const each = (size: string) => (Number(size) / Number(kept[0]?.visits)).toFixed(1);
  console.log(
    `bytes for each visit: ${rows.map(({ kind, heap, indexes }) => `${kind} ${each(heap)} + ${each(indexes)} in indexes`).join(', ')}`,
  );
}
