import { eq, sql } from 'drizzle-orm';
import { amountOf } from '../../../contract/money/amounts.ts';
import type { WalletPurpose } from '../../../contract/money/tron.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { readPayConfig } from '../tron.means.ts';
import { tron_position } from '../tron.table.ts';

/** Payments that wait for money on their wallet. */
const shortSends = sql`tron_send WHERE state = 'queued' AND last_error IN ('tron_send.short_usdt', 'tron_send.short_trx')`;

/** Wallets that payments wait for, those of most payments first, and since when. */
export async function readShortWallets(db: Database) {
  const { rows } = await db.execute<{ id: string; purpose: WalletPurpose; address: string; payments: string; since: string }>(sql`
    SELECT wallet.id::text, wallet.purpose, wallet.address, waiting.payments::text, waiting.since FROM tron_wallet AS wallet
      JOIN (SELECT wallet_id, count(*) AS payments, min(created_at) AS since FROM ${shortSends} GROUP BY wallet_id) AS waiting
        ON waiting.wallet_id = wallet.id
    ORDER BY waiting.payments DESC, wallet.id`);
  return rows.map(({ id, payments, since, ...row }) => ({
    ...row,
    id: Number(id),
    payments: Number(payments),
    since: new Date(since).toISOString(),
  }));
}

/** How long the network may not have been read before somebody is told: a node that was away for a moment is no news. */
const unreadMinutes = 5;

/** Why payments were not read for long; undefined while they are. */
export async function readUnreadPayments(db: Database, now: Date) {
  const { contract } = await readPayConfig(db);
  const [position] = await db.select().from(tron_position).where(eq(tron_position.contract, contract));
  if (!position?.last_error || Date.parse(position.block_at) > now.getTime() - unreadMinutes * 60_000) return undefined;
  return { error: position.last_error, params: position.last_error_params ?? {}, read_at: position.block_at };
}

/** What the wallets of the site hold, as the network said when it was asked last; nothing is asked here. */
export async function readWalletFigures(db: Database) {
  const { rows } = await db.execute<
    Record<'number' | 'usdt' | 'short', string> & Record<'fee_trx' | 'payout_usdt' | 'read_at', string | null>
  >(sql`
    SELECT count(*)::text AS number, coalesce(sum(usdt_balance) FILTER (WHERE purpose = 'deposit'), 0)::text AS usdt,
      (sum(trx_balance) FILTER (WHERE purpose = 'fee' AND balance_at IS NOT NULL))::text AS fee_trx,
      (sum(usdt_balance) FILTER (WHERE purpose = 'payout' AND balance_at IS NOT NULL))::text AS payout_usdt,
      max(balance_at) AS read_at, (SELECT count(*) FROM ${shortSends})::text AS short
    FROM tron_wallet WHERE removed_at IS NULL`);
  const [found] = rows;
  if (!found) throw new Error('an aggregate has one row');
  const amount = (units: string | null) => (units === null ? null : amountOf(BigInt(units)));
  return {
    number: Number(found.number),
    usdt: amountOf(BigInt(found.usdt)),
    fee_trx: amount(found.fee_trx),
    payout_usdt: amount(found.payout_usdt),
    short: Number(found.short),
    read_at: found.read_at === null ? null : new Date(found.read_at).toISOString(),
  };
}
