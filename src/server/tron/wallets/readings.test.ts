import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findFaults } from '../../ledger/ledger.verify.ts';
import { collect } from '../collections/collecting.ts';
import { readyToCollect, settleAll } from '../testing/sending.ts';
import { createTronSite, type TronSite } from '../testing/site.ts';
import { tron_reading, usdt_transaction } from '../tron.table.ts';
import { readSolidBalances } from './readings.ts';
import { walletOf } from './wallets.ts';

let site: TronSite;
beforeAll(async () => {
  site = await createTronSite();
  await readyToCollect(site);
});
afterAll(() => site.close());
beforeEach(() => site.db.update(tron_reading).set({ at: sql`now() - interval '21 hours'` }));

const faults = async () => (await findFaults(site.db)).faults;
async function payer(amount: bigint) {
  const user = await site.makeUser('customer');
  const hash = await site.pay(user, amount);
  return { user, hash, ...(await walletOf(site.db, site.means.vault, user.id)) };
}
const readingOf = async (id: number) => (await site.db.select().from(tron_reading).where(eq(tron_reading.wallet_id, id)))[0];

test('what the network says of each wallet is kept once a day, with its block', async () => {
  const { id } = await payer(3_000_000n);
  expect(await readSolidBalances(site.means)).toBeGreaterThan(0);
  expect(await readingOf(id)).toMatchObject({ usdt_balance: 3_000_000n, block: (await site.read()).block });
  expect([await readSolidBalances(site.means), await faults()]).toEqual([0, []]);
});

test('a payment that is not solid yet is no fault, whoever knows of it', async () => {
  const { user, id } = await payer(2_000_000n);
  site.tron.sendTokens(await site.addressOf(user), 9_000_000n);
  site.tron.makeBlocks(1);
  await readSolidBalances(site.means);
  expect([(await readingOf(id))?.usdt_balance, await faults()]).toEqual([2_000_000n, []]);
  site.tron.makeSolid();
  // The reading is of an earlier block than what was counted meanwhile.
  await site.read();
  expect(await faults()).toEqual([]);
});

test('what was collected is gone from the wallet in both', async () => {
  const { id } = await payer(30_000_000n);
  const admin = await site.makeUser('super');
  await collect(site.means, { ids: [id], actor_id: admin.id, signal: new AbortController().signal, progress: () => {} });
  await settleAll(site);
  await site.read();
  await readSolidBalances(site.means);
  expect([(await readingOf(id))?.usdt_balance, await faults()]).toEqual([0n, []]);
});

test('a payment that was never written down is found by its wallet, one that was never booked by itself', async () => {
  const { address, hash } = await payer(4_000_000n);
  await readSolidBalances(site.means);
  const [row] = await site.db.delete(usdt_transaction).where(eq(usdt_transaction.transaction_hash, hash)).returning();
  expect(await faults()).toEqual([
    { code: 'deposit', where: row?.fingerprint, expected: '0.000000', found: '4.000000' },
    { code: 'chain_wallet', where: address, expected: '0.000000', found: '4.000000' },
  ]);
  if (row) await site.db.insert(usdt_transaction).values({ ...row, amount: 5_000_000n });
  expect(await faults()).toEqual([
    { code: 'deposit', where: row?.fingerprint, expected: '5.000000', found: '4.000000' },
    { code: 'chain_wallet', where: address, expected: '5.000000', found: '4.000000' },
  ]);
  await site.db.update(usdt_transaction).set({ amount: 4_000_000n }).where(eq(usdt_transaction.transaction_hash, hash));
  expect(await faults()).toEqual([]);
});
