import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violatedConstraint } from '../kit/calls/errors.ts';
import { transact, transactAgain } from '../kit/postgres/database.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { balanceOf, type Entry, isInsufficient, post, type Transfer } from './ledger.public.ts';
import { availableOf, credit } from './testing/money.ts';

let test_app: TestApp;
let user: TestUser;
let other: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  user = await test_app.makeUser('customer');
  other = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

const available = (of: TestUser) => ({ kind: 'user_available', owner_id: of.id }) as const;
const between = (from: TestUser, to: TestUser, amount: bigint): Entry[] => [
  { account: available(from), amount: -amount },
  { account: available(to), amount },
];
const send = (entries: Entry[], transfer: Partial<Transfer> = {}) =>
  transactAgain(test_app.db, (tx) => post(tx, { kind: 'share', ref: { type: 'test', id: randomUUID() }, entries, ...transfer }));
const execute = (statement: string) => test_app.db.execute(sql.raw(statement));
const refusal = (change: Promise<unknown>) => change.then(() => undefined, violatedConstraint);

describe('a transfer', () => {
  test('moves money from account to account, and tells what each had before', async () => {
    await credit(test_app.db, user.id, 5_000_000n);
    await send(between(user, other, 1_500_000n));
    expect([await availableOf(test_app.db, user.id), await availableOf(test_app.db, other.id)]).toEqual([3_500_000n, 1_500_000n]);
    expect(await balanceOf(test_app.db, { kind: 'admin_adjust' })).toBe(-5_000_000n);
    const { rows } = await test_app.db.execute(
      sql`SELECT type, amount, balance_before, balance_after FROM bill WHERE user_id = ${user.id} ORDER BY id`,
    );
    expect(rows).toEqual([
      { type: 'balance_payment', amount: 5_000_000, balance_before: 0, balance_after: 5_000_000 },
      { type: 'share', amount: -1_500_000, balance_before: 5_000_000, balance_after: 3_500_000 },
    ]);
  });

  test('is made once for each kind and reference, also when it is asked for many times at once', async () => {
    const ref = { type: 'test', id: randomUUID() };
    const before = await availableOf(test_app.db, other.id);
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(between(user, other, 10n), { ref })));
    expect(answers.filter(({ posted }) => posted)).toHaveLength(1);
    expect(new Set(answers.map(({ transfer_id }) => transfer_id)).size).toBe(1);
    expect(await availableOf(test_app.db, other.id)).toBe(before + 10n);
    expect((await send(between(user, other, 10n), { ref, kind: 'order' })).posted).toBe(true);
  });

  test('is refused when its entries do not sum to 0, or there are none', async () => {
    expect(await refusal(send([{ account: available(user), amount: 1n }]))).toBe('ledger_transfer_balances');
    expect(await refusal(send([]))).toBe('ledger_transfer_balances');
    const crossed: Entry[] = [
      { account: { kind: 'chain_hot', asset: 'TRX' }, amount: -5n },
      { account: available(user), amount: 5n },
    ];
    expect(await refusal(send(crossed))).toBe('ledger_transfer_balances');
  });

  test('never leaves a user less than nothing, and undoes all that came with it', async () => {
    const before = await availableOf(test_app.db, user.id);
    const failure = await send(between(user, other, before + 1n)).catch((error: unknown) => error);
    expect(isInsufficient(failure)).toBe(true);
    expect(await availableOf(test_app.db, user.id)).toBe(before);
  });

  test('keeps every millionth when users send each other money at once', async () => {
    await credit(test_app.db, other.id, 1_000_000n);
    const total = (await availableOf(test_app.db, user.id)) + (await availableOf(test_app.db, other.id));
    const sent = Array.from({ length: 40 }, (_, index) => send(index % 2 ? between(user, other, 7n) : between(other, user, 11n)));
    await Promise.all(sent);
    expect((await availableOf(test_app.db, user.id)) + (await availableOf(test_app.db, other.id))).toBe(total);
  });
});

describe('the database itself', () => {
  test('changes and deletes no row, and empties no table', async () => {
    for (const table of ['ledger_account', 'ledger_transfer', 'ledger_entry'])
      for (const statement of [`DELETE FROM ${table}`, `TRUNCATE ${table} CASCADE`])
        await expect(execute(statement), statement).rejects.toMatchObject({ cause: { code: '42501' } });
    for (const change of ['ledger_account SET balance = balance + 1', 'ledger_transfer SET note = note', 'ledger_entry SET amount = 1'])
      await expect(execute(`UPDATE ${change}`), change).rejects.toMatchObject({ cause: { code: '42501' } });
  });

  test('begins accounts with nothing', async () => {
    const third = await test_app.makeUser('customer');
    await execute(`INSERT INTO ledger_account (kind, owner_id, balance, version) VALUES ('user_available', ${third.id}, 100, 7)`);
    expect(await availableOf(test_app.db, third.id)).toBe(0n);
  });

  test('adds no entry to a transfer of another transaction', async () => {
    const { transfer_id } = await send(between(user, other, 1n));
    const added = execute(`INSERT INTO ledger_entry (transfer_id, account_id, amount)
      SELECT '${transfer_id}', id, CASE kind WHEN 'revenue' THEN 1 ELSE -1 END FROM ledger_account WHERE kind IN ('revenue', 'admin_adjust')`);
    await expect(added).rejects.toMatchObject({ cause: { code: '42501' } });
  });

  test('computes balances itself, whatever an entry says', async () => {
    const before = await availableOf(test_app.db, user.id);
    await transact(test_app.db, async (tx) => {
      const { transfer_id } = await post(tx, {
        kind: 'share',
        ref: { type: 'test', id: randomUUID() },
        entries: between(user, other, 1n),
      });
      await tx.execute(sql`
        INSERT INTO ledger_entry (transfer_id, account_id, amount, balance_after, account_version)
        SELECT ${transfer_id}::uuid, id, CASE kind WHEN 'user_available' THEN 1 ELSE -1 END, 999, 999 FROM ledger_account
        WHERE owner_id = ${user.id} OR kind = 'admin_adjust'`);
    });
    expect(await availableOf(test_app.db, user.id)).toBe(before);
  });
});
