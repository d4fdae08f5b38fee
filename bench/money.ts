/**
 * Kills PostgreSQL, the worker that credits payments of a simulated network, and the processes of 16 clients in turn with SIGKILL while they move money: `npm run bench:money -- [--seconds 120]
 * [--pause 4000]`. Afterwards everything that a client was told is there once, balances are the sum of their entries, and nothing was made or
 * lost. Prints settled operations a second, between kills too.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { type Database, openDatabase, openPool } from '../src/server/kit/postgres/database.ts';
import { migrate } from '../src/server/kit/postgres/migrate.ts';
import { startPostgres } from '../src/server/kit/postgres/postgres.ts';
import { makeTestFolder } from '../src/server/kit/testing/folder.ts';
import { findFaults } from '../src/server/ledger/ledger.verify.ts';
import { startDeposits } from './money-deposits.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    pause: { type: 'string', default: '4000' },
    users: { type: 'string', default: '200' },
  },
});
const [seconds, pause, users] = [Number(values.seconds), Number(values.pause), Number(values.users)];
const processes = 4;
const clientsOfEach = 4;
const program = fileURLToPath(new URL('./money-client.ts', import.meta.url));

const dataDir = makeTestFolder();
const postgres = await startPostgres({ dataDir });
const told = new Set<string>();

async function makeUsers(db: Database): Promise<{ first: number; last: number }> {
  await db.execute(sql`INSERT INTO role (name, kind) VALUES ('bench', 'customer')`);
  const { rows } = await db.execute<{ id: number }>(sql`
    INSERT INTO user_account (account, password_hash, role_id, invitation_code)
    SELECT 'bench' || n, '', (SELECT id FROM role WHERE name = 'bench'), 'bench' || n FROM generate_series(1, ${users}) AS n RETURNING id`);
  const ids = rows.map(({ id }) => Number(id));
  return { first: Math.min(...ids), last: Math.max(...ids) };
}

/** A process of clients that is started again whenever it was killed. */
function keepClients(range: { first: number; last: number }): { kill: () => void; end: () => Promise<void> } {
  let isOver = false;
  let child: ChildProcess;
  const start = () => {
    child = fork(program, [postgres.url, String(range.first), String(range.last), String(clientsOfEach)]);
    child.on('message', (id) => told.add(String(id)));
    child.once('exit', () => isOver || start());
  };
  start();
  return {
    kill: () => void child.kill('SIGKILL'),
    async end() {
      isOver = true;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function killPostgres(): void {
  const pid = postgres.pid();
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}

async function waitForDatabase(db: Database): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    if (
      await db.execute(sql`SELECT 1`).then(
        () => true,
        () => false,
      )
    )
      return;
    await delay(500);
  }
  throw new Error('the database did not come back');
}

/** What was told and is not there, or twice. */
async function lostOf(db: Database): Promise<string[]> {
  const { rows } = await db.execute<{ ref_id: string }>(sql`SELECT DISTINCT ref_id FROM ledger_transfer WHERE ref_type = 'bench'`);
  const present = new Set(rows.map(({ ref_id }) => ref_id));
  return [...told].filter((id) => !present.has(id));
}

try {
  await migrate(postgres.url);
  const pool = openPool(postgres.url, { warn: () => {} }, 2);
  const db = openDatabase(pool);
  const range = await makeUsers(db);
  const clients = Array.from({ length: processes }, () => keepClients(range));
  await delay(2_000);
  const deposits = await startDeposits(db, postgres.url, dataDir, range.first);
  const startedAt = performance.now();
  const before = told.size;
  const kills = { clients: 0, worker: 0, postgres: 0 };
  let best = 0;
  for (let turn = 0; performance.now() - startedAt < seconds * 1000; turn += 1) {
    const at = told.size;
    await delay(pause);
    best = Math.max(best, ((told.size - at) * 1000) / pause);
    if (turn % 3 === 2) {
      killPostgres();
      kills.postgres += 1;
    } else if (turn % 3 === 1) {
      deposits.killWorker();
      kills.worker += 1;
    } else {
      clients[turn % processes]?.kill();
      kills.clients += 1;
    }
  }
  const elapsed = (performance.now() - startedAt) / 1000;
  const settled = told.size - before;
  await Promise.all(clients.map((client) => client.end()));
  await waitForDatabase(db);
  const payments = await deposits.end();
  const lost = await lostOf(db);
  const { transfers, entries, faults } = await findFaults(db);
  console.log({ settled, seconds: Math.round(elapsed), kills, transfers, entries });
  console.log(`settled operations a second: ${Math.round(settled / elapsed)} with all kills, ${Math.round(best)} between two`);
  console.log(`payments of the network: ${payments.sent} sent, ${payments.counted} credited once`);
  console.log(`told and not there: ${lost.length}`, lost.slice(0, 5));
  console.log(`faults of the ledger: ${faults.length}`, faults.slice(0, 5));
  process.exitCode = lost.length + faults.length + payments.sent - payments.counted > 0 ? 1 : 0;
  await pool.end();
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
