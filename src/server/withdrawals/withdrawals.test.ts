import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lookAlikes, treasury, usdt } from '../../../simulators/tron/network.ts';
import { transferLog } from '../../../simulators/tron/tokens.ts';
import { transactAgain } from '../kit/postgres/database.ts';
import type { TestUser } from '../kit/testing/app.ts';
import { balanceOf } from '../ledger/ledger.public.ts';
import { ledger_verification } from '../ledger/ledger.table.ts';
import { findFaults } from '../ledger/ledger.verify.ts';
import { availableOf, earn } from '../ledger/testing/money.ts';
import { toHex } from '../tron/protocol/address.ts';
import type { TronSite } from '../tron/testing/site.ts';
import { testContract } from '../tron/tron.networks.ts';
import { stepOf, totpCode } from '../users/login/totp.ts';
import { million, newAddress, type Office, openOffice, password } from './testing/office.ts';
import { reserve } from './withdrawals.states.ts';
import { withdrawal } from './withdrawals.table.ts';
import { verifyNamed } from './withdrawals.verifying.ts';

let office: Office;
let site: TronSite;
let admin: TestUser;
let agent: TestUser;
beforeAll(async () => {
  office = await openOffice();
  ({ site, admin } = office);
});
afterAll(async () => {
  expect((await findFaults(site.db)).faults).toEqual([]);
  await site.close();
});
beforeEach(async () => {
  agent = await office.newAgent();
});

const ask = (amount = '100', address = newAddress(), as = agent) => site.call(as, 'acting_withdrawal_list', 'add', { amount, address });
const asked = async (amount?: string, address?: string) => (await ask(amount, address)).body;
const cancel = (id: number, as = agent) => site.call(as, 'acting_withdrawal_list', 'cancel', { id });
const own = async () => (await site.call(agent, 'acting_withdrawal_list', 'inquire', {})).body.content;
const balances = async (user = agent) => [
  await availableOf(site.db, user.id),
  await balanceOf(site.db, { kind: 'user_hold', owner_id: user.id }),
];
const siteBalance = (kind: 'payout_clearing' | 'chain_hot' | 'network_fee') => balanceOf(site.db, { kind });

const messages = async (user = agent) =>
  (await site.call(user, 'message_list', 'inquire', {})).body.content.map(({ title }) => title).reverse();
const eventsOf = async (user = agent) => {
  const { rows } = await site.db.execute<{ type: string }>(
    sql`SELECT type FROM event WHERE owner_id = ${user.id} AND type LIKE 'withdrawal.%' ORDER BY id`,
  );
  return rows.map(({ type }) => type);
};

describe('a withdrawal', () => {
  test('is reserved, approved, paid by an administrator, verified on the chain, and told of at each step', async () => {
    const [clearing, hot, fees] = [await siteBalance('payout_clearing'), await siteBalance('chain_hot'), await siteBalance('network_fee')];
    const made = await asked('100');
    expect(made).toMatchObject({ amount: '100.000000', fee: '1.000000', arrives: '99.000000', status: 1, state: 'waiting' });
    expect(await balances()).toEqual([900n * million, 100n * million]);
    expect((await office.approve(made.id)).body).toMatchObject({ status: 2, state: 'approved', decided_by_account: admin.account });
    expect(await balances()).toEqual([900n * million, 0n]);
    expect(await siteBalance('payout_clearing')).toBe(clearing + 100n * million);
    const hash = office.payOnChain(made.address, 99n * million);
    expect((await office.pay(made.id, `0x${hash.toUpperCase()}`)).body).toMatchObject({ status: 2, state: 'paid', transaction_hash: hash });
    expect(await siteBalance('payout_clearing')).toBe(clearing);
    expect([(await siteBalance('chain_hot')) - hot, (await siteBalance('network_fee')) - fees]).toEqual([99n * million, million]);
    expect(await messages()).toEqual(['已申请提现 100.00 USDT', '提现 100.00 USDT 已通过', '提现已打款 99.00 USDT']);
    expect(await eventsOf()).toEqual(['withdrawal.asked', 'withdrawal.approved', 'withdrawal.paid']);
    const { rows } = await site.db.execute<{ type: string }>(
      sql`SELECT type FROM log WHERE user_id = ${admin.id} ORDER BY id DESC LIMIT 2`,
    );
    expect(rows.map(({ type }) => type)).toEqual(['withdrawal_list/pay', 'withdrawal_list/approve']);
  });

  test('that is rejected returns with its reason, also after it was approved', async () => {
    for (const isApproved of [false, true]) {
      const { id } = await asked();
      if (isApproved) await office.approve(id);
      expect((await office.reject(id)).body).toMatchObject({ status: 3, state: 'rejected', reason: '地址有误' });
      expect(await balances()).toEqual([1000n * million, 0n]);
    }
    expect((await messages()).at(-1)).toBe('提现 100.00 USDT 被驳回');
    expect((await own()).map(({ decided_by_account, reason }) => [decided_by_account, reason])).toEqual([
      [null, '地址有误'],
      [null, '地址有误'],
    ]);
  });

  test('that is cancelled returns at once, and pays an order that waits for it', async () => {
    const { id } = await asked('1000');
    const combo = await site.call(admin, 'vip_combo', 'add', {
      name: `combo ${id}`,
      price: '30',
      days: 30,
      quotas: { live_codes: null, domains: null, short_codes: null, monitors: null },
    });
    const { content, last_order_id } = (await site.call(agent, 'buy_vip_combo', 'inquire', {})).body;
    const amount = content.find((offer) => offer.id === combo.body.id)?.amount ?? '';
    await site.call(agent, 'buy_vip_combo', 'buy', { combo_id: combo.body.id, amount, last_order_id });
    expect((await cancel(id)).body).toEqual({ affected: 1 });
    expect(await balances()).toEqual([970n * million, 0n]);
    expect(await own()).toMatchObject([{ state: 'cancelled', status: 3 }]);
  });

  test('is another agent’s secret', async () => {
    const { id } = await asked();
    const other = await site.makeUser('agent');
    expect((await site.call(other, 'acting_withdrawal_list', 'inquire', {})).body.total).toBe(0);
    expect((await cancel(id, other)).status).toBe(404);
    for (const call of ['inquire', 'approve', 'pay', 'reject']) {
      const input = call === 'inquire' ? {} : { id, transaction_hash: 'x', reason: 'x', password };
      expect((await site.send(agent, `withdrawal_list/${call}`, input)).status).toBe(403);
    }
  });

  test('waits on the start page of administrators to be decided about, then to be paid', async () => {
    const { id, address } = await asked('12.5');
    const waiting = async (kind: string) =>
      (await site.call(admin, 'home', 'needs', {})).body.content
        .find((need) => need.kind === kind)
        ?.items.map(({ name }) => name)
        .filter((name) => name.startsWith(agent.account)) ?? [];
    expect(await waiting('withdrawal_waiting')).toEqual([`${agent.account} · 12.5 USDT`]);
    await office.approve(id);
    expect([await waiting('withdrawal_waiting'), await waiting('withdrawal_unpaid')]).toEqual([[], [`${agent.account} · 12.5 USDT`]]);
    await office.pay(id, office.payOnChain(address, 11_500_000n));
    expect(await waiting('withdrawal_unpaid')).toEqual([]);
  });

  test('is found by account, address, state and user', async () => {
    const { id, address } = await asked();
    const found = async (input: object) =>
      (await site.call(admin, 'withdrawal_list', 'inquire', { user_id: agent.id, ...input })).body.content.map((row) => row.id);
    for (const input of [{ search: agent.account }, { search: address.slice(4, 20) }, { status: 1 }, { state: 'waiting' }])
      expect(await found(input)).toEqual([id]);
    for (const input of [{ search: 'nobody' }, { status: 3 }, { state: 'paid' }, { created_to: '2020-01-01' }])
      expect(await found(input)).toEqual([]);
  });
});

describe('asking', () => {
  test('is refused below the minimum, beyond what was earned, to a wrong address or one of the site’s own', async () => {
    const fault = async (amount: string, address?: string) => (await ask(amount, address)).body.fields;
    expect(await fault('9.999999')).toEqual({ amount: 'below_minimum' });
    expect(await fault('1000.000001')).toEqual({ amount: 'exceeds_withdrawable' });
    const right = newAddress();
    const wrong = `${right.slice(0, -1)}${right.endsWith('x') ? 'y' : 'x'}`;
    expect(await fault('10', wrong)).toEqual({ address: 'tron_address' });
    for (const ours of [testContract, await site.addressOf(agent)]) expect(await fault('10', ours)).toEqual({ address: 'own_address' });
    await office.set({ withdrawal_minimum: '0', withdrawal_fee: '2' });
    expect(await fault('2')).toEqual({ amount: 'below_fee' });
    expect(await balances()).toEqual([1000n * million, 0n]);
  });

  test('costs a fixed part and a share, rounded down to the millionth', async () => {
    await office.set({ withdrawal_fee: '0.5', withdrawal_fee_percent: 1.25 });
    expect(await asked('33.333333')).toMatchObject({ fee: '0.916666', arrives: '32.416667' });
  });

  test('of 20 at once reserves no more than there is', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('90')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(11);
    expect(await balances()).toEqual([10n * million, 990n * million]);
  });

  test('the same request twice reserves once', async () => {
    const input = { amount: '10', address: newAddress(), request_id: crypto.randomUUID() };
    const [one, other] = [
      await site.call(agent, 'acting_withdrawal_list', 'add', input),
      await site.call(agent, 'acting_withdrawal_list', 'add', input),
    ];
    expect(other.body.id).toBe(one.body.id);
    expect(await balances()).toEqual([990n * million, 10n * million]);
  });

  test('tells its terms, and where one was paid before', async () => {
    const { id, address } = await asked('10');
    await office.approve(id);
    await office.pay(id, office.payOnChain(address, 9n * million));
    expect((await site.call(agent, 'acting_withdrawal_list', 'terms', {})).body).toMatchObject({
      balance: '990.000000',
      withdrawable: '990.000000',
      held: '0.000000',
      minimum: '10',
      fee: '1',
      frozen: false,
      addresses: [address],
    });
  });
});

describe('approving', () => {
  test('asks for the password, and for the code of a second factor where there is one', async () => {
    const careful = await office.administrator();
    const { id } = await asked();
    expect((await office.approve(id, careful, {})).body.fields).toEqual({ password: 'required' });
    expect((await office.approve(id, careful, { password: 'wrong-one' })).body.fields).toEqual({ password: 'wrong_password' });
    const secret = randomBytes(20);
    const sealed = site.means.vault.seal(secret, `totp:${careful.id}`);
    await site.db.execute(sql`INSERT INTO second_factor (user_id, secret, confirmed_at) VALUES (${careful.id}, ${sealed}, now())`);
    expect((await office.approve(id, careful)).body.fields).toEqual({ totp: 'required' });
    expect((await office.approve(id, careful, { password, totp: '000000' })).body.fields).toEqual({ totp: 'wrong_code' });
    expect((await office.approve(id, careful, { password, totp: totpCode(secret, stepOf(new Date())) })).body.state).toBe('approved');
  });

  test('is nobody’s for his own, nor in the name of an administrator who asked as the agent', async () => {
    const chief = await office.administrator();
    await earn(site.db, chief.id, 100n * million);
    const mine = await site.db.insert(withdrawal).values({ user_id: chief.id, amount: '10', fee: '1', address: newAddress() }).returning();
    const row = mine[0];
    if (!row) throw new Error('not made');
    await transactAgain(site.db, (tx) => reserve(tx, row));
    for (const answer of [
      await office.approve(row.id, chief),
      await office.reject(row.id, chief),
      await office.pay(row.id, 'a'.repeat(64), chief),
    ])
      expect(answer.body.code).toBe('withdrawal.own');
    expect((await office.reject(row.id)).body.state).toBe('rejected');
    const acting = (await site.call(chief, 'user_list', 'log_in_as', { id: agent.id })).body;
    expect((await ask('10', newAddress(), { ...agent, token: acting.token })).body.code).toBe('user.acting');
  });

  test('waits until an address is no longer new to its user', async () => {
    await office.set({ withdrawal_cool_off_hours: 24 });
    const { id, address, cooling_until } = await asked('10');
    expect(Date.parse(cooling_until ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000);
    const refused = await office.approve(id);
    expect([refused.status, refused.body.code]).toEqual([409, 'withdrawal.new_address']);
    await site.db.execute(sql`UPDATE withdrawal SET created_at = now() - interval '25 hours' WHERE id = ${id}`);
    expect((await office.approve(id)).body.state).toBe('approved');
    const again = await asked('10', address);
    expect(again.cooling_until).toBeNull();
    expect((await office.approve(again.id)).body.state).toBe('approved');
  });

  test('is refused where USDT’s contract has listed the receiver, and given while no node answers', async () => {
    const { id, address } = await asked('10');
    site.tron.blacklist(address);
    const refused = await office.approve(id);
    expect([refused.status, refused.body.code]).toEqual([409, 'withdrawal.blacklisted']);
    expect((await office.reject(id)).body.state).toBe('rejected');
    const other = await asked('10');
    site.tron.faults.plan('busy_503', 5, 'triggerconstantcontract');
    expect((await office.approve(other.id)).body.state).toBe('approved');
  });

  test('is warned where an address only looks like one that its user knows', async () => {
    const address = newAddress();
    const known = `${address.slice(0, 4)}${'x'.repeat(26)}${address.slice(-4)}`;
    await site.db.insert(withdrawal).values({ user_id: agent.id, amount: '10', fee: '1', address: known });
    const { id, resembles } = await asked('10', address);
    expect(resembles).toBe(known);
    expect((await office.approve(id)).body.resembles).toBe(known);
    expect((await asked('10')).resembles).toBeNull();
    const other = await office.newAgent();
    expect((await ask('10', address, other)).body.resembles).toBeNull();
  });

  test('stops at the cap of a day, also for two at once', async () => {
    const { rows } = await site.db.execute<{ sum: number }>(sql`
      SELECT coalesce(sum(amount), 0)::float8 / 1000000 AS sum FROM withdrawal WHERE state IN ('approved', 'confirming', 'paying', 'paid')`);
    await office.set({ withdrawal_daily_cap: String((rows[0]?.sum ?? 0) + 150) });
    const ids = [(await asked('100')).id, (await asked('100')).id];
    const answers = await Promise.all(ids.map((id) => office.approve(id)));
    expect(answers.map(({ body }) => body.code ?? body.state).sort()).toEqual(['approved', 'withdrawal.daily_cap']);
    expect((await office.approve((await asked('50')).id)).body.state).toBe('approved');
  });

  test('and asking stop while the ledger does not add up, until it does', async () => {
    const { id } = await asked();
    const faults = [{ code: 'asset_sum' as const, where: 'USDT', expected: '0', found: '1' }];
    await site.db.insert(ledger_verification).values({ transfers: 1, entries: 2, faults });
    expect([(await office.approve(id)).body.code, (await ask()).body.code]).toEqual(['withdrawal.frozen', 'withdrawal.frozen']);
    expect((await site.call(agent, 'acting_withdrawal_list', 'terms', {})).body.frozen).toBe(true);
    await site.call(admin, 'bill', 'verify', {});
    expect((await office.approve(id)).body.state).toBe('approved');
  });

  test('goes on where an administrator says so by his password and why, as long as the same is found', async () => {
    const { id } = await asked();
    const fault = { code: 'asset_sum' as const, where: 'USDT', expected: '0', found: '1' };
    const found = (...faults: (typeof fault)[]) => site.db.insert(ledger_verification).values({ transfers: 1, entries: 2, faults });
    await found(fault);
    const { last } = (await site.call(admin, 'bill', 'verification', {})).body;
    const lift = (given: object, as = admin) => site.send(as, 'bill/lift', { id: last?.id, reason: '银行对账中', ...given });
    expect((await lift({}, agent)).status).toBe(403);
    expect((await lift({})).body.fields).toEqual({ password: 'required' });
    expect((await lift({ password, reason: ' ' })).body.fields).toHaveProperty('reason');
    expect((await lift({ password, id: 1 })).body.code).toBe('bill.verified_anew');
    expect((await office.approve(id)).body.code).toBe('withdrawal.frozen');
    const { body } = await lift({ password });
    expect(body).toMatchObject({ lift_reason: '银行对账中', lifted_at: expect.any(String), faults: [fault] });
    expect((await office.approve(id)).body.state).toBe('approved');
    // Anything else that is found stops it again; who has not seen it cannot let it go on.
    await found(fault, { ...fault, where: 'TRX' });
    expect((await ask()).body.code).toBe('withdrawal.frozen');
    expect((await lift({ password })).body.code).toBe('bill.verified_anew');
    await site.call(admin, 'bill', 'verify', {});
    expect((await site.call(admin, 'bill', 'verification', {})).body.last).toMatchObject({ faults: [], lifted_at: null, lift_reason: '' });
  });
});

describe('the transaction that is named', () => {
  const approved = async (amount = '10') => {
    const made = await asked(amount);
    await office.approve(made.id);
    return made;
  };
  const fault = async (id: number, hash: string) => (await office.pay(id, hash)).body.fields?.transaction_hash;

  test('has to be one, of this contract, to this address, of this amount, successful', async () => {
    const { id, address } = await approved();
    expect(await fault(id, 'not a hash')).toBe('transaction_hash');
    expect(await fault(id, 'b'.repeat(64))).toBe('payout_missing');
    expect(await fault(id, office.payOnChain(address, 9n * million - 1n))).toBe('payout_wrong');
    expect(await fault(id, office.payOnChain(address, 10n * million))).toBe('payout_wrong');
    expect(await fault(id, office.payOnChain(newAddress(), 9n * million))).toBe('payout_wrong');
    const ids = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')] as const;
    const to = toHex(address);
    site.tron.makeBlock([
      site.tron.place({ id: ids[0], result: 'REVERT', logs: [transferLog(usdt, treasury, to, 9n * million)] }),
      site.tron.place({ id: ids[1], logs: [transferLog(lookAlikes[0], treasury, to, 9n * million)] }),
    ]);
    site.tron.makeSolid();
    for (const wrong of ids) expect(await fault(id, wrong)).toBe('payout_wrong');
    expect(await office.stateOf(id)).toBe('approved');
  });

  test('pays one withdrawal only, and none that was asked for after it', async () => {
    const [one, other] = [await approved(), await approved()];
    const hash = office.payOnChain(one.address, 9n * million);
    await site.db.execute(sql`UPDATE withdrawal SET address = ${one.address} WHERE id = ${other.id}`);
    expect((await office.pay(one.id, hash)).body.state).toBe('paid');
    expect(await fault(other.id, hash)).toBe('hash_used');
    await site.db.execute(sql`UPDATE withdrawal SET created_at = now() + interval '1 day' WHERE id = ${other.id}`);
    expect(await fault(other.id, office.payOnChain(one.address, 9n * million))).toBe('payout_too_old');
  });

  test('of two withdrawals at once pays one', async () => {
    const [one, other] = [await approved(), await approved()];
    const hash = office.payOnChain(one.address, 9n * million);
    await site.db.execute(sql`UPDATE withdrawal SET address = ${one.address} WHERE id = ${other.id}`);
    const answers = await Promise.all([
      office.pay(one.id, hash),
      office.pay(other.id, hash),
      office.pay(one.id, hash),
      office.pay(other.id, hash),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('is waited for until it is solid', async () => {
    const { id, address } = await approved();
    const hash = office.payOnChain(address, 9n * million, { solid: false });
    expect((await office.pay(id, hash)).body).toMatchObject({ state: 'confirming', status: 2, transaction_hash: hash });
    await verifyNamed(site.means, id);
    expect(await office.stateOf(id)).toBe('confirming');
    site.tron.makeSolid();
    await Promise.all([verifyNamed(site.means, id), verifyNamed(site.means, id), verifyNamed(site.means, id)]);
    expect(await office.stateOf(id)).toBe('paid');
    expect((await eventsOf()).filter((type) => type === 'withdrawal.paid')).toHaveLength(1);
  });

  test('that a reorganisation took away leaves the withdrawal to be paid again', async () => {
    const { id, address } = await approved();
    await office.pay(id, office.payOnChain(address, 9n * million, { solid: false }));
    site.tron.reorganise(1, false);
    site.tron.makeSolid();
    await verifyNamed(site.means, id);
    expect(await office.stateOf(id)).toBe('confirming');
    await site.db.execute(sql`UPDATE withdrawal SET updated_at = now() - interval '1 hour' WHERE id = ${id}`);
    await verifyNamed(site.means, id);
    expect(await office.stored(id)).toMatchObject({ state: 'approved', transaction_hash: null, problem: 'payout_missing' });
    expect((await office.pay(id, office.payOnChain(address, 9n * million))).body.state).toBe('paid');
  });
});
