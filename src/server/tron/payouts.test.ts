import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '../kit/testing/app.ts';
import { findFaults } from '../ledger/ledger.verify.ts';
import { earn } from '../ledger/testing/money.ts';
import { hashPassword } from '../users/login/passwords.ts';
import { withdrawal } from '../withdrawals/withdrawals.table.ts';
import { beginPayouts, giveUpPayouts } from './payouts.ts';
import type { SendPoint } from './sending/engine.ts';
import { accountsOf, advanceAll, Killed, newSender, sendsOf, settleAll, stranger, transfersOnChain } from './testing/sending.ts';
import { createTronSite, type TronSite } from './testing/site.ts';
import { sendHooks } from './tron.sending.ts';
import { tron_send } from './tron.table.ts';
import { siteWallet } from './wallets/wallets.ts';

let site: TronSite;
let admin: TestUser;
let user: TestUser;
let payer: string;
const password = 'correct-horse-1';
beforeAll(async () => {
  site = await createTronSite();
  [admin, user] = [await site.makeUser('super'), await site.makeUser('agent')];
  await site.db.execute(sql`UPDATE user_account SET password_hash = ${await hashPassword(password)} WHERE id = ${admin.id}`);
  await site.db.execute(sql`INSERT INTO setting (key, value) VALUES ('withdrawal_payout', '"server"'), ('withdrawal_cool_off_hours', '0')`);
  payer = (await siteWallet(site.db, site.means.vault, 'payout')).address;
  site.tron.sendTrx(payer, 2_000_000_000n);
  site.tron.sendTokens(payer, 5_000_000_000n);
  site.tron.makeSolid();
  await site.read();
  await earn(site.db, user.id, 1_000_000_000n);
});
afterAll(() => site.close());

/** A withdrawal that was approved for the server to pay: 12 USDT leave the balance, 11 arrive. */
async function approved(address = stranger()): Promise<{ id: number; address: string }> {
  const { body } = await site.call(user, 'acting_withdrawal_list', 'add', { amount: '12', address });
  const { status } = await site.call(admin, 'withdrawal_list', 'approve', { id: body.id, password });
  expect(status).toBe(200);
  return { id: body.id, address };
}
const begin = () => beginPayouts(site.means);
const stateOf = async (id: number) => (await site.db.select().from(withdrawal).where(eq(withdrawal.id, id)))[0];
async function expectPaidOnce({ id, address }: { id: number; address: string }): Promise<void> {
  expect(await stateOf(id)).toMatchObject({ state: 'paid' });
  expect(transfersOnChain(site, payer, address, 11_000_000n)).toBe(1);
  expect(transfersOnChain(site, payer, address)).toBe(1);
  const { rows } = await site.db.execute(
    sql`SELECT count(*)::int AS number FROM ledger_transfer WHERE kind = 'payout' AND ref_id = ${String(id)}`,
  );
  expect(rows).toEqual([{ number: 1 }]);
}

test('nothing is paid by the server while an administrator pays', async () => {
  await site.db.execute(sql`UPDATE setting SET value = '"hash"' WHERE key = 'withdrawal_payout'`);
  await approved();
  expect(await begin()).toBe(0);
  await site.db.execute(sql`UPDATE setting SET value = '"server"' WHERE key = 'withdrawal_payout'`);
});

test('a withdrawal is paid from the payout wallet and booked with what it cost', async () => {
  const before = await accountsOf(site);
  const one = await approved();
  await Promise.all([begin().catch(() => 0), begin().catch(() => 0)]);
  await settleAll(site);
  await expectPaidOnce(one);
  const row = await stateOf(one.id);
  const [send] = (await sendsOf(site)).filter(({ ref_id }) => ref_id === one.id);
  expect(row).toMatchObject({ transaction_hash: send?.transaction_hash, network_fee: send?.fee });
  const after = await accountsOf(site);
  const change = (name: string) => (after[name] ?? 0n) - (before[name] ?? 0n);
  expect([change('chain_hot USDT'), change('payout_clearing USDT'), change('chain_hot TRX')]).toEqual([11_000_000n, 0n, send?.fee]);
});

test('it is paid once wherever the worker dies, whatever answers are lost, and however many workers there are', async () => {
  const points: SendPoint[] = ['chosen', 'signed', 'sent', 'broadcast', 'found', 'finished'];
  const deaths = new Map<number, SendPoint>();
  const all: { id: number; address: string }[] = [];
  for (const point of points) {
    const one = await approved();
    deaths.set(one.id, point);
    all.push(one);
  }
  for (const kind of ['lost', 'busy_503', 'error_in_200'] as const) {
    all.push(await approved());
    site.tron.faults.plan(kind, 2, 'broadcasthex');
  }
  await begin();
  const died: SendPoint[] = [];
  const reached = (point: SendPoint, { ref_id }: { ref_id: number }) => {
    if (deaths.get(ref_id) !== point) return;
    deaths.delete(ref_id);
    died.push(point);
    throw new Killed(point);
  };
  const workers = await Promise.all([newSender(site, reached), newSender(site, reached)]);
  await Promise.all(workers.map((worker) => advanceAll(site, worker)));
  await settleAll(site, { reached });
  expect(died.toSorted()).toEqual(points.toSorted());
  for (const one of all) await expectPaidOnce(one);
  expect((await findFaults(site.db)).faults).toEqual([]);
});

test('two of the same amount to the same address are both paid', async () => {
  const address = stranger();
  const both = [await approved(address), await approved(address)];
  await begin();
  await settleAll(site);
  for (const { id } of both) expect(await stateOf(id)).toMatchObject({ state: 'paid' });
  expect(transfersOnChain(site, payer, address, 11_000_000n)).toBe(2);
});

test('a receiver whom USDT’s contract has listed since is paid nothing, and an administrator is told why', async () => {
  const one = await approved();
  site.tron.blacklist(one.address);
  await begin();
  await settleAll(site);
  await giveUpPayouts(site.db, sendHooks);
  expect(await stateOf(one.id)).toMatchObject({ state: 'approved', payout: 'hash', problem: 'payout_blacklisted' });
  expect(transfersOnChain(site, payer, one.address)).toBe(0);
});

test('what the server cannot pay goes back to an administrator, when nothing of it can count any more', async () => {
  const one = await approved();
  await begin();
  const [send] = (await sendsOf(site)).filter(({ ref_id }) => ref_id === one.id);
  await site.db
    .update(tron_send)
    .set({ attempts: 5 })
    .where(eq(tron_send.id, send?.id ?? 0));
  await giveUpPayouts(site.db, sendHooks);
  expect(await stateOf(one.id)).toMatchObject({ state: 'paying' });
  await advanceAll(site, await newSender(site));
  await giveUpPayouts(site.db, sendHooks);
  expect(await stateOf(one.id)).toMatchObject({ state: 'approved', payout: 'hash' });
  expect(await begin()).toBe(0);
  expect(transfersOnChain(site, payer, one.address)).toBe(0);
});
