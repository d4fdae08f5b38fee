import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { type Database, transact } from '../kit/postgres/database.ts';
import { isLedgerSound } from '../ledger/ledger.public.ts';
import { beginPayout, giveUpPayout, settleWithdrawal, waitingPayouts } from '../withdrawals/withdrawals.public.ts';
import { bookFee } from './collections/collections.ts';
import { blacklisted } from './sending/engine.ts';
import { cancelSend, enqueueSend, type Hooks, type SendHooks } from './sending/sends.ts';
import { type Means, readPayConfig } from './tron.means.ts';
import { tron_send } from './tron.table.ts';
import { siteWallet } from './wallets/wallets.ts';

const payoutsAtOnce = 20;
/** A payout that could not be signed for so long is an administrator's. */
const patienceMinutes = 60;

/** A withdrawal that the product pays by itself. Its own fee is booked with it. */
export const payoutHooks: SendHooks = {
  async ok(tx, { ref_id, transaction_hash, fee }) {
    await settleWithdrawal(tx, ref_id, { transaction_id: transaction_hash ?? '', network_fee: fee ?? 0n });
  },
  async failed(tx, send) {
    await bookFee(tx, send);
  },
  async cancelled(tx, { ref_id, last_error }) {
    await giveUpPayout(tx, ref_id, last_error === blacklisted ? 'payout_blacklisted' : null);
  },
};

/**
 * Leaves to administrators what the product could not pay: it failed on the chain, was tried too often, or its wallet has been short for long.
 * Nothing that was signed for it may count any more.
 */
export async function giveUpPayouts(db: Database, hooks: Hooks): Promise<number> {
  const stuck = await db
    .select()
    .from(tron_send)
    .where(
      and(
        eq(tron_send.purpose, 'payout'),
        or(
          inArray(tron_send.state, ['held', 'solid_failed']),
          and(eq(tron_send.state, 'queued'), sql`${tron_send.created_at} < now() - make_interval(mins => ${patienceMinutes})`),
        ),
      ),
    )
    .limit(payoutsAtOnce);
  for (const send of stuck) await transact(db, (tx) => cancelSend(tx, hooks, send));
  return stuck.length;
}

/** Takes withdrawals that were approved for the product to pay; none while the ledger does not add up. */
export async function beginPayouts({ db, vault }: Pick<Means, 'db' | 'vault'>): Promise<number> {
  const waiting = await waitingPayouts(db, payoutsAtOnce);
  if (waiting.length === 0 || !(await isLedgerSound(db))) return 0;
  const { contract, fee_limit } = await readPayConfig(db);
  const wallet = await siteWallet(db, vault, 'payout');
  for (const id of waiting)
    await transact(db, async (tx) => {
      const payout = await beginPayout(tx, id);
      if (!payout) return;
      const { withdrawal_id: ref_id, address: receiver, amount } = payout;
      const isNew = await enqueueSend(tx, {
        purpose: 'payout',
        asset: 'USDT',
        wallet_id: wallet.id,
        ref_id,
        contract,
        receiver,
        amount,
        fee_limit,
      });
      // It was taken once: the row says what became of it.
      if (!isNew) throw new Error(`withdrawal ${id} has a payment already`);
    });
  return waiting.length;
}
