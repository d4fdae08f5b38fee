import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '../kit/testing/app.ts';
import { findFaults } from '../ledger/ledger.verify.ts';
import { newAddress, type Office, openOffice, password } from './testing/office.ts';

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(async () => {
  expect((await findFaults(office.site.db)).faults).toEqual([]);
  await office.site.close();
});

/** Three administrators approve and reject, all at once, four times. */
async function decideAtOnce(remoteAddress: string): Promise<void> {
  const { site } = office;
  const agent = await office.newAgent();
  const others = [await office.administrator(), await office.administrator(), await office.administrator()];
  async function decide({ token }: TestUser, action: 'approve' | 'reject', given: object): Promise<{ state?: string; code?: string }> {
    const headers = { authorization: `Bearer ${token}` };
    return (
      await site.app.inject({ method: 'POST', url: `/api/withdrawal_list/${action}`, remoteAddress, headers, payload: given })
    ).json();
  }
  for (let round = 0; round < 4; round++) {
    const { id } = (await site.call(agent, 'acting_withdrawal_list', 'add', { amount: '10', address: newAddress() })).body;
    const answers = await Promise.all(
      others.flatMap((one) => [decide(one, 'approve', { id, password }), decide(one, 'reject', { id, reason: '地址有误' })]),
    );
    const wins = answers.flatMap(({ state }) => state ?? []).toSorted();
    // An approved one can still be rejected, once.
    expect([['approved'], ['rejected'], ['approved', 'rejected']]).toContainEqual(wins);
    expect(await office.stateOf(id)).toBe(wins.at(-1));
    expect(answers.flatMap(({ code }) => code ?? [])).toEqual(Array(6 - wins.length).fill('withdrawal.decided'));
  }
}

test('approving and rejecting at once have one winner each, whoever comes how often', () => decideAtOnce('198.51.100.1'));

// Each looks at a password, which takes its time.
test('approving and rejecting at once have one winner each, two hundred times', { tags: 'full', timeout: 900_000 }, async () => {
  // Proofs may be tried only so often from one address.
  for (let times = 0; times < 50; times++) await decideAtOnce(`198.51.100.${100 + times}`);
});
