import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { post } from '../../ledger/ledger.public.ts';
import type { SendHooks, SendRow } from '../sending/sends.ts';
import { enqueueSend } from '../sending/sends.ts';
import type { PayConfigRow } from '../tron.means.ts';
import { tron_collection } from '../tron.table.ts';
import type { Planned } from './plan.ts';

type CollectionRow = typeof tron_collection.$inferSelect;
type State = CollectionRow['state'];

/** Changes a collection's state from one of these; false where it is in none of them. */
async function move(
  tx: Database,
  id: number,
  from: readonly State[],
  set: Partial<Pick<CollectionRow, 'state' | 'remark'>> & { fee?: bigint; isFinished?: boolean },
): Promise<CollectionRow | undefined> {
  const { fee = 0n, isFinished = false, ...values } = set;
  const [moved] = await tx
    .update(tron_collection)
    .set({ ...values, fee: sql`${tron_collection.fee} + ${fee}`, ...(isFinished ? { finished_at: sql`now()` } : {}) })
    .where(and(eq(tron_collection.id, id), inArray(tron_collection.state, [...from])))
    .returning();
  return moved;
}

const sweepOf = ({ id, wallet_id, contract, receiver, amount }: CollectionRow, fee_limit: bigint) => ({
  ...{ purpose: 'sweep' as const, ref_id: id, asset: 'USDT' as const },
  ...{ wallet_id, contract, receiver, amount, fee_limit },
});

/**
 * Begins a collection: what is sent first waits in the same transaction. Undefined where one of the wallet is under way already.
 * @param feeWallet what TRX is sent from
 */
export function beginCollection(
  db: Database,
  { id: wallet_id, address, amount, fund_amount }: Planned,
  { contract, collecting_address, fee_limit }: PayConfigRow,
  { feeWallet, actor_id }: { feeWallet: number; actor_id: number | null },
): Promise<number | undefined> {
  return transact(db, async (tx) => {
    const values = { wallet_id, contract, receiver: collecting_address, amount, fund_amount, actor_id };
    const [made] = await tx.insert(tron_collection).values(values).onConflictDoNothing().returning();
    if (!made) return undefined;
    if (fund_amount > 0n)
      await enqueueSend(tx, {
        ...{ purpose: 'fund', ref_id: made.id, wallet_id: feeWallet, contract, asset: 'TRX' },
        ...{ receiver: address, amount: fund_amount, fee_limit: 0n },
      });
    else await enqueueSend(tx, sweepOf(made, fee_limit));
    return made.id;
  });
}

/** TRX that a transaction did cost leaves the site, whether it worked or not. */
export const bookFee = (tx: Database, { transaction_hash, fee }: SendRow) =>
  fee
    ? post(tx, {
        kind: 'network_fee',
        ref: { type: 'tron_transaction', id: transaction_hash ?? '' },
        entries: [
          { account: { kind: 'network_fee', asset: 'TRX' }, amount: -fee },
          { account: { kind: 'chain_hot', asset: 'TRX' }, amount: fee },
        ],
      })
    : undefined;

const fail = (tx: Database, send: SendRow, from: readonly State[]) =>
  move(tx, send.ref_id, from, { state: 'failed', remark: send.last_error ?? '', fee: send.fee ?? 0n, isFinished: true });

const cancelled = async (tx: Database, send: SendRow): Promise<void> => {
  const from: State[] = ['plan', 'fund_signed', 'fund_solid', 'sweep_signed'];
  await move(tx, send.ref_id, from, { state: 'cancelled', remark: send.last_error ?? '', isFinished: true });
};

/** TRX for the fee: once it is there, the collection itself waits to be sent. */
export const fundHooks: SendHooks = {
  async signed(tx, send) {
    await move(tx, send.ref_id, ['plan', 'fund_signed'], { state: 'fund_signed' });
  },
  async ok(tx, send) {
    await bookFee(tx, send);
    const row = await move(tx, send.ref_id, ['fund_signed'], { state: 'fund_solid', fee: send.fee ?? 0n });
    if (!row) return;
    const { rows } = await tx.execute<{ fee_limit: string }>(sql`SELECT fee_limit::text FROM pay_config`);
    await enqueueSend(tx, sweepOf(row, BigInt(rows[0]?.fee_limit ?? '0')));
  },
  async failed(tx, send) {
    await bookFee(tx, send);
    await fail(tx, send, ['fund_signed']);
  },
  cancelled,
};

/** The collection itself. It is booked by a step of its own, which is repeated until it was done. */
export const sweepHooks: SendHooks = {
  async signed(tx, send) {
    await move(tx, send.ref_id, ['plan', 'fund_solid', 'sweep_signed'], { state: 'sweep_signed' });
  },
  async ok(tx, send) {
    await bookFee(tx, send);
    await move(tx, send.ref_id, ['sweep_signed'], { state: 'sweep_solid', fee: send.fee ?? 0n });
  },
  async failed(tx, send) {
    await bookFee(tx, send);
    await fail(tx, send, ['sweep_signed']);
  },
  cancelled,
};

/** What is solid moves in the books from the wallets of users to the site's own money; once, however often it is tried. */
export async function bookCollections(db: Database): Promise<number> {
  const solid = await db.select().from(tron_collection).where(eq(tron_collection.state, 'sweep_solid')).limit(100);
  for (const { id, amount, actor_id } of solid)
    await transact(db, async (tx) => {
      const row = await move(tx, id, ['sweep_solid'], { state: 'booked', isFinished: true });
      if (!row) return;
      await post(tx, {
        kind: 'collection',
        ref: { type: 'tron_collection', id: String(id) },
        actor_id,
        entries: [
          { account: { kind: 'chain_hot' }, amount: -amount },
          { account: { kind: 'chain_deposit' }, amount },
        ],
      });
    });
  return solid.length;
}
