import { eq } from 'drizzle-orm';
import type { ParsedInputOf } from '../../../contract/kit/call.ts';
import { millionthsOf } from '../../../contract/money/amounts.ts';
import type { orders } from '../../../contract/money/order.ts';
import { AppError, invalidField, violatedConstraint } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { lockBalance } from '../../ledger/ledger.public.ts';
import { type NamedDeposit, readNamedDeposit, type TronMeans, takeNamedDeposit } from '../../tron/tron.public.ts';
import { combo_order, type StoredOrder } from '../orders.table.ts';
import { lockMember, type Payment, settle } from '../settling.ts';

type Input = Omit<ParsedInputOf<(typeof orders)['calls']['mark_paid']>, 'id'>;
/** How an order was paid, as an administrator says it and as far as the network was asked. */
export type Marking =
  | { method: 'payment' | 'gift'; reason: string }
  | { method: 'chain'; reason: string; transaction_hash: string; transfers: Extract<NamedDeposit, { state: 'solid' }>['transfers'] };

const problems = { missing: 'payout_missing', confirming: 'payment_confirming', wrong: 'payment_wrong' } as const;

/** How it was paid; 400 where the network does not confirm it. Asks the network: not within a transaction. */
export async function readMarking(means: TronMeans, { method, reason = '', transaction_hash = '' }: Input): Promise<Marking> {
  if (method !== 'chain') return { method, reason };
  const hash = transaction_hash.toLowerCase().replace(/^0x/, '');
  const found = await readNamedDeposit(means, hash);
  if (found.state !== 'solid') throw invalidField('transaction_hash', problems[found.state]);
  return { method, reason, transaction_hash: hash, transfers: found.transfers };
}

type Marked = { actor_id: number; now: Date };
const states: StoredOrder['state'][] = ['waiting', 'expired'];
const notPayable = () => new AppError(409, 'order.not_payable');

/** Pays an order as an administrator says that it was paid, in one transaction with the money that it was paid with. */
export async function markPaid(tx: Database, order: StoredOrder, marking: Marking, { actor_id, now }: Marked): Promise<void> {
  const member = await lockMember(tx, order.user_id);
  if (marking.method === 'chain') return markPaidOnChain(tx, order, marking, { actor_id, now });
  const { method, reason } = marking;
  if (!(await settle(tx, order, member, { from: method, states, reason, actor_id, now }))) throw notPayable();
}

/**
 * The payment goes to the balance like every other one, and the order is paid from there: so what is left of it stays, and one that came too
 * late or was kept aside serves after all.
 */
async function markPaidOnChain(
  tx: Database,
  { id, user_id, amount }: StoredOrder,
  { reason, transaction_hash, transfers }: Extract<Marking, { method: 'chain' }>,
  { actor_id, now }: Marked,
): Promise<void> {
  const sayUsed = (error: unknown): never => {
    throw violatedConstraint(error) === 'combo_order_transaction_hash_key' ? invalidField('transaction_hash', 'order_hash_used') : error;
  };
  const before = await readStored(tx, id);
  if (!states.includes(before.state)) throw notPayable();
  if (!(await takeNamedDeposit(tx, transfers, user_id))) throw invalidField('transaction_hash', 'payment_of_another');
  const present = await readStored(tx, id);
  // What had not been read yet has just paid it by itself.
  if (present.state === 'paid') {
    const marked = { paid_from: 'chain', transaction_hash, reason, decided_by: actor_id } as const;
    await tx.update(combo_order).set(marked).where(eq(combo_order.id, id)).catch(sayUsed);
    return;
  }
  const balance = await lockBalance(tx, { kind: 'user_available', owner_id: user_id });
  if (balance < millionthsOf(amount)) throw invalidField('transaction_hash', 'payment_too_small');
  const member = await lockMember(tx, user_id);
  const payment: Payment = { from: 'chain', states, reason, transaction_hash, actor_id, now };
  if (!(await settle(tx, present, member, payment).catch(sayUsed))) throw notPayable();
}

async function readStored(tx: Database, id: number): Promise<StoredOrder> {
  const [found] = await tx.select().from(combo_order).where(eq(combo_order.id, id));
  if (!found) throw new Error(`there is no order ${id}`);
  return found;
}
