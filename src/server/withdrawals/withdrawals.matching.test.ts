import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { usdt } from '../../../simulators/tron/network.ts';
import { transferLog } from '../../../simulators/tron/tokens.ts';
import { transact } from '../kit/postgres/database.ts';
import type { TestUser } from '../kit/testing/app.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { findFaults } from '../ledger/ledger.verify.ts';
import { rescan } from '../tron/deposits/scan.ts';
import { toHex } from '../tron/protocol/address.ts';
import { newCombo, newOrder } from '../tron/testing/model.ts';
import type { TronSite } from '../tron/testing/site.ts';
import { million, newAddress, type Office, openOffice, password } from './testing/office.ts';
import { transition } from './withdrawals.states.ts';

let office: Office;
let site: TronSite;
let agent: TestUser;
/** A wallet of the administrators' outside of the site. */
const declared = newAddress();

beforeAll(async () => {
  office = await openOffice();
  ({ site } = office);
  expect((await declare([declared])).status).toBe(200);
});
afterAll(async () => {
  expect((await findFaults(site.db)).faults).toEqual([]);
  await site.close();
});
beforeEach(async () => {
  agent = await office.newAgent();
});

const declare = (payout_addresses: readonly string[], proof: object = { password }) =>
  site.send(office.admin, 'pay_config/update', { payout_addresses, ...proof });

async function approved(address = newAddress(), amount = '10') {
  const { id } = (await site.call(agent, 'acting_withdrawal_list', 'add', { amount, address })).body;
  await office.approve(id);
  return { id, address };
}

/** Sends from a wallet, in a block that is solid. */
function place(receiver: string, amount: bigint, sender = declared): string {
  const id = randomBytes(32).toString('hex');
  site.tron.makeBlock([site.tron.place({ id, logs: [transferLog(usdt, toHex(sender), toHex(receiver), amount)] })]);
  site.tron.makeSolid();
  return id;
}
async function send(...given: Parameters<typeof place>): Promise<string> {
  const id = place(...given);
  await site.read();
  return id;
}

const rowOf = async (id: number) => {
  const { content } = (await site.call(office.admin, 'withdrawal_list', 'inquire', { search: agent.account })).body;
  const row = content.find((one) => one.id === id);
  if (!row) throw new Error('there is no such withdrawal');
  return row;
};

test('what a declared wallet sends settles the withdrawal that it fits exactly, once', async () => {
  const { id, address } = await approved();
  await send(address, 9n * million, newAddress());
  await send(address, 9n * million - 1n);
  await send(newAddress(), 9n * million);
  expect(await rowOf(id)).toMatchObject({ state: 'approved', offered: [] });
  const transaction_hash = await send(address, 9n * million);
  expect(await rowOf(id)).toMatchObject({ state: 'paid', transaction_hash, offered: [] });
  const { content } = (await site.call(agent, 'message_list', 'inquire', {})).body;
  expect(content[0]?.place).toBe('withdrawals');

  // Read again it pays nothing else.
  const other = await approved(address);
  const scanner = await site.scanner();
  const { block } = await site.read();
  await rescan(scanner, block - 20, block, () => {});
  expect(await rowOf(other.id)).toMatchObject({ state: 'approved', offered: [] });
});

test('where several fit an administrator is offered it, and each payment for one of them', async () => {
  const address = newAddress();
  const [one, other] = [await approved(address), await approved(address)];
  const hashes = [await send(address, 9n * million), await send(address, 9n * million)];
  expect([await rowOf(one.id), await rowOf(other.id)]).toMatchObject([
    { state: 'approved', offered: hashes },
    { state: 'approved', offered: hashes },
  ]);
  expect((await office.pay(one.id, hashes[0] ?? '')).body.state).toBe('paid');
  expect((await rowOf(other.id)).offered).toEqual(hashes.slice(1));
  // The agent is told nothing of wallets.
  const { content } = (await site.call(agent, 'acting_withdrawal_list', 'inquire', {})).body;
  expect(content.map(({ offered }) => offered)).toEqual([[], []]);
});

test('what was sent before the approval is offered, and before it was asked for is not', async () => {
  const address = newAddress();
  await send(address, 9n * million);
  const { id } = (await site.call(agent, 'acting_withdrawal_list', 'add', { amount: '10', address })).body;
  const { rows } = await site.db.execute<{ at: string }>(sql`SELECT at FROM usdt_payout WHERE receiver = ${address}`);
  const hash = await send(address, 9n * million);
  expect(await rowOf(id)).toMatchObject({ state: 'waiting', offered: [] });
  await office.approve(id);
  // By the clock of the chain, which is ahead here.
  await site.db.execute(sql`UPDATE withdrawal SET created_at = ${rows[0]?.at} WHERE id = ${id}`);
  expect(await rowOf(id)).toMatchObject({ state: 'approved', offered: [hash] });
});

test('a payment that is read while an administrator names it and another rejects settles what was named, once', async () => {
  const combo = await newCombo(site);
  const second = await office.administrator();
  for (let round = 0; round < 6; round++) {
    agent = await office.newAgent();
    const address = newAddress();
    const [one, other] = [await approved(address), await approved(address)];
    // The books of the order that the payment of a stranger settles, and of the one that what is given back settles, are the same.
    const stranger = await site.makeUser('customer');
    for (const user_id of [agent.id, stranger.id]) await newOrder(site.db, user_id, combo);
    const receiver = await site.addressOf(stranger);
    site.tron.sendTokens(receiver, 30n * million);
    const transaction_hash = place(address, 9n * million);
    const [, named, rejected] = await Promise.all([site.read(), office.pay(one.id, transaction_hash), office.reject(other.id, second)]);
    expect([200, 409]).toContain(named.status);
    expect(rejected.status).toBe(200);
    expect(await office.stored(one.id)).toMatchObject({ state: 'paid', transaction_hash });
    expect(await office.stateOf(other.id)).toBe('rejected');
    const { rows } = await site.db.execute(sql`SELECT state FROM combo_order WHERE user_id IN (${agent.id}, ${stranger.id})`);
    expect(rows).toEqual([{ state: 'paid' }, { state: 'paid' }]);
  }
});

test('a payment that waits for the administrator who names it pays nothing else', async () => {
  const address = newAddress();
  const [one, other] = [await approved(address), await approved(address)];
  const transaction_hash = place(address, 9n * million);
  const reading = await transact(site.db, async (tx) => {
    await transition(tx, one.id, 'name_hash', { transaction_hash });
    const started = site.read();
    await eventually(async () => {
      const { rows } = await site.db.execute(
        sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%withdrawal%'`,
      );
      expect(rows).toHaveLength(1);
    });
    return { started };
  });
  await reading.started;
  expect([await office.stateOf(one.id), await office.stateOf(other.id)]).toEqual(['confirming', 'approved']);
});

test('what the server pays is matched with nothing', async () => {
  await office.set({ withdrawal_payout: 'server' });
  const { id, address } = await approved();
  await send(address, 9n * million);
  expect(await rowOf(id)).toMatchObject({ state: 'approved', offered: [] });
});

test('declared wallets are outside of the site, and declared by who proves himself', async () => {
  expect((await declare([newAddress()], {})).status).toBe(400);
  expect((await declare(['T123'])).status).toBe(400);
  const wallet = await site.addressOf(await site.makeUser('customer'));
  const { body } = await declare([wallet]);
  expect(body.fields).toEqual({ payout_addresses: 'own_address' });
  const { rows } = await site.db.execute(sql`SELECT payout_addresses FROM pay_config`);
  expect(rows).toEqual([{ payout_addresses: [declared] }]);
});
