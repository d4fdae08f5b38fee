import { and, asc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { RecurringJob } from '../../kit/jobs/jobs.ts';
import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';
import { openDatabase } from '../../kit/postgres/database.ts';
import type { Vault } from '../../kit/vault.ts';
import { toHex } from '../protocol/address.ts';
import { type Means, openNodes } from '../tron.means.ts';
import { tron_reading, tron_wallet } from '../tron.table.ts';

/** Each wallet once a day; so many at a time, so that other questions to the node come through. */
const hoursBetween = 20;
const walletsAtOnce = 500;
/** A block comes every three seconds, a question takes some milliseconds. */
const maxTries = 5;

/**
 * Asks the network what wallets hold by its solid blocks, those first that were not asked about for longest, and keeps it with its block.
 * The ledger's verification compares it with what was written down of their transfers.
 * @returns how many were read
 */
export async function readSolidBalances(means: Means, { limit = walletsAtOnce, signal }: { limit?: number; signal?: AbortSignal } = {}) {
  const { db } = means;
  const due = await db
    .select({ id: tron_wallet.id, address: tron_wallet.address })
    .from(tron_wallet)
    .leftJoin(tron_reading, eq(tron_reading.wallet_id, tron_wallet.id))
    .where(
      and(
        isNull(tron_wallet.removed_at),
        or(isNull(tron_reading.at), lt(tron_reading.at, sql`now() - make_interval(hours => ${hoursBetween})`)),
      ),
    )
    .orderBy(sql`${tron_reading.at} NULLS FIRST`, asc(tron_wallet.id))
    .limit(limit);
  if (due.length === 0) return 0;
  const { node, config } = await openNodes(means, signal);
  let read = 0;
  for (const { id, address } of due) {
    signal?.throwIfAborted();
    const held = await solidBalance();
    if (!held) continue;
    read += 1;
    const values = { contract: config.contract, ...held, at: sql`now()` };
    await db
      .insert(tron_reading)
      .values({ wallet_id: id, ...values })
      .onConflictDoUpdate({ target: tron_reading.wallet_id, set: values });

    /** A balance is of a block where no other one became solid meanwhile. */
    async function solidBalance(): Promise<{ block: number; usdt_balance: bigint } | undefined> {
      for (let tries = 0; tries < maxTries; tries += 1) {
        const { number: block } = await node.solidHead();
        const usdt_balance = await node.solidTokens(toHex(config.contract), toHex(address));
        if ((await node.solidHead()).number === block) return { block, usdt_balance };
      }
      return undefined;
    }
  }
  return read;
}

type Options = { pool: pg.Pool; vault: Vault; network: GuardedNetwork };

export const readingJobs = ({ pool, vault, network }: Options): RecurringJob[] => [
  { name: 'tron.readings', everyMinutes: 10, offsetMinutes: 6, run: () => readSolidBalances({ db: openDatabase(pool), vault, network }) },
];
