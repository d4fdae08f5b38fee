import fc from 'fast-check';
import { type BalanceEdit, balanceEdits } from '../../../contract/money/ledger.ts';

export const userCount = 3;

/** What happens to a withdrawal; a declared wallet sends what it comes to at a match. */
const decisions = ['approve', 'reject', 'settle', 'match'] as const;
export type Decision = (typeof decisions)[number];

/** One command: what it does to the model, and to the site. It names what it acts on by a number, taken modulo of what there is. */
export type Step =
  | { kind: 'deposit'; user: number; amount: bigint }
  | { kind: 'redeliver'; at: number }
  | { kind: 'edit'; user: number; amount: bigint; as: BalanceEdit }
  | { kind: 'earn'; user: number; amount: bigint }
  | { kind: 'order'; user: number }
  | { kind: 'refund'; user: number }
  | { kind: 'ask'; user: number; amount: bigint }
  | { kind: Decision; at: number }
  | { kind: 'collect'; user: number };

const user = fc.integer({ min: 0, max: userCount - 1 });
const at = fc.nat({ max: 1_000 });
const amount = (max: bigint) => fc.bigInt({ min: 1n, max });
export const steps = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('deposit' as const), user, amount: amount(60_000_000n) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('redeliver' as const), at }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      user,
      amount: fc.bigInt({ min: -40_000_000n, max: 40_000_000n }),
      as: fc.constantFrom(...balanceEdits),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('earn' as const), user, amount: amount(40_000_000n) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('order' as const), user }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), user }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('ask' as const), user, amount: fc.bigInt({ min: 2_000_000n, max: 40_000_000n }) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom(...decisions), at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('collect' as const), user }) },
);
