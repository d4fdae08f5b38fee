/** The product's worker beside the clients of `bench/money.ts`: it credits payments of a simulated network, and is killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { startTron } from '../simulators/tron/tron.ts';
import type { Database } from '../src/server/kit/postgres/database.ts';
import { createVault, readMasterKey } from '../src/server/kit/vault.ts';
import { walletOf } from '../src/server/tron/wallets/wallets.ts';
import { workerRuntime } from '../src/server/worker.runtime.ts';

const payers = 20;
const paymentMilliseconds = 250;
const program = fileURLToPath(new URL('../src/server/worker.ts', import.meta.url));

export type Deposits = {
  killWorker: () => void;
  /** Waits until every payment is counted or two minutes have passed, and tells how many were sent and how many were counted once. */
  end: () => Promise<{ sent: number; counted: number }>;
};

/** Pays every quarter of a second to one of some users, while a worker reads the blocks. */
export async function startDeposits(db: Database, url: string, dataDir: string, firstUser: number): Promise<Deposits> {
  const tron = await startTron({ clock: true });
  tron.makeBlocks(30);
  const vault = createVault(readMasterKey(dataDir));
  await db.execute(sql`UPDATE pay_config SET url = ${tron.url}`);
  const addresses: string[] = [];
  for (let user = 0; user < payers; user += 1) addresses.push((await walletOf(db, vault, firstUser + user)).address);

  let isOver = false;
  let worker: ChildProcess;
  const startWorker = () => {
    const { args, env } = workerRuntime;
    const own = { DATABASE_URL: url, LIVECODE_DATA_DIR: dataDir, LIVECODE_LOG_LEVEL: 'warn', LIVECODE_ALLOWED_NETWORKS: '127.0.0.0/8' };
    worker = spawn(process.execPath, [...args, program], {
      env: { ...process.env, ...env, ...own },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    // Without a database it ends: it is started again, as the supervisor does.
    worker.once('exit', () => setTimeout(() => isOver || startWorker(), 500));
  };
  startWorker();

  const sent: string[] = [];
  const pay = setInterval(() => {
    const address = addresses[randomInt(payers)];
    if (address) sent.push(tron.sendTokens(address, BigInt(randomInt(1_000_000, 9_000_000))));
  }, paymentMilliseconds);

  async function counted(): Promise<number> {
    const { rows } = await db.execute<{ number: number }>(sql`
      SELECT count(*)::integer AS number FROM usdt_transaction WHERE state = 'credited' AND transaction_hash = ANY(${sql.param(sent)}::text[])`);
    return rows[0]?.number ?? 0;
  }

  return {
    killWorker: () => void worker.kill('SIGKILL'),
    async end() {
      clearInterval(pay);
      tron.makeSolid();
      for (let seconds = 0; seconds < 120 && (await counted()) < sent.length; seconds += 1) await delay(1_000);
      isOver = true;
      const gone = new Promise((resolve) => worker.once('exit', resolve));
      worker.kill('SIGKILL');
      await gone;
      await tron.stop();
      return { sent: sent.length, counted: await counted() };
    },
  };
}
