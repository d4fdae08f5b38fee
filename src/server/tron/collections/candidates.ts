import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../kit/postgres/database.ts';

/** What can be collected from a wallet: payments that were counted, less what left it. Addresses as people read them. */
export type Candidate = { id: number; address: string; account: string | null; amount: bigint };

type Wanted = {
  contract: string;
  /** These wallets, whatever they hold; without, all that hold at least as much. */
  ids?: readonly number[] | undefined;
  threshold: bigint;
};

const finished = sql`('booked', 'failed', 'cancelled')`;

/**
 * By what solid blocks say, as it is counted in the ledger: what the network calls a wallet's balance may be gone with a block. A collection
 * that is solid and was not read as a block yet counts as gone.
 */
export async function candidates(db: Database, { contract, ids, threshold }: Wanted): Promise<Candidate[]> {
  const least = ids ? 1n : threshold;
  const own: SQL = ids ? sql`AND wallet.id = ANY(${sql.param([...ids])}::bigint[])` : sql``;
  const { rows } = await db.execute<{ id: number; address: string; account: string | null; amount: string }>(sql`
    SELECT wallet.id, wallet.address, user_account.account, held.amount::text AS amount
    FROM tron_wallet AS wallet LEFT JOIN user_account ON user_account.id = wallet.user_id
      CROSS JOIN LATERAL (SELECT
        coalesce((SELECT sum(amount) FROM usdt_transaction
          WHERE receiver = wallet.address AND type = 'deposit' AND contract = ${contract}), 0)
        - coalesce((SELECT sum(amount) FROM usdt_transaction WHERE sender = wallet.address AND contract = ${contract}), 0)
        - coalesce((SELECT sum(amount) FROM tron_send WHERE tron_send.wallet_id = wallet.id AND purpose = 'sweep' AND contract = ${contract}
          AND state = 'solid_ok' AND NOT EXISTS (SELECT FROM usdt_transaction AS read WHERE read.transaction_hash = tron_send.transaction_hash)), 0)
        AS amount) AS held
    WHERE wallet.purpose = 'deposit' AND held.amount >= ${least.toString()}::bigint ${own}
      AND NOT EXISTS (SELECT FROM tron_collection WHERE wallet_id = wallet.id AND state NOT IN ${finished})
    ORDER BY held.amount DESC, wallet.id`);
  return rows.map(({ amount, ...row }) => ({ ...row, id: Number(row.id), amount: BigInt(amount) }));
}

export async function countUnderWay(db: Database): Promise<number> {
  const { rows } = await db.execute<{ number: number }>(sql`SELECT count(*) AS number FROM tron_collection WHERE state NOT IN ${finished}`);
  return Number(rows[0]?.number ?? 0);
}
