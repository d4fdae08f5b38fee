import { eq } from 'drizzle-orm';
import { AppError } from '../kit/calls/errors.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import type { Database } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { transfersIn } from './deposits/transfers.ts';
import { isAddress, toHex } from './protocol/address.ts';
import { openNodes, readPayConfig } from './tron.means.ts';
import { tron_position, tron_wallet } from './tron.table.ts';
import { walletOf } from './wallets/wallets.ts';

export { type NamedDeposit, readNamedDeposit, takeNamedDeposit } from './deposits/named.ts';
export { readPayer, solidDepositsSince } from './deposits/payer.ts';
export { toSend } from './deposits/to-send.ts';
export { readShortWallets, readUnreadPayments, readWalletFigures } from './wallets/standing.ts';
export { isAddress };

/** What a transaction that is said to be a payout turns out to be. */
export type PayoutVerdict =
  | { state: 'paid'; block: number; at: string }
  /** No block has it. */
  | { state: 'missing' }
  /** It is in a block that is not solid yet: ask again in a minute. */
  | { state: 'confirming'; block: number }
  /** It failed, or sent another amount, to another address, or of another token. */
  | { state: 'wrong' };

export type { Means as TronMeans } from './tron.means.ts';

type Means = { db: Database; vault: Vault; network: GuardedNetwork };

/**
 * Whether a transaction sent exactly so much USDT to an address: of the configured contract, successful, solid, and the same at both nodes
 * where there are two. Asks the network: not within a transaction.
 * @param amount millionths
 */
export async function verifyPayout(means: Means, hash: string, address: string, amount: bigint): Promise<PayoutVerdict> {
  if (!/^[0-9a-f]{64}$/.test(hash)) return { state: 'missing' };
  const { config, node, second } = await openNodes(means);
  const isWanted = (transfer: { receiver: string; amount: bigint }) => transfer.receiver === address && transfer.amount === amount;
  const solid = await node.info(hash, { solid: true });
  if (!solid) {
    const fresh = await node.info(hash, { solid: false });
    if (!fresh) return { state: 'missing' };
    return transfersIn([fresh], config.contract).some(isWanted) ? { state: 'confirming', block: fresh.block } : { state: 'wrong' };
  }
  const [found] = transfersIn([solid], config.contract).filter(isWanted);
  if (!found) return { state: 'wrong' };
  if (second) {
    const theirs = await second.info(hash, { solid: true });
    if (!theirs) return { state: 'confirming', block: found.block };
    if (!transfersIn([theirs], config.contract).some(isWanted)) return { state: 'wrong' };
  }
  return { state: 'paid', block: found.block, at: found.at };
}

/** For an answer that an administrator waits for. */
const patienceMilliseconds = 8_000;

/**
 * Whether the contract's owner has frozen an address: what is paid there is lost to its receiver. Undefined where the network does not
 * answer now. Asks the network: not within a transaction.
 */
export async function isBlackListed(means: Means, address: string): Promise<boolean | undefined> {
  const signal = AbortSignal.timeout(patienceMilliseconds);
  const { config, node } = await openNodes(means, signal);
  return node.isBlackListed(toHex(config.contract), toHex(address)).catch((error: unknown) => {
    if (error instanceof AppError || signal.aborted) return undefined;
    throw error;
  });
}

/** What payment screens tell: the network, how long orders wait, whether a QR code is shown. */
export async function readPaymentTerms(db: Database) {
  const { network, order_minutes, qr_code_switch, minimum_deposit } = await readPayConfig(db);
  return { network, order_minutes, qr_code_switch, minimum_deposit };
}

/** Where a user pays to, made where he has no address yet. */
export const depositAddress = async (db: Database, vault: Vault, user_id: number): Promise<string> =>
  (await walletOf(db, vault, user_id)).address;

/** Up to when payments were read: an order expires by this clock, so that a pause of the watcher expires nobody. Undefined: nothing was read. */
export async function paymentsReadUntil(db: Database): Promise<string | undefined> {
  const { contract } = await readPayConfig(db);
  const [position] = await db.select({ at: tron_position.block_at }).from(tron_position).where(eq(tron_position.contract, contract));
  return position?.at;
}

/** Whether an address is one of the site's own: a wallet, the collecting address, or the token itself. */
export async function isSiteAddress(db: Database, address: string): Promise<boolean> {
  const { contract, collecting_address } = await readPayConfig(db);
  if (address === contract || address === collecting_address) return true;
  return (await db.$count(tron_wallet, eq(tron_wallet.address, address))) > 0;
}
