import { type SQL, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { transactAgain } from '../kit/postgres/database.ts';
import type { TestUser } from '../kit/testing/app.ts';
import { findFaults } from '../ledger/ledger.verify.ts';
import { offerOf } from './offers.ts';
import { expireOrders } from './orders.public.ts';
import {
  administrator,
  balance,
  basic,
  buy,
  combo,
  dayMilliseconds,
  deposit,
  expiryOf,
  give,
  inDays,
  large,
  later,
  million,
  now,
  offerFor,
  pass,
  prepareShop,
  quotas,
  shop,
  stateOf,
  test_app,
  user,
} from './testing/shop.ts';

prepareShop();

describe('buying', () => {
  test('pays at once from a balance that suffices, and the membership begins', async () => {
    await give(50n);
    const { body } = await buy(basic);
    expect(body).toMatchObject({ status: 2, state: 'paid', amount: '30.000000', ends_at: inDays(30), combo: { name: '基础版', quotas } });
    expect([await balance(), await expiryOf()]).toEqual([20n * million, inDays(30)]);
  });

  test('waits for what is missing, and is paid in the transaction of the credit that completes it', async () => {
    const { body } = await buy(basic);
    expect(body).toMatchObject({ status: 1, state: 'waiting' });
    expect(await deposit(29n)).toBe(false);
    expect((await shop()).waiting?.id).toBe(body.id);
    expect(await deposit(2n)).toBe(true);
    expect([await stateOf(body.id), await balance()]).toEqual(['paid', million]);
  });

  test('one that is marked as paid without its transfer is found by the verification', async () => {
    const { body } = await buy(basic);
    const change = (set: SQL) => test_app.db.execute(sql`UPDATE combo_order SET ${set} WHERE id = ${body.id}`);
    const times = sql`(paid_at, begins_at, ends_at, paid_from)`;
    await change(sql`status = 2, state = 'paid', ${times} = (now(), now(), now() + interval '1 day', 'balance')`);
    expect((await findFaults(test_app.db)).faults).toEqual([{ code: 'paid_order', where: body.order_no, expected: '1', found: '0' }]);
    await change(sql`status = 1, state = 'waiting', ${times} = (NULL, NULL, NULL, NULL)`);
  });

  test('an administrator’s credit completes it, too', async () => {
    const { body } = await buy(basic);
    await test_app.send(administrator, 'user_list/update_balance', { id: user.id, amount: '30' });
    expect([await stateOf(body.id), await balance()]).toEqual(['paid', 0n]);
  });

  test('the same combo goes on after its end', async () => {
    await give(60n);
    await buy(basic);
    pass(10 * dayMilliseconds);
    const { offer } = await offerFor(basic);
    expect(offer).toMatchObject({ is_renewal: true, amount: '30.000000', ends_at: inDays(50) });
    await buy(basic);
    expect(await expiryOf()).toBe(inDays(50));
  });

  test('a greater combo begins now, and the rest of the smaller one is taken off its price', async () => {
    await give(200n);
    await buy(basic);
    pass(10 * dayMilliseconds);
    const { body } = await buy(large);
    expect(body).toMatchObject({ credit: '20.000000', amount: '70.000000', ends_at: inDays(30) });
    expect(await balance()).toBe(100n * million);
    // What was taken over once is not taken over again.
    expect((await offerFor(basic)).offer.credit).toBe('90.000000');
  });

  test('a smaller combo costs nothing while the rest is worth more, and lasts longer for it', async () => {
    await give(90n);
    await buy(large);
    const { body } = await buy(basic);
    expect(body).toMatchObject({ credit: '90.000000', amount: '0.000000', state: 'paid', days: 90, ends_at: inDays(90) });
    expect(await balance()).toBe(0n);
  });

  test('time that was given stays', () => {
    const offer = offerOf({ id: 1, price: 30n, days: 30 }, [], inDays(100), now);
    expect([offer.ends_at.toISOString(), offer.begins_at, offer.credit]).toEqual([inDays(130), now, 0n]);
  });

  test('two open pages that pay at once buy once', async () => {
    await give(200n);
    const { input } = await offerFor(basic);
    const answers = await Promise.all([0, 1, 2].map(() => test_app.call(user, 'buy_vip_combo', 'buy', input)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('order.offer_changed');
    expect(await balance()).toBe(170n * million);
  });

  test('a combo that is not on sale is not sold, and what was bought stays as it was', async () => {
    const short = await combo(`短期 ${user.id}`, '10');
    await give(10n);
    const { body } = await buy(short);
    await test_app.call(administrator, 'vip_combo', 'update', { id: short, on_sale: false, price: '99', name: `改名 ${user.id}` });
    expect(
      (await test_app.call(user, 'buy_vip_combo', 'buy', { combo_id: short, amount: '99.000000', last_order_id: body.id })).status,
    ).toBe(404);
    const [own] = (await test_app.call(user, 'user_order', 'inquire', {})).body.content;
    expect(own).toMatchObject({ price: '10.000000', combo: { name: `短期 ${user.id}` } });
    expect((await test_app.call(administrator, 'vip_combo', 'remove', { ids: [short] })).body).toEqual({ affected: 1 });
  });
});

type State = 'waiting' | 'expired' | 'cancelled' | 'paid' | 'refunded';

describe('each event in each state', () => {
  async function orderIn(state: State): Promise<number> {
    const { body } = await buy(basic);
    if (state === 'expired') await transactAgain(test_app.db, (tx) => expireOrders(tx, later(100 * dayMilliseconds)));
    if (state === 'cancelled') await test_app.call(user, 'buy_vip_combo', 'cancel', { id: body.id });
    if (state === 'paid' || state === 'refunded') await deposit(30n);
    if (state === 'refunded') await test_app.call(administrator, 'order', 'refund', { id: body.id, reason: '测试' });
    expect(await stateOf(body.id)).toBe(state);
    return body.id;
  }
  const act = (call: 'mark_paid' | 'refund') => (id: number) =>
    test_app.send(administrator, `order/${call}`, { id, reason: '测试', ...(call === 'mark_paid' && { method: 'payment' }) });
  const events: Record<string, (id: number) => Promise<unknown>> = {
    credit: () => deposit(30n),
    expire: () => transactAgain(test_app.db, (tx) => expireOrders(tx, later(100 * dayMilliseconds))),
    cancel: (id) => test_app.call(user, 'buy_vip_combo', 'cancel', { id }),
    mark_paid: act('mark_paid'),
    refund: act('refund'),
  };
  const outcome: Record<State, Record<keyof typeof events, State>> = {
    waiting: { credit: 'paid', expire: 'expired', cancel: 'cancelled', mark_paid: 'paid', refund: 'waiting' },
    expired: { credit: 'expired', expire: 'expired', cancel: 'expired', mark_paid: 'paid', refund: 'expired' },
    cancelled: { credit: 'cancelled', expire: 'cancelled', cancel: 'cancelled', mark_paid: 'cancelled', refund: 'cancelled' },
    paid: { credit: 'paid', expire: 'paid', cancel: 'paid', mark_paid: 'paid', refund: 'refunded' },
    refunded: { credit: 'refunded', expire: 'refunded', cancel: 'refunded', mark_paid: 'refunded', refund: 'refunded' },
  };
  const pairs = Object.entries(outcome).flatMap(([state, by]) => Object.entries(by).map(([event, then]) => [state, event, then] as const));

  test.each(pairs)('%s, then %s: %s', async (state, event, then) => {
    const id = await orderIn(state as State);
    await events[event]?.(id);
    expect(await stateOf(id)).toBe(then);
    const { rows } = await test_app.db.execute<{ number: number }>(
      sql`SELECT count(*) AS number FROM ledger_transfer WHERE kind = 'order' AND ref_type = 'order' AND ref_id = ${String(id)}`,
    );
    expect(rows[0]?.number).toBe(then === 'paid' || then === 'refunded' ? 1 : 0);
  });

  test('an order expires by the clock of the chain, not by ours', async () => {
    const id = await orderIn('waiting');
    pass(dayMilliseconds);
    expect((await shop()).waiting?.id).toBe(id);
    expect(await deposit(30n)).toBe(true);
  });
});

describe('a refund', () => {
  const refund = (id: number) => test_app.call(administrator, 'order', 'refund', { id, reason: '用户要求' });

  test('gives the money and the former end back', async () => {
    await give(200n);
    await buy(basic);
    const before = await expiryOf();
    const { body } = await buy(large);
    expect((await refund(body.id)).body.state).toBe('refunded');
    expect([await balance(), await expiryOf()]).toEqual([170n * million, before]);
    expect((await offerFor(large)).offer.credit).toBe('30.000000');
  });

  test('takes the last order first', async () => {
    await give(60n);
    const [first, second] = [(await buy(basic)).body, (await buy(basic)).body];
    expect((await refund(first.id)).body.code).toBe('order.not_refundable');
    expect([(await refund(second.id)).status, (await refund(first.id)).status]).toEqual([200, 200]);
    expect(await balance()).toBe(60n * million);
  });

  test('of what was paid elsewhere moves nobody’s balance', async () => {
    const { body } = await buy(basic);
    await test_app.call(administrator, 'order', 'mark_paid', { id: body.id, method: 'payment', reason: '银行转账' });
    expect((await refund(body.id)).body.state).toBe('refunded');
    expect(await balance()).toBe(0n);
  });

  test('asked for ten times at once is one', async () => {
    await give(30n);
    const { body } = await buy(basic);
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => refund(body.id)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await balance()).toBe(30n * million);
  });
});

describe('orders are seen', () => {
  test('by their buyer, by the agent above him, and by administrators; by nobody else', async () => {
    const agent = await test_app.makeUser('agent');
    const buyer = await test_app.makeUser('customer', { superior_id: agent.id });
    const { body } = await buy(basic, buyer);
    const own = async (as: TestUser) => (await test_app.call(as, 'user_order', 'inquire', {})).body.content.map(({ id }) => id);
    const below = async (as: TestUser) => (await test_app.call(as, 'order_customer', 'inquire', {})).body.content.map(({ id }) => id);
    expect([await own(buyer), await own(agent), await below(agent)]).toEqual([[body.id], [], [body.id]]);
    expect(await below(await test_app.makeUser('agent'))).toEqual([]);
    expect((await test_app.call(user, 'buy_vip_combo', 'cancel', { id: body.id })).body).toEqual({ affected: 0 });
    expect((await test_app.call(buyer, 'order', 'inquire', {})).status).toBe(403);
  });
});

describe('quotas', () => {
  const addCode = (name: string) =>
    test_app.call(user, 'qr_code_list', 'add', { name, targets: [{ kind: 'url', content: 'https://example.com/' }] });

  test('of the combo hold for codes, and say which combo would be enough', async () => {
    await give(30n);
    await buy(basic);
    expect([(await addCode('1')).status, (await addCode('2')).status]).toEqual([200, 200]);
    const { status, body } = await addCode('3');
    expect([status, body.code]).toEqual([409, 'quota.live_codes_buy']);
    expect(body.message).toContain('专业版');
    expect((await shop()).usage).toEqual([
      { kind: 'live_codes', used: 2, limit: 2 },
      { kind: 'domains', used: 0, limit: 1 },
      { kind: 'short_codes', used: 0, limit: null },
      { kind: 'monitors', used: 0, limit: 1 },
    ]);
    await give(90n);
    await buy(large);
    expect((await addCode('3')).status).toBe(200);
  });

  test('two that are added at once cannot both take the last place', async () => {
    await give(30n);
    await buy(basic);
    const statuses = (await Promise.all(['1', '2', '3', '4'].map(addCode))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 409, 409]);
  });

  test('of the recycle bin count again when they come back', async () => {
    await give(30n);
    await buy(basic);
    const { body } = await addCode('1');
    await test_app.call(user, 'qr_code_list', 'update_remove', { ids: [body.id], removed: true });
    await addCode('2');
    await addCode('3');
    const back = await test_app.call(user, 'qr_code_list', 'update_remove', { ids: [body.id], removed: false });
    expect([back.status, back.body.code]).toEqual([409, 'quota.live_codes_buy']);
  });

  test('end with the membership, and those of the site hold', async () => {
    await give(30n);
    await buy(basic);
    await test_app.db.execute(sql`UPDATE user_account SET member_expires_at = now() - interval '1 hour' WHERE id = ${user.id}`);
    expect((await shop()).usage[0]).toEqual({ kind: 'live_codes', used: 0, limit: null });
    await test_app.db.execute(sql`INSERT INTO setting (key, value) VALUES ('code_quota', '1')`);
    expect((await shop()).usage[0]).toEqual({ kind: 'live_codes', used: 0, limit: 1 });
    await test_app.db.execute(sql`DELETE FROM setting`);
  });

  test('of domains are the combo’s, unless an administrator gave others', async () => {
    await give(30n);
    await buy(basic);
    const add = (host: string) => test_app.call(user, 'domain_list', 'add', { host: `${host}-${user.id}.example.com`, type: 1 });
    expect([(await add('a')).status, (await add('b')).status]).toEqual([200, 409]);
    await test_app.call(administrator, 'hold_domain', 'quota', { ids: [user.id], domain_quota: 2 });
    expect((await add('c')).status).toBe(200);
  });
});
