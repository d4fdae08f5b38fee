import { randomBytes } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Database, transact } from '../../kit/postgres/database.ts';
import type { Vault } from '../../kit/vault.ts';
import { deriveKey, entropyBytes } from '../keys/derive.ts';
import { openKey, sealKey } from '../keys/envelope.ts';
import { addressOfPublicKey, publicKeyOf, toBase58 } from '../protocol/address.ts';
import { tron_seed, tron_wallet } from '../tron.table.ts';

export type WalletRow = typeof tron_wallet.$inferSelect;
const sitePurposes = ['fee', 'payout'] as const;
export type SitePurpose = (typeof sitePurposes)[number];

/** What the seed is sealed for: no wallet has this number. */
const seedOwner = { id: 0, address: 'seed' };

/** The number of the next wallet and what it is derived from. Who asks at the same time waits for the end of this transaction. */
async function nextDerivation(tx: Database, vault: Vault): Promise<{ entropy: Buffer; index: number }> {
  const advance = () =>
    tx
      .update(tron_seed)
      .set({ next_index: sql`${tron_seed.next_index} + 1` })
      .returning();
  let [seed] = await advance();
  if (!seed) {
    await tx
      .insert(tron_seed)
      .values({ entropy: sealKey(vault, randomBytes(entropyBytes), seedOwner) })
      .onConflictDoNothing();
    [seed] = await advance();
  }
  if (!seed) throw new Error('the seed of wallets was not returned');
  return { entropy: openKey(vault, seed.entropy, seedOwner), index: seed.next_index - 1 };
}

async function makeWallet(
  tx: Database,
  vault: Vault,
  whose: { user_id: number | null; purpose: WalletRow['purpose'] },
): Promise<WalletRow> {
  const { entropy, index } = await nextDerivation(tx, vault);
  const key = deriveKey(entropy, index);
  entropy.fill(0);
  const public_key = Buffer.from(publicKeyOf(key));
  const address = toBase58(addressOfPublicKey(public_key));
  const { rows } = await tx.execute<{ id: number }>(sql`SELECT nextval(pg_get_serial_sequence('tron_wallet', 'id')) AS id`);
  const id = Number(rows[0]?.id);
  const private_key = sealKey(vault, key, { id, address });
  key.fill(0);
  const [made] = await tx
    .insert(tron_wallet)
    .values({ id, derivation_index: index, ...whose, address, public_key, private_key })
    .returning();
  if (!made) throw new Error('the wallet was not returned');
  return made;
}

const ofUser = (user_id: number) =>
  and(eq(tron_wallet.user_id, user_id), eq(tron_wallet.purpose, 'deposit'), isNull(tron_wallet.removed_at));
const ofSite = (purpose: SitePurpose) => and(eq(tron_wallet.purpose, purpose), isNull(tron_wallet.removed_at));

/** A user's deposit address, made where he has none; of any number of askers at once one makes it. */
export async function walletOf(db: Database, vault: Vault, user_id: number): Promise<WalletRow> {
  const [present] = await db.select().from(tron_wallet).where(ofUser(user_id));
  if (present) return present;
  return transact(db, async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('livecode tron wallet'), ${user_id % 2 ** 31}::int)`);
    const [meanwhile] = await tx.select().from(tron_wallet).where(ofUser(user_id));
    return meanwhile ?? makeWallet(tx, vault, { user_id, purpose: 'deposit' });
  });
}

/** A wallet of the site's own: `fee` has the TRX that collections cost, `payout` the USDT and TRX that withdrawals are paid with. */
export async function siteWallet(db: Database, vault: Vault, purpose: SitePurpose): Promise<WalletRow> {
  const [present] = await db.select().from(tron_wallet).where(ofSite(purpose));
  if (present) return present;
  return transact(db, async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('livecode tron wallet'), hashtext(${purpose}))`);
    const [meanwhile] = await tx.select().from(tron_wallet).where(ofSite(purpose));
    return meanwhile ?? makeWallet(tx, vault, { user_id: null, purpose });
  });
}

/** Wallets that are missing: of all users who may pay, and the site's own. Answers how many were made. */
export async function makeMissingWallets(tx: Database, vault: Vault): Promise<number> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    SELECT user_account.id FROM user_account JOIN role ON role.id = user_account.role_id
    WHERE role.kind IN ('customer', 'agent') AND NOT EXISTS (
      SELECT FROM tron_wallet WHERE tron_wallet.user_id = user_account.id AND purpose = 'deposit' AND tron_wallet.removed_at IS NULL)
    ORDER BY user_account.id`);
  for (const { id } of rows) await walletOf(tx, vault, id);
  let made = rows.length;
  for (const purpose of sitePurposes) {
    if ((await tx.$count(tron_wallet, ofSite(purpose))) > 0) continue;
    await siteWallet(tx, vault, purpose);
    made += 1;
  }
  return made;
}

/** The key of a wallet, for signing or for `reveal`; the caller wipes it. */
export const privateKeyOf = (vault: Vault, { id, address, private_key }: Pick<WalletRow, 'id' | 'address' | 'private_key'>): Buffer =>
  openKey(vault, private_key, { id, address });
