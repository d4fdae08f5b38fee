import { eq, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { PayoutProblem } from '../../contract/money/withdrawal-list.ts';
import type { Log } from '../kit/calls/context.ts';
import { AppError } from '../kit/calls/errors.ts';
import { claim } from '../kit/jobs/leased-rows.ts';
import { createWorkLoop, Stopped, type WorkLoop } from '../kit/jobs/work-loop.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import type { Bus } from '../kit/postgres/bus.ts';
import { type Database, openDatabase, transactAgain } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { verifyPayout } from '../tron/tron.public.ts';
import { settleWithdrawal } from './withdrawals.public.ts';
import { arrivingOf, transition } from './withdrawals.states.ts';
import { type StoredWithdrawal, withdrawal } from './withdrawals.table.ts';
import { refreshPages } from './withdrawals.telling.ts';

type Means = { db: Database; vault: Vault; network: GuardedNetwork };

const pollMilliseconds = 3_000;
const leaseSeconds = 60;
const restSeconds = 5;
/** While the network does not answer. */
const failedSeconds = 30;
/** A block that was taken back may take its payments along; they come again within this time, or never. */
const missingMinutes = 30;

export type Outcome = { state: 'paid' | 'confirming' } | { state: 'refused'; problem: PayoutProblem };

/** Whether this transaction pays that withdrawal. One from before it was asked for pays something else. */
export async function outcomeOf(means: Means, row: StoredWithdrawal, hash: string): Promise<Outcome> {
  const verdict = await verifyPayout(means, hash, row.address, arrivingOf(row));
  switch (verdict.state) {
    case 'missing':
      return { state: 'refused', problem: 'payout_missing' };
    case 'wrong':
      return { state: 'refused', problem: 'payout_wrong' };
    case 'confirming':
      return { state: 'confirming' };
    case 'paid':
      return Date.parse(verdict.at) < Date.parse(row.created_at) ? { state: 'refused', problem: 'payout_too_old' } : { state: 'paid' };
  }
}

async function refute(db: Database, id: number, hash: string, problem: PayoutProblem): Promise<void> {
  await transactAgain(db, async (tx) => {
    const row = await transition(tx, id, 'refute', { transaction_hash: null, problem }, eq(withdrawal.transaction_hash, hash));
    if (row) await refreshPages(tx, row);
  });
}

/** Asks the network again about the transaction that was named, and books it, refuses it, or leaves it for later. */
export async function verifyNamed(means: Means, id: number): Promise<void> {
  const { db } = means;
  const [row] = await db.select().from(withdrawal).where(eq(withdrawal.id, id));
  if (row?.state !== 'confirming' || row.transaction_hash === null) return;
  const { transaction_hash } = row;
  const outcome = await outcomeOf(means, row, transaction_hash);
  if (outcome.state === 'paid')
    await transactAgain(db, (tx) => settleWithdrawal(tx, id, { transaction_id: transaction_hash, network_fee: 0n }));
  if (outcome.state !== 'refused') return;
  const isRecent = Date.now() - Date.parse(row.updated_at) < missingMinutes * 60_000;
  if (outcome.problem !== 'payout_missing' || !isRecent) await refute(db, id, transaction_hash, outcome.problem);
}

/** Asks about transactions that are not solid yet, until it is stopped. */
export function startPayoutVerifier({
  pool,
  bus,
  network,
  vault,
  log,
}: Omit<Means, 'db'> & { pool: pg.Pool; bus: Bus; log: Log }): WorkLoop {
  const db = openDatabase(pool);
  const rest = (id: number, seconds: number) =>
    db.execute(
      sql`UPDATE withdrawal SET claimed_until = NULL, due_at = now() + make_interval(secs => ${seconds}) WHERE id = ${id} AND state = 'confirming'`,
    );
  return createWorkLoop<{ id: number }>({
    name: 'payouts on the chain',
    bus,
    pollMilliseconds,
    concurrency: 1,
    log,
    async claim() {
      const [claimed] = await claim<{ id: number }>(db, {
        table: 'withdrawal',
        due: sql`SELECT id FROM withdrawal WHERE state = 'confirming' AND due_at <= now() AND (claimed_until IS NULL OR claimed_until < now())
          ORDER BY due_at LIMIT 1`,
        set: sql`claimed_until = now() + make_interval(secs => ${leaseSeconds})`,
        returning: sql`withdrawal.id::float8 AS id`,
      });
      return claimed;
    },
    async run({ id }, signal) {
      try {
        await verifyNamed({ db, vault, network }, id);
        await rest(id, restSeconds);
      } catch (error) {
        if (signal.aborted && signal.reason instanceof Stopped) throw signal.reason;
        if (!(error instanceof AppError)) throw error;
        await rest(id, failedSeconds);
      }
    },
    release: ({ id }) => rest(id, 0),
  });
}
