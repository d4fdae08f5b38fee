import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BalanceEdit, balanceEdits } from '../../contract/money/ledger.ts';
import { transactAgain } from '../kit/postgres/database.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { balanceOf, withdrawableOf } from '../ledger/ledger.public.ts';
import { findFaults } from '../ledger/ledger.verify.ts';
import { availableOf, credit } from '../ledger/testing/money.ts';
import { expireOrders } from './orders.public.ts';
import { releaseDueShares } from './shares.jobs.ts';

const dayMilliseconds = 86_400_000;
let now = new Date();
let test_app: TestApp;
let administrator: TestUser;
let combo_id: number;
beforeAll(async () => {
  test_app = await createTestApp({ now: () => now });
  administrator = await test_app.makeUser('super');
  const quotas = { live_codes: null, domains: null, short_codes: null, monitors: null };
  // Nothing divides it evenly.
  combo_id = (await test_app.call(administrator, 'vip_combo', 'add', { name: '月费', price: '33.333337', days: 30, quotas })).body.id;
});
afterAll(() => test_app.close());

const person = fc.nat(2);
const act = fc.oneof(
  fc.record({ what: fc.constant('buy' as const), who: person }),
  fc.record({ what: fc.constant('edit' as const), who: person, as: fc.constantFrom(...balanceEdits), amount: fc.nat(80_000_000) }),
  fc.record({ what: fc.constant('refund' as const), who: person }),
  fc.record({ what: fc.constant('ratio' as const), who: person, ratio: fc.nat(10_000) }),
  fc.record({ what: fc.constant('wait' as const), days: fc.nat(9) }),
);
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

const partsOf = async (db: TestApp['db'], { id }: TestUser) => ({
  available: await availableOf(db, id),
  held: await balanceOf(db, { kind: 'share_hold', owner_id: id }),
  owed: -(await balanceOf(db, { kind: 'share_debt', owner_id: id })),
});

/** The customer, the agent who invited him, and the agent above that one: each of them buys, too. */
async function makeChain(): Promise<TestUser[]> {
  const top = await test_app.makeUser('agent');
  const near = await test_app.makeUser('agent', { superior_id: top.id });
  return [await test_app.makeUser('customer', { superior_id: near.id }), near, top];
}

async function perform(chain: readonly TestUser[], one: Act): Promise<void> {
  if (one.what === 'wait') {
    now = new Date(now.getTime() + one.days * dayMilliseconds);
    await releaseDueShares(test_app.db, now);
    return;
  }
  const user = chain[one.who] as TestUser;
  if (one.what === 'ratio') {
    await test_app.db.execute(sql`UPDATE user_account SET share_ratio = ${one.ratio} WHERE id = ${user.id}`);
  } else if (one.what === 'edit') {
    if (one.amount > 0) await credit(test_app.db, user.id, BigInt(one.amount), one.as);
  } else if (one.what === 'buy') {
    const { content, last_order_id } = (await test_app.call(user, 'buy_vip_combo', 'inquire', {})).body;
    const amount = content.find(({ id }) => id === combo_id)?.amount ?? '';
    expect((await test_app.call(user, 'buy_vip_combo', 'buy', { combo_id, amount, last_order_id })).status).toBe(200);
  } else {
    const { content } = (await test_app.call(administrator, 'order', 'inquire', { user_id: user.id, state: 'paid' })).body;
    const last = content.toSorted((a, b) => b.id - a.id)[0];
    if (last) expect((await test_app.call(administrator, 'order', 'refund', { id: last.id, reason: '退款' })).status).toBe(200);
  }
}

/** What each has been given, and what he has paid in. */
type Put = Record<BalanceEdit, bigint>;
const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

/** Of each order all shares together are no more than the price, and each agent's are what the ledger says he has had. */
async function expectExactShares(chain: readonly TestUser[], put: readonly Put[]): Promise<void> {
  for (const [index, user] of chain.entries()) {
    const { available, held, owed } = await partsOf(test_app.db, user);
    const { rows } = await test_app.db.execute<{ shares: string; held: string; paid: string }>(sql`
      SELECT coalesce(sum(amount - refunded), 0)::text AS shares, coalesce(sum(amount) FILTER (WHERE state = 'held'), 0)::text AS held,
        (SELECT coalesce(sum(amount), 0)::text FROM combo_order WHERE user_id = ${user.id} AND state = 'paid') AS paid
      FROM order_share WHERE agent_id = ${user.id}`);
    const [booked] = rows;
    expect(held).toBe(BigInt(booked?.held ?? 0));
    expect(available + held - owed).toBe(sumOf(Object.values(put[index] ?? {})) + BigInt(booked?.shares ?? 0) - BigInt(booked?.paid ?? 0));
  }
  const { rows } = await test_app.db.execute(sql`
    SELECT order_id FROM order_share JOIN combo_order ON combo_order.id = order_id
    WHERE combo_order.user_id = ANY(${sql.param(chain.map(({ id }) => id))}::bigint[]) GROUP BY order_id, combo_order.amount, granted
    HAVING sum(order_share.amount) > combo_order.amount - granted`);
  expect(rows).toEqual([]);
}

/** However gifts are spent, given back and spent again, what can be withdrawn was paid in by somebody. */
async function expectNothingFromGifts(chain: readonly TestUser[], put: readonly Put[]): Promise<void> {
  const parts = await Promise.all(chain.map((user) => partsOf(test_app.db, user)));
  const withdrawable = await Promise.all(chain.map(({ id }) => withdrawableOf(test_app.db, id)));
  const earned = sumOf(withdrawable) + sumOf(parts.map(({ held, owed }) => held - owed));
  expect(earned <= sumOf(put.map(({ payment }) => payment)), `${earned} came of less`).toBe(true);
}

test('shares are exact whatever is bought, held, released and refunded, no cycle earns anything, and gifts pay none', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 14 }), async (acts) => {
      const chain = await makeChain();
      const put = chain.map((): Put => ({ gift: 0n, payment: 0n }));
      for (const one of acts) {
        const own = one.what === 'edit' && put[one.who];
        if (own) own[one.as] += BigInt(one.amount);
        await perform(chain, one);
        await expectExactShares(chain, put);
        if (one.what === 'wait') await expectNothingFromGifts(chain, put);
      }
      await expectNothingFromGifts(chain, put);
      // All that was bought is given back, and all that was held released: everybody has what was put on his balance.
      await transactAgain(test_app.db, (tx) => expireOrders(tx, new Date(now.getTime() + 100 * dayMilliseconds)));
      for (const who of acts.flatMap((one) => (one.what === 'buy' ? [one.who] : []))) await perform(chain, { what: 'refund', who });
      await perform(chain, { what: 'wait', days: 9 });
      for (const [index, user] of chain.entries()) {
        const { available, held, owed } = await partsOf(test_app.db, user);
        expect([available - owed, held]).toEqual([sumOf(Object.values(put[index] ?? {})), 0n]);
      }
    }),
    { numRuns: 12 },
  );
  expect((await findFaults(test_app.db)).faults).toEqual([]);
});
