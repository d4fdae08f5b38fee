import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { amountOf } from '../../../contract/money/amounts.ts';
import type { WalletPurpose } from '../../../contract/money/tron.ts';
import { socketTypes } from '../../../contract/socket.ts';
import { pushToPages } from '../../kit/messages/push.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { post } from '../../ledger/ledger.public.ts';
import { settleOpenOrders } from '../../orders/orders.public.ts';
import type { PayConfigRow } from '../tron.means.ts';
import { tron_wallet, usdt_transaction } from '../tron.table.ts';
import type { Transfer } from './transfers.ts';

type Wallet = { id: number; address: string; user_id: number | null; purpose: WalletPurpose };
type Config = Pick<PayConfigRow, 'contract' | 'minimum_deposit' | 'collecting_address'>;
type Written = typeof usdt_transaction.$inferSelect;

/** Wallets among the parties of these transfers, by address; removed ones, too: what arrives there is still its user's. */
export async function walletsAmong(db: Database, transfers: readonly Transfer[]): Promise<Map<string, Wallet>> {
  const addresses = [...new Set(transfers.flatMap(({ sender, receiver }) => [sender, receiver]))];
  if (addresses.length === 0) return new Map();
  const { id, address, user_id, purpose } = tron_wallet;
  const rows = await db
    .select({ id, address, user_id, purpose })
    .from(tron_wallet)
    .where(sql`${address} = ANY(${sql.param(addresses)}::text[])`);
  return new Map(rows.map((row) => [row.address, row]));
}

function rowOf(transfer: Transfer, wallets: ReadonlyMap<string, Wallet>, { contract, collecting_address }: Config) {
  const [from, to] = [wallets.get(transfer.sender), wallets.get(transfer.receiver)];
  const wallet = to ?? from;
  if (!wallet) return [];
  const isOurs = (address: string) => wallets.has(address) || address === collecting_address;
  const isDeposit = to !== undefined && !isOurs(transfer.sender);
  const type = isDeposit ? ('deposit' as const) : isOurs(transfer.receiver) ? ('internal' as const) : ('outgoing' as const);
  const owned = { wallet_id: wallet.id, user_id: wallet.user_id };
  const state = !isDeposit ? ('noted' as const) : wallet.user_id === null ? ('nobody' as const) : ('aside' as const);
  return [{ ...transfer, contract, type, state, ...owned }];
}

/**
 * Writes down transfers from and to our wallets and counts deposits, in the transaction that says that their blocks were read. A transfer is
 * written once, whoever comes with it how often: only what was written now is counted.
 */
export async function recordTransfers(
  tx: Database,
  transfers: readonly Transfer[],
  wallets: ReadonlyMap<string, Wallet>,
  config: Config,
): Promise<void> {
  const rows = transfers.flatMap((transfer) => rowOf(transfer, wallets, config));
  if (rows.length === 0) return;
  const written = await tx.insert(usdt_transaction).values(rows).onConflictDoNothing().returning();
  const users = new Set<number>();
  for (const row of written.toSorted((one, other) => one.id - other.id)) {
    if (row.type !== 'deposit') continue;
    if (row.user_id === null || row.amount < config.minimum_deposit) await setAside(tx, row);
    else await credit(tx, row);
    if (row.user_id !== null) users.add(row.user_id);
  }
  for (const user_id of [...users].sort((one, other) => one - other)) {
    await releaseAside(tx, user_id, config.minimum_deposit);
    await settleOpenOrders(tx, user_id);
  }
  if (users.size > 0) await pushToPages(tx, { to: { user_ids: [...users] }, type: socketTypes.deposit, content: { state: 'counted' } });
}

const refOf = (row: Written) => ({ type: 'usdt_transaction', id: row.fingerprint });
const chain = (amount: bigint) => ({ account: { kind: 'chain_deposit' } as const, amount: -amount });
const available = (owner_id: number, amount: bigint) => ({ account: { kind: 'user_available', owner_id } as const, amount });

async function credit(tx: Database, row: Written): Promise<void> {
  await post(tx, {
    kind: 'deposit',
    ref: refOf(row),
    note: row.transaction_hash,
    entries: [chain(row.amount), available(row.user_id ?? 0, row.amount)],
  });
  await tx.update(usdt_transaction).set({ state: 'credited', credited_at: sql`now()` }).where(eq(usdt_transaction.id, row.id));
}

/** Below the minimum, or of nobody: it is there, and counted as what waits. */
async function setAside(tx: Database, row: Written): Promise<void> {
  const entries = [chain(row.amount), { account: { kind: 'suspense' } as const, amount: row.amount }];
  await post(tx, { kind: 'deposit_aside', ref: refOf(row), note: row.transaction_hash, entries });
}

/** What a user's small payments come to is his once it reaches the minimum. */
export async function releaseAside(tx: Database, user_id: number, minimum: bigint): Promise<boolean> {
  const isAside = and(eq(usdt_transaction.user_id, user_id), eq(usdt_transaction.state, 'aside'));
  const kept = await tx.select().from(usdt_transaction).where(isAside).orderBy(asc(usdt_transaction.id)).for('update');
  const sum = kept.reduce((total, { amount }) => total + amount, 0n);
  if (sum === 0n || sum < minimum) return false;
  for (const row of kept) {
    const entries = [{ account: { kind: 'suspense' } as const, amount: -row.amount }, available(user_id, row.amount)];
    await post(tx, { kind: 'deposit_release', ref: refOf(row), note: `${row.transaction_hash} (${amountOf(sum)})`, entries });
  }
  await tx
    .update(usdt_transaction)
    .set({ state: 'credited', credited_at: sql`now()` })
    .where(
      inArray(
        usdt_transaction.id,
        kept.map(({ id }) => id),
      ),
    );
  return true;
}

/** Gives a user what is aside, whatever it comes to: a small payment of his, or one to a wallet that has no user. */
export async function releaseNamed(tx: Database, row: Written, user_id: number): Promise<void> {
  const entries = [{ account: { kind: 'suspense' } as const, amount: -row.amount }, available(user_id, row.amount)];
  await post(tx, { kind: 'deposit_release', ref: refOf(row), note: row.transaction_hash, entries });
  await tx.update(usdt_transaction).set({ state: 'credited', user_id, credited_at: sql`now()` }).where(eq(usdt_transaction.id, row.id));
}
