/** Some of the clients of `bench/money.ts`: deposits, payments and whole withdrawals, each told of when it is committed. It is killed. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Database, openDatabase, openPool, transactAgain } from '../src/server/kit/postgres/database.ts';
import { isInsufficient, post } from '../src/server/ledger/ledger.public.ts';

const [url = '', from = '1', to = '1', clients = '4'] = process.argv.slice(2);
const pool = openPool(url, { warn: () => {} }, Number(clients));
const db = openDatabase(pool);
const anybody = (): number => randomInt(Number(from), Number(to) + 1);

const available = (owner_id: number, amount: bigint) => ({ account: { kind: 'user_available' as const, owner_id }, amount });
const hold = (owner_id: number, amount: bigint) => ({ account: { kind: 'user_hold' as const, owner_id }, amount });

/** A deposit, a payment between users, or a withdrawal from being asked for to being paid, each step a transaction of its own. */
async function operate(tx: Database, kind: number, id: string, amount: bigint): Promise<void> {
  const ref = { type: 'bench', id };
  const [one, other] = [anybody(), anybody()];
  if (kind < 5)
    await post(tx, { kind: 'deposit', ref, entries: [{ account: { kind: 'chain_deposit' }, amount: -amount }, available(one, amount)] });
  else if (kind < 9) {
    if (one !== other) await post(tx, { kind: 'share', ref, entries: [available(one, -amount), available(other, amount)] });
    else
      await post(tx, { kind: 'deposit', ref, entries: [{ account: { kind: 'chain_deposit' }, amount: -amount }, available(one, amount)] });
  } else {
    await post(tx, { kind: 'withdrawal_hold', ref, entries: [available(one, -amount), hold(one, amount)] });
    await post(tx, { kind: 'payout', ref, entries: [hold(one, -amount), { account: { kind: 'chain_hot' }, amount }] });
  }
}

async function work(): Promise<never> {
  for (;;) {
    const id = randomUUID();
    const [kind, amount] = [randomInt(10), BigInt(randomInt(1, 3_000_000))];
    try {
      await transactAgain(db, (tx) => operate(tx, kind, id, amount));
      process.send?.(id);
    } catch (error) {
      // What failed otherwise may have been committed: nobody was told, and the books are asked at the end.
      if (!isInsufficient(error)) await delay(100);
    }
  }
}

for (let client = 0; client < Number(clients); client += 1) void work();
