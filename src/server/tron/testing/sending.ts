import { randomBytes } from 'node:crypto';
import { eq, inArray, sql } from 'drizzle-orm';
import { bookCollections } from '../collections/collections.ts';
import { addressOfPrivateKey, toBase58, toHex } from '../protocol/address.ts';
import { sentTokens } from '../protocol/transaction.ts';
import { advanceSend, type Sender } from '../sending/engine.ts';
import { openSender } from '../sending/sender.ts';
import type { SendRow } from '../sending/sends.ts';
import { sendHooks } from '../tron.sending.ts';
import { tron_send } from '../tron.table.ts';
import { siteWallet } from '../wallets/wallets.ts';
import { configure, type TronSite } from './site.ts';

export const stranger = (): string => toBase58(addressOfPrivateKey(new Uint8Array(randomBytes(32))));

/** What a test does to a worker: it dies here, and what it did is left as it is. */
export class Killed extends Error {}

const live = ['queued', 'signed', 'broadcast'] as const;
export const sendsOf = ({ db }: TronSite): Promise<SendRow[]> => db.select().from(tron_send).orderBy(tron_send.id);

/** A worker as it is after a start: it knows what the database knows. */
export async function newSender(site: TronSite, reached?: Sender['reached']): Promise<Sender> {
  const sender = await openSender(site.means, sendHooks);
  return reached ? { ...sender, reached } : sender;
}

/** One round of a worker over everything that is under way, at once whatever the time is. */
export async function advanceAll(site: TronSite, sender: Sender): Promise<void> {
  const rows = await site.db
    .select()
    .from(tron_send)
    .where(inArray(tron_send.state, [...live]))
    .orderBy(tron_send.id);
  for (const row of rows)
    await advanceSend(sender, row).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
  await bookCollections(site.db);
}

/** Goes on until nothing is under way, with blocks as time passes. */
export async function settleAll(
  site: TronSite,
  { rounds = 12, reached }: { rounds?: number; reached?: Sender['reached'] } = {},
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await advanceAll(site, await newSender(site, reached));
    site.tron.makeSolid();
    await site.read();
    if ((await site.db.$count(tron_send, inArray(tron_send.state, [...live]))) === 0) break;
  }
  await bookCollections(site.db);
}

/** So much time that nothing which is signed now can count later, and that this is certain. */
export async function letExpire(site: TronSite): Promise<void> {
  site.tron.makeBlock();
  site.tron.makeBlocks(60);
  site.tron.makeSolid();
  await site.read();
}

/** How often the chain has a transfer of so much USDT from one address to another. */
export function transfersOnChain({ tron }: TronSite, from: string, to: string, amount?: bigint): number {
  let number = 0;
  for (let block = 1; block <= tron.chain.head(); block += 1)
    for (const { act, result } of tron.chain.transactionsOf(block)) {
      if (act?.kind !== 'call' || result !== 'SUCCESS' || act.owner !== toHex(from)) continue;
      const sent = sentTokens(act);
      if (sent && toBase58(sent.to) === to && (amount === undefined || sent.amount === amount)) number += 1;
    }
  return number;
}

/** TRX on the site's own wallet, and where collections go. */
export async function readyToCollect(site: TronSite, trx = 1_000_000_000n): Promise<{ collecting: string; fee: string }> {
  const collecting = stranger();
  const fee = (await siteWallet(site.db, site.means.vault, 'fee')).address;
  site.tron.sendTrx(fee, trx);
  site.tron.makeSolid();
  await configure(site, { collecting_address: collecting });
  return { collecting, fee };
}

export type Books = Record<string, bigint>;
/** What each kind of account holds, by asset. */
export async function accountsOf({ db }: TronSite): Promise<Books> {
  const { rows } = await db.execute<{ name: string; balance: string }>(
    sql`SELECT kind || ' ' || asset AS name, sum(balance)::text AS balance FROM ledger_account GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, balance }) => [name, BigInt(balance)]));
}

export const rowOf = async ({ db }: TronSite, id: number): Promise<SendRow> => {
  const [row] = await db.select().from(tron_send).where(eq(tron_send.id, id));
  if (!row) throw new Error(`there is no send ${id}`);
  return row;
};
