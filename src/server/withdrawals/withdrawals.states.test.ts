import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type WithdrawalState, withdrawalStates } from '../../contract/money/withdrawal-list.ts';
import { transactAgain } from '../kit/postgres/database.ts';
import type { TestUser } from '../kit/testing/app.ts';
import { balanceOf } from '../ledger/ledger.public.ts';
import { findFaults } from '../ledger/ledger.verify.ts';
import type { TronSite } from '../tron/testing/site.ts';
import { million, newAddress, type Office, openOffice } from './testing/office.ts';
import { beginPayout, giveUpPayout, matchPayout, settleWithdrawal, waitingPayouts } from './withdrawals.public.ts';
import { clear, reserve, transition, type WithdrawalEvent } from './withdrawals.states.ts';
import { type StoredWithdrawal, withdrawal } from './withdrawals.table.ts';

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

const asked = async (amount = '100') => (await site.call(agent, 'acting_withdrawal_list', 'add', { amount, address: newAddress() })).body;
const cancel = (id: number) => site.call(agent, 'acting_withdrawal_list', 'cancel', { id });

describe('the server’s own payouts', () => {
  test('take a withdrawal once, keep administrators off it, and book what it cost', async () => {
    await office.set({ withdrawal_payout: 'server' });
    const { id, address } = await asked('10');
    await office.approve(id);
    expect(await waitingPayouts(site.db, 10)).toContain(id);
    const begun = await Promise.all([1, 2, 3].map(() => transactAgain(site.db, (tx) => beginPayout(tx, id))));
    expect(begun.filter(Boolean)).toEqual([{ withdrawal_id: id, address, amount: 9n * million }]);
    expect([(await office.reject(id)).body.code, (await office.pay(id, 'c'.repeat(64))).body.code]).toEqual([
      'withdrawal.decided',
      'withdrawal.not_payable',
    ]);
    const settled = { transaction_id: 'd'.repeat(64), network_fee: 27_000_000n };
    const results = await Promise.all([1, 2, 3].map(() => transactAgain(site.db, (tx) => settleWithdrawal(tx, id, settled))));
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await balanceOf(site.db, { kind: 'network_fee', asset: 'TRX' })).toBe(-27_000_000n);
    expect(await office.stored(id)).toMatchObject({ state: 'paid', transaction_hash: 'd'.repeat(64), network_fee: 27_000_000n });
  });

  test('that cannot be made are left to an administrator', async () => {
    await office.set({ withdrawal_payout: 'server' });
    const { id, address } = await asked('10');
    await office.approve(id);
    await transactAgain(site.db, (tx) => beginPayout(tx, id));
    expect(await transactAgain(site.db, (tx) => giveUpPayout(tx, id, null))).toBe(true);
    expect(await transactAgain(site.db, (tx) => beginPayout(tx, id))).toBeUndefined();
    expect((await office.pay(id, office.payOnChain(address, 9n * million))).body.state).toBe('paid');
  });
});

/** What each event makes of a withdrawal in each state; of those that are missing it makes nothing. */
const outcomes: Record<WithdrawalEvent, Partial<Record<WithdrawalState, WithdrawalState>>> = {
  cancel: { waiting: 'cancelled' },
  approve: { waiting: 'approved' },
  reject: { waiting: 'rejected', approved: 'rejected' },
  name_hash: { approved: 'confirming' },
  refute: { confirming: 'approved' },
  begin_payout: { approved: 'paying' },
  give_up_payout: { paying: 'approved' },
  match: { approved: 'paid' },
  settle: { confirming: 'paid', paying: 'paid' },
};

describe('of all states and events', () => {
  /** A withdrawal that has come to a state with its money. */
  const inState = (state: WithdrawalState, payout: 'hash' | 'server'): Promise<StoredWithdrawal> =>
    transactAgain(site.db, async (tx) => {
      const [row] = await tx.insert(withdrawal).values({ user_id: agent.id, amount: '10', fee: '1', address: newAddress() }).returning();
      if (!row) throw new Error('not made');
      await reserve(tx, row);
      const decision = { decided_by: admin.id, decided_at: new Date().toISOString() };
      const hash = randomBytes(32).toString('hex');
      if (['approved', 'confirming', 'paying', 'paid'].includes(state)) {
        await transition(tx, row.id, 'approve', {
          ...decision,
          payout: state === 'paying' || (state === 'approved' && payout === 'server') ? 'server' : 'hash',
        });
        await clear(tx, row, admin.id);
      }
      if (state === 'confirming' || state === 'paid') await transition(tx, row.id, 'name_hash', { transaction_hash: hash });
      if (state === 'paying') await beginPayout(tx, row.id);
      if (state === 'paid') await settleWithdrawal(tx, row.id, { transaction_id: hash, network_fee: 0n });
      return row;
    }).then(async (row) => {
      if (state === 'cancelled') await cancel(row.id);
      if (state === 'rejected') await office.reject(row.id);
      return row;
    });

  const acts: Record<WithdrawalEvent, (row: StoredWithdrawal) => Promise<unknown>> = {
    cancel: ({ id }) => cancel(id),
    approve: ({ id }) => office.approve(id),
    reject: ({ id }) => office.reject(id),
    name_hash: ({ id, address }) => office.pay(id, office.payOnChain(address, 9n * million, { solid: false })),
    refute: ({ id }) => transactAgain(site.db, (tx) => transition(tx, id, 'refute', { transaction_hash: null, problem: 'payout_wrong' })),
    begin_payout: ({ id }) => transactAgain(site.db, (tx) => beginPayout(tx, id)),
    give_up_payout: ({ id }) => transactAgain(site.db, (tx) => giveUpPayout(tx, id, null)),
    match: ({ address }) =>
      transactAgain(site.db, (tx) => {
        const transaction_hash = randomBytes(32).toString('hex');
        return matchPayout(tx, {
          transaction_hash,
          receiver: address,
          amount: 9n * million,
          at: new Date(Date.now() + 1000).toISOString(),
        });
      }),
    settle: ({ id }) =>
      transactAgain(site.db, (tx) => settleWithdrawal(tx, id, { transaction_id: randomBytes(32).toString('hex'), network_fee: 0n })),
  };

  test.each(Object.keys(outcomes) as WithdrawalEvent[])('%s changes those that it may, with their money, and no others', async (event) => {
    for (const state of withdrawalStates) {
      const row = await inState(state, event === 'match' ? 'hash' : 'server');
      expect(await office.stateOf(row.id)).toBe(state);
      await acts[event](row);
      expect([state, await office.stateOf(row.id)]).toEqual([state, outcomes[event][state] ?? state]);
    }
    const { rows } = await site.db.execute<{ held: string; clearing: string }>(sql`
      SELECT (SELECT coalesce(sum(amount), 0)::text FROM withdrawal WHERE state = 'waiting') AS held,
        (SELECT coalesce(sum(amount), 0)::text FROM withdrawal WHERE state IN ('approved', 'confirming', 'paying')) AS clearing`);
    const held = await site.db.execute<{ sum: string }>(
      sql`SELECT coalesce(sum(balance), 0)::text AS sum FROM ledger_account WHERE kind = 'user_hold'`,
    );
    expect(held.rows[0]?.sum).toBe(rows[0]?.held);
    expect(String(await balanceOf(site.db, { kind: 'payout_clearing' }))).toBe(rows[0]?.clearing);
  });
});
