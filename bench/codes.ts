/**
 * How quick live codes are in a large installation: `npm run bench:codes -- [--codes 1000000] [--repeat 20]`. Fills the embedded PostgreSQL,
 * opens the list as an administrator (who sees all) and as a customer with a tenth of all codes: first pages, sorts, filters, searches;
 * changes 5,000 selected codes at once; imports 10,000 rows by the worker's own kind. Fails where the 95th percentile of a list is above
 * 300 ms, the change above 3 s, the import above 60 s.
 */
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startOperations } from '../src/server/jobs/operations.runner.ts';
import { openBus } from '../src/server/kit/postgres/bus.ts';
import { openPool } from '../src/server/kit/postgres/database.ts';
import { migrate } from '../src/server/kit/postgres/migrate.ts';
import { startPostgres } from '../src/server/kit/postgres/postgres.ts';
import { makeTestFolder } from '../src/server/kit/testing/folder.ts';
import { codeImportKind } from '../src/server/live-codes/import/import.run.ts';
import { seed } from '../src/server/seed.ts';
import { fillCodes, largeAccount } from './codes-data.ts';
import { type Ask, listInputs, measure, openApp, openSession, sendTable } from './codes-measure.ts';

const { values } = parseArgs({ options: { codes: { type: 'string', default: '1000000' }, repeat: { type: 'string', default: '20' } } });
const [codes, repeat] = [Number(values.codes), Number(values.repeat)];
const wanted = { list: 300, change: 3000, import: 60_000 };
const faults: string[] = [];

function tell(what: string, milliseconds: number, limit: number, more = ''): void {
  const isSlow = milliseconds > limit;
  if (isSlow) faults.push(`${what}: ${milliseconds.toFixed(0)} ms`);
  console.log(`${isSlow ? 'SLOW' : '    '} ${milliseconds.toFixed(0).padStart(6)} ms  ${what}${more}`);
}

async function measureLists(ask: Ask, who: string, list: 'inquire' | 'user_inquire'): Promise<void> {
  for (const input of listInputs) {
    const { median, p95 } = await measure(() => ask(`qr_code_list/${list}`, input), repeat);
    tell(`${who} ${JSON.stringify(input)}`, p95, wanted.list, `, median ${median.toFixed(0)} ms`);
  }
}

async function measureChange(ask: Ask): Promise<void> {
  const { ids } = await ask<{ ids: number[] }>('qr_code_list/ids', { sort: 'created_at', order: 'desc' });
  const changes = [{ remark: 'one' }, { rotation_mode: 2, jump_type: 3 }, { open: false }];
  for (const change of changes) {
    const startedAt = performance.now();
    await ask('qr_code_list/batch_update', { ids, changes: change });
    tell(`${ids.length} selected codes get ${JSON.stringify(change)}`, performance.now() - startedAt, wanted.change);
  }
}

async function measureImport(ask: Ask, send: (table: string) => Promise<{ id: string; columns: (string | null)[] }>): Promise<void> {
  const rows = Array.from(
    { length: 10_000 },
    (_, n) => `import-${n},海报 ${n},https://example.com/${n},${n % 3 === 0 ? 100 : ''},组 ${n % 20}`,
  );
  const startedAt = performance.now();
  const file = await send(`file_name,name,target_1,target_1_threshold,group\n${rows.join('\n')}\n`);
  const plan = { id: file.id, columns: file.columns, existing: 'skip', odd_keys: 'refuse' };
  await ask('code_import/check', plan);
  tell('a dry run of 10,000 rows, upload included', performance.now() - startedAt, wanted.import);
  const { operation_id } = await ask<{ operation_id: number }>('code_import/start', plan);
  for (;;) {
    const { content } = await ask<{ content: { status: number; message: string }[] }>('async_operations/inquire', { ids: [operation_id] });
    const [row] = content;
    if (row && row.status !== 1) {
      tell('an import of 10,000 rows', performance.now() - startedAt, wanted.import, `: ${row.message}`);
      if (row.status !== 2) faults.push(row.message);
      return;
    }
    await delay(100);
  }
}

const dataDir = makeTestFolder();
const postgres = await startPostgres({ dataDir });
const pool = openPool(postgres.url, { warn: () => {} }, 10);
const log = { info: () => {}, warn: console.warn, error: console.error };
try {
  await migrate(postgres.url);
  await seed(pool, { adminPassword: 'bench-password', visitPort: 3001, dataDir, demo: false });
  await fillCodes(pool, { codes, own: codes / 10, visited: codes * 0.3, today: codes / 20 });
  const app = await openApp(pool, dataDir);
  const bus = openBus(postgres.url, log);
  const worker = startOperations({ pool, bus, dataDir, kinds: [codeImportKind], log });
  const administrator = await openSession(pool, app, 'admin');
  const customer = await openSession(pool, app, largeAccount);
  await measureLists(administrator.ask, 'administrator', 'user_inquire');
  await measureLists(customer.ask, 'customer', 'inquire');
  await measureChange(customer.ask);
  await measureImport(customer.ask, (table) => sendTable(app, customer.token, table));
  await worker.stop();
  await bus.stop();
  await app.close();
  for (const fault of faults) console.error(`FAULT ${fault}`);
  console.log(faults.length === 0 ? 'everything is within its limits' : `${faults.length} faults`);
} finally {
  await pool.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit(faults.length === 0 ? 0 : 1);
