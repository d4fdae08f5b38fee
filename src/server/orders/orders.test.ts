import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transactAgain } from '../kit/postgres/database.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { balanceOf } from '../ledger/ledger.public.ts';
import { findFaults } from '../ledger/ledger.verify.ts';
import { availableOf, credit } from '../ledger/testing/money.ts';
import { offerOf } from './offers.ts';
import { expireOrders, settleOpenOrders } from './orders.public.ts';
import { flagsOf } from './share-flags.ts';
import { releaseDueShares } from './shares.jobs.ts';

const dayMilliseconds = 86_400_000;
const million = 1_000_000n;
let now = new Date();
let test_app: TestApp;
let administrator: TestUser;
let user: TestUser;
let basic: number;
let large: number;

const quotas = { live_codes: 2, domains: 1, short_codes: null, monitors: 1 };
const combo = async (name: string, price: string, live_codes: number | null = 2): Promise<number> =>
  (await test_app.call(administrator, 'vip_combo', 'add', { name, price, days: 30, quotas: { ...quotas, live_codes } })).body.id;

beforeAll(async () => {
  test_app = await createTestApp({ now: () => now });
  administrator = await test_app.makeUser('super');
  basic = await combo('基础版', '30');
  large = await combo('专业版', '90', null);
});
afterAll(async () => {
  expect((await findFaults(test_app.db)).faults).toEqual([]);
  await test_app.close();
});
beforeEach(async () => {
  now = new Date();
  user = await test_app.makeUser('customer');
});

const shop = async (as = user) => (await test_app.call(as, 'buy_vip_combo', 'inquire', {})).body;
const offerFor = async (combo_id: number, as = user) => {
  const { content, last_order_id } = await shop(as);
  const offer = content.find(({ id }) => id === combo_id);
  if (!offer) throw new Error('not on sale');
  return { offer, input: { combo_id, amount: offer.amount, last_order_id } };
};
const buy = async (combo_id: number, as = user) => test_app.call(as, 'buy_vip_combo', 'buy', (await offerFor(combo_id, as)).input);
const give = (amount: bigint, as = user) => credit(test_app.db, as.id, amount * million);
const deposit = (amount: bigint, as = user) => give(amount, as).then(() => transactAgain(test_app.db, (tx) => settleOpenOrders(tx, as.id)));
const balance = (as = user) => availableOf(test_app.db, as.id);
const expiryOf = async (as = user) => (await shop(as)).member_expires_at;
const stateOf = async (id: number) =>
  (await test_app.call(administrator, 'order', 'inquire', {})).body.content.find((row) => row.id === id)?.state;
const inDays = (days: number) => new Date(now.getTime() + days * dayMilliseconds).toISOString();

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
    now = new Date(now.getTime() + 10 * dayMilliseconds);
    const { offer } = await offerFor(basic);
    expect(offer).toMatchObject({ is_renewal: true, amount: '30.000000', ends_at: inDays(50) });
    await buy(basic);
    expect(await expiryOf()).toBe(inDays(50));
  });

  test('a greater combo begins now, and the rest of the smaller one is taken off its price', async () => {
    await give(200n);
    await buy(basic);
    now = new Date(now.getTime() + 10 * dayMilliseconds);
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
    if (state === 'expired') await transactAgain(test_app.db, (tx) => expireOrders(tx, new Date(now.getTime() + 100 * dayMilliseconds)));
    if (state === 'cancelled') await test_app.call(user, 'buy_vip_combo', 'cancel', { id: body.id });
    if (state === 'paid' || state === 'refunded') await deposit(30n);
    if (state === 'refunded') await test_app.call(administrator, 'order', 'refund', { id: body.id, reason: '测试' });
    expect(await stateOf(body.id)).toBe(state);
    return body.id;
  }
  const act = (call: 'mark_paid' | 'refund') => (id: number) => test_app.call(administrator, 'order', call, { id, reason: '测试' });
  const events: Record<string, (id: number) => Promise<unknown>> = {
    credit: () => deposit(30n),
    expire: () => transactAgain(test_app.db, (tx) => expireOrders(tx, new Date(now.getTime() + 100 * dayMilliseconds))),
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
    now = new Date(now.getTime() + dayMilliseconds);
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
    await test_app.call(administrator, 'order', 'mark_paid', { id: body.id, reason: '银行转账', transaction_hash: 'abc' });
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

describe('shares', () => {
  const ratio = (of: TestUser, percent: number) =>
    test_app.db.execute(sql`UPDATE user_account SET share_ratio = ${percent * 100} WHERE id = ${of.id}`);

  const held = (of: TestUser) => balanceOf(test_app.db, { kind: 'share_hold', owner_id: of.id });
  /** An order of 30 whose agent has a tenth. */
  async function sale() {
    const agent = await test_app.makeUser('agent');
    const buyer = await test_app.makeUser('customer', { superior_id: agent.id });
    await ratio(agent, 10);
    await give(30n, buyer);
    return { agent, buyer, order_id: (await buy(basic, buyer)).body.id };
  }

  test('each superior gets his ratio less the greatest below him; all together no more than the greatest', async () => {
    const top = await test_app.makeUser('agent');
    const middle = await test_app.makeUser('agent', { superior_id: top.id });
    const near = await test_app.makeUser('agent', { superior_id: middle.id });
    const buyer = await test_app.makeUser('customer', { superior_id: near.id });
    await Promise.all([ratio(near, 10), ratio(middle, 5), ratio(top, 33.33)]);
    const revenue = await balanceOf(test_app.db, { kind: 'revenue' });
    await give(30n, buyer);
    await buy(basic, buyer);
    expect([await balance(near), await balance(top)]).toEqual([0n, 0n]);
    expect([await held(near), await held(middle), await held(top)]).toEqual([3_000_000n, 0n, 6_999_000n]);
    expect((await balanceOf(test_app.db, { kind: 'revenue' })) - revenue).toBe(20_001_000n);
  });

  test('are paid on what the buyer paid in or earned: a gift is spent first, pays none, and is a gift again after a refund', async () => {
    const agent = await test_app.makeUser('agent');
    const buyer = await test_app.makeUser('customer', { superior_id: agent.id });
    await ratio(agent, 10);
    const edit = (amount: string, kind?: 'gift' | 'payment') =>
      test_app.call(administrator, 'user_list', 'update_balance', { id: buyer.id, amount, kind });
    await edit('25', 'payment');
    await edit('20');
    const { body } = await buy(basic, buyer);
    const shown = async () => (await test_app.call(agent, 'agent_divided_into', 'inquire', {})).body.content[0];
    expect(await shown()).toMatchObject({ order_amount: '30.000000', base: '10.000000', amount: '1.000000' });
    await test_app.call(administrator, 'order', 'refund', { id: body.id, reason: '退款' });
    expect(await held(agent)).toBe(0n);
    // What is taken back of the gift was not there to be spent, what is taken back of the payment is no gift.
    await edit('-5');
    await edit('-5', 'payment');
    await buy(basic, buyer);
    expect(await shown()).toMatchObject({ base: '15.000000', amount: '1.500000' });
    await edit('30', 'gift');
    await buy(basic, buyer);
    expect(await held(agent)).toBe(1_500_000n);
  });

  test('are released after the days of the setting, once, however many workers come', async () => {
    const { agent } = await sale();
    now = new Date(now.getTime() + 7 * dayMilliseconds - 1000);
    await releaseDueShares(test_app.db, now);
    expect([await held(agent), await balance(agent)]).toEqual([3_000_000n, 0n]);
    now = new Date(now.getTime() + 1000);
    await Promise.all(Array.from({ length: 4 }, () => releaseDueShares(test_app.db, now)));
    expect([await held(agent), await balance(agent)]).toEqual([0n, 3_000_000n]);
  });

  test('a refund meanwhile takes the held share back; nothing of it is released', async () => {
    const { agent, buyer, order_id } = await sale();
    await give(5n, agent);
    await test_app.call(administrator, 'order', 'refund', { id: order_id, reason: '退款' });
    now = new Date(now.getTime() + 8 * dayMilliseconds);
    await releaseDueShares(test_app.db, now);
    expect([await balance(buyer), await held(agent), await balance(agent)]).toEqual([30n * million, 0n, 5n * million]);
  });

  test('a later refund is set against the agent’s next shares, not against his balance', async () => {
    const { agent, buyer, order_id } = await sale();
    now = new Date(now.getTime() + 8 * dayMilliseconds);
    await releaseDueShares(test_app.db, now);
    await test_app.call(administrator, 'order', 'refund', { id: order_id, reason: '退款' });
    const owed = async () => -(await balanceOf(test_app.db, { kind: 'share_debt', owner_id: agent.id }));
    expect([await balance(buyer), await balance(agent), await owed()]).toEqual([30n * million, 3n * million, 3n * million]);
    await ratio(agent, 15);
    await buy(basic, buyer);
    now = new Date(now.getTime() + 8 * dayMilliseconds);
    await releaseDueShares(test_app.db, now);
    expect([await balance(agent), await owed()]).toEqual([4_500_000n, 0n]);
    const shares = (await test_app.call(agent, 'agent_divided_into', 'inquire', { sort: 'id', order: 'asc' })).body.content;
    expect(shares.map(({ state, debt_paid }) => [state, debt_paid])).toEqual([
      ['owed', '0.000000'],
      ['released', '3.000000'],
    ]);
  });

  describe('of a buyer who has an address or a wallet in common with the agent', () => {
    const registered = (of: TestUser, ip: string) =>
      test_app.db.execute(sql`UPDATE user_account SET register_ip = ${ip}::inet WHERE id = ${of.id}`);
    const shareOf = async (agent: TestUser) => (await test_app.call(agent, 'agent_divided_into', 'inquire', {})).body.content[0];
    const review = (id: number, verdict: 'release' | 'reverse', as = administrator) =>
      test_app.call(as, 'agent_divided_into', 'review', { id, verdict, reason: '核对过' });
    async function flagged() {
      const agent = await test_app.makeUser('agent');
      const buyer = await test_app.makeUser('customer', { superior_id: agent.id });
      await Promise.all([ratio(agent, 10), registered(agent, '2001:db8:7:1::1'), registered(buyer, '2001:db8:7:1:ffff::2')]);
      await give(30n, buyer);
      await buy(basic, buyer);
      now = new Date(now.getTime() + 8 * dayMilliseconds);
      await releaseDueShares(test_app.db, now);
      return { agent, id: (await shareOf(agent))?.id ?? 0 };
    }

    test('are held until an administrator releases them, and the agent is told why', async () => {
      const { agent, id } = await flagged();
      expect(await shareOf(agent)).toMatchObject({ state: 'held', flags: ['address'], is_reviewing: true });
      expect((await test_app.call(agent, 'bill', 'balances', {})).body.shares).toMatchObject({ reviewing: '3.000000', from: null });
      expect((await test_app.call(administrator, 'agent_divided_into', 'inquire', { is_reviewing: true })).body.content[0]?.id).toBe(id);
      expect((await test_app.send(agent, 'agent_divided_into/review', { id, verdict: 'release', reason: '我的' })).status).toBe(403);
      const waiting = async (as: TestUser) =>
        (await test_app.call(as, 'home', 'needs', {})).body.content.find(({ kind }) => kind === 'share_reviewing');
      expect(await waiting(administrator)).toMatchObject({ total: 1, items: [{ id, name: `${agent.account} · 3 USDT` }] });
      expect(await waiting(agent)).toBeUndefined();
      const answers = await Promise.all([review(id, 'release'), review(id, 'release')]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect([await held(agent), await balance(agent)]).toEqual([0n, 3n * million]);
      expect(await shareOf(agent)).toMatchObject({ state: 'released', flags: ['address'], is_reviewing: false, review_reason: '核对过' });
      expect(await waiting(administrator)).toBeUndefined();
      const told = (await test_app.call(agent, 'message_list', 'inquire', {})).body.content.map(({ title }) => title);
      expect(told).toContain('分成 3.00 USDT 已通过审核');
    });

    test('are taken back where an administrator says so', async () => {
      const { agent, id } = await flagged();
      expect((await review(id, 'reverse')).status).toBe(200);
      expect([await held(agent), await balance(agent)]).toEqual([0n, 0n]);
      expect(await shareOf(agent)).toMatchObject({ state: 'reversed', reversed: '3.000000', is_refunded: false });
    });

    test('are not those of neighbours, nor of who is behind one proxy', async () => {
      const agent = await test_app.makeUser('agent');
      const buyer = await test_app.makeUser('customer', { superior_id: agent.id });
      for (const [one, other] of [
        ['203.0.113.7', '203.0.113.8'],
        ['10.0.0.1', '10.0.0.1'],
      ] as const) {
        await Promise.all([registered(agent, one), registered(buyer, other)]);
        expect(await flagsOf(test_app.db, buyer.id, agent.id)).toEqual([]);
      }
      const session = (of: TestUser, ip: string) =>
        test_app.db.execute(sql`UPDATE session SET ip = ${ip}::inet, user_agent = 'a browser' WHERE user_id = ${of.id}`);
      await Promise.all([session(agent, '203.0.113.7'), session(buyer, '203.0.113.8')]);
      expect(await flagsOf(test_app.db, buyer.id, agent.id)).toEqual(['device']);
      await test_app.db.execute(sql`
        WITH wallet AS (INSERT INTO tron_wallet (derivation_index, address, public_key, private_key) VALUES (900, 'TOurs', '', '') RETURNING id)
        INSERT INTO usdt_transaction (fingerprint, contract, transaction_hash, block, at, sender, receiver, amount, type, state, wallet_id, user_id)
        SELECT 'flag ' || payer, 'c', 'h', 1, now(), 'TSameWallet', 'TOurs', 1, 'deposit', 'credited', wallet.id, payer
        FROM wallet, unnest(ARRAY[${agent.id}, ${buyer.id}]::bigint[]) AS payer`);
      expect(await flagsOf(test_app.db, buyer.id, agent.id)).toEqual(['device', 'wallet']);
      await test_app.db.execute(sql`DELETE FROM usdt_transaction WHERE sender = 'TSameWallet'`);
    });
  });

  test('that are held stand apart on the bill and where they will be withdrawn', async () => {
    const { agent } = await sale();
    const shares = { amount: '3.000000', reviewing: '0.000000', from: inDays(7), until: inDays(7), debt: '0.000000' };
    expect((await test_app.call(agent, 'bill', 'balances', {})).body).toEqual({ available: '0.000000', shares });
    expect((await test_app.call(agent, 'acting_withdrawal_list', 'terms', {})).body).toMatchObject({ balance: '0.000000', shares });
    now = new Date(now.getTime() + 7 * dayMilliseconds);
    await releaseDueShares(test_app.db, now);
    const { content } = (await test_app.call(agent, 'bill', 'inquire', {})).body;
    expect(content.map(({ type, part, change_amount }) => [type, part, change_amount]).sort()).toEqual([
      ['share', 'share_hold', '3.000000'],
      ['share_release', 'share_hold', '-3.000000'],
      ['share_release', 'user_available', '3.000000'],
    ]);
    expect((await test_app.call(agent, 'bill', 'sums', {})).body).toEqual({ number: 3, came: '3.000000', went: '0.000000' });
  });

  test('a share that completes an agent’s waiting order pays it once it is released', async () => {
    const agent = await test_app.makeUser('agent');
    await ratio(agent, 100);
    const buyer = await test_app.makeUser('customer', { superior_id: agent.id });
    const { body } = await buy(basic, agent);
    await give(30n, buyer);
    await buy(basic, buyer);
    expect(await stateOf(body.id)).toBe('waiting');
    now = new Date(now.getTime() + 8 * dayMilliseconds);
    await releaseDueShares(test_app.db, now);
    expect(await stateOf(body.id)).toBe('paid');
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
