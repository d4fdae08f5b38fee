import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { TestUser } from '../../kit/testing/app.ts';
import { balanceOf } from '../../ledger/ledger.public.ts';
import { flagsOf } from '../share-flags.ts';
import { releaseDueShares } from '../shares.jobs.ts';
import {
  administrator,
  balance,
  basic,
  buy,
  dayMilliseconds,
  give,
  inDays,
  million,
  now,
  pass,
  prepareShop,
  stateOf,
  test_app,
} from '../testing/shop.ts';

prepareShop();

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

    // What it comes from stays what it was, whatever ratios are now; an agent is told his own step.
    await ratio(near, 50);
    const { content } = (await test_app.call(top, 'agent_divided_into', 'inquire', {})).body;
    const id = content[0]?.id ?? 0;
    const whole = (await test_app.call(administrator, 'agent_divided_into', 'origin', { id })).body;
    expect(whole).toMatchObject({ buyer_account: buyer.account, order_amount: '30.000000', granted: '0.000000', base: '30.000000' });
    const steps = [
      { level: 1, agent_account: near.account, rate: 10, below: 0, ratio: 10, amount: '3.000000', is_own: false },
      { level: 3, agent_account: top.account, rate: 33.33, below: 10, ratio: 23.33, amount: '6.999000', is_own: true },
    ];
    expect(whole.steps).toEqual(steps);
    expect((await test_app.call(top, 'agent_divided_into', 'origin', { id })).body.steps).toEqual(steps.slice(1));
    expect((await test_app.call(near, 'agent_divided_into', 'origin', { id })).status).toBe(404);
  });

  test('say which ratio stood below, though what it came to was less than a millionth', async () => {
    const top = await test_app.makeUser('agent');
    const near = await test_app.makeUser('agent', { superior_id: top.id });
    const buyer = await test_app.makeUser('customer', { superior_id: near.id });
    await Promise.all([ratio(near, 10), ratio(top, 33.33)]);
    const edit = (amount: string, kind?: 'gift' | 'payment') =>
      test_app.call(administrator, 'user_list', 'update_balance', { id: buyer.id, amount, kind });
    await edit('0.000005', 'payment');
    await edit('29.999995', 'gift');
    await buy(basic, buyer);
    const [share] = (await test_app.call(top, 'agent_divided_into', 'inquire', {})).body.content;
    const { body } = await test_app.call(administrator, 'agent_divided_into', 'origin', { id: share?.id ?? 0 });
    expect(body).toMatchObject({ base: '0.000005', steps: [{ level: 2, rate: 33.33, below: 10, ratio: 23.33, amount: '0.000001' }] });
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
    pass(7 * dayMilliseconds - 1000);
    await releaseDueShares(test_app.db, now);
    expect([await held(agent), await balance(agent)]).toEqual([3_000_000n, 0n]);
    pass(1000);
    await Promise.all(Array.from({ length: 4 }, () => releaseDueShares(test_app.db, now)));
    expect([await held(agent), await balance(agent)]).toEqual([0n, 3_000_000n]);
  });

  test('a refund meanwhile takes the held share back; nothing of it is released', async () => {
    const { agent, buyer, order_id } = await sale();
    await give(5n, agent);
    await test_app.call(administrator, 'order', 'refund', { id: order_id, reason: '退款' });
    pass(8 * dayMilliseconds);
    await releaseDueShares(test_app.db, now);
    expect([await balance(buyer), await held(agent), await balance(agent)]).toEqual([30n * million, 0n, 5n * million]);
  });

  test('a later refund is set against the agent’s next shares, not against his balance', async () => {
    const { agent, buyer, order_id } = await sale();
    pass(8 * dayMilliseconds);
    await releaseDueShares(test_app.db, now);
    await test_app.call(administrator, 'order', 'refund', { id: order_id, reason: '退款' });
    const owed = async () => -(await balanceOf(test_app.db, { kind: 'share_debt', owner_id: agent.id }));
    expect([await balance(buyer), await balance(agent), await owed()]).toEqual([30n * million, 3n * million, 3n * million]);
    await ratio(agent, 15);
    await buy(basic, buyer);
    pass(8 * dayMilliseconds);
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
      pass(8 * dayMilliseconds);
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
    pass(7 * dayMilliseconds);
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
    pass(8 * dayMilliseconds);
    await releaseDueShares(test_app.db, now);
    expect(await stateOf(body.id)).toBe('paid');
  });
});
