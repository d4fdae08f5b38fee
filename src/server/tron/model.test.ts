import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../kit/testing/app.ts';
import { findFaults } from '../ledger/ledger.verify.ts';
import { newCombo, play } from './testing/model.ts';
import { steps } from './testing/steps.ts';

const { LEDGER_RUNS, LIVECODE_TEST_GATE } = process.env;
/** `npm run bench:ledger` has thousands, and longer ones; the gate has less than `npm run test:full`. */
const [runs, length] = LEDGER_RUNS ? [Number(LEDGER_RUNS), 60] : [LIVECODE_TEST_GATE ? 40 : 200, 40];

let site: TestApp;
let admin: number;
let combo: number;
beforeAll(async () => {
  site = await createTestApp();
  admin = (await site.makeUser('super')).id;
  combo = await newCombo(site);
});
afterAll(() => site.close());

test('deposits, orders, refunds, withdrawals, edits and collections in any order come to what arithmetic says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: length, maxLength: length }), async (sequence) => {
      expect(await play(site, sequence, admin, combo)).toEqual([]);
    }),
    { numRuns: runs, endOnFailure: !LEDGER_RUNS },
  );
  expect((await findFaults(site.db)).faults).toEqual([]);
}, 3_600_000);
