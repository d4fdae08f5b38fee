import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { treasury, usdt } from '../../../simulators/tron/network.ts';
import { transferLog } from '../../../simulators/tron/tokens.ts';
import type { TestUser } from '../kit/testing/app.ts';
import { ledger_verification } from '../ledger/ledger.table.ts';
import { toHex } from '../tron/protocol/address.ts';
import { newAddress, type Office, openOffice } from './testing/office.ts';

let office: Office;
let agent: TestUser;
beforeAll(async () => {
  office = await openOffice();
  agent = await office.newAgent();
});
afterAll(() => office.site.close());

async function ask(amount: string, { isApproved = true } = {}) {
  const { body } = await office.site.call(agent, 'acting_withdrawal_list', 'add', { amount, address: newAddress() });
  if (isApproved) expect((await office.approve(body.id)).status).toBe(200);
  return body;
}
const payments = (ids?: number[], as = office.admin) => office.site.call(as, 'withdrawal_list', 'export_payments', ids ? { ids } : {});
const change = (id: number, set: string) => office.site.db.execute(sql`UPDATE withdrawal SET ${sql.raw(set)} WHERE id = ${id}`);

test('what is approved and not paid is a file for wallets, net of its fee, all of it or what was chosen', async () => {
  expect((await payments()).body).toMatchObject({ code: 'withdrawal.nothing_to_pay' });
  const [one, other] = [await ask('123.456789'), await ask('30')];
  const paid = await ask('10');
  await office.pay(paid.id, office.payOnChain(paid.address, 9_000_000n));
  const wrong = await ask('40');
  await change(wrong.id, `problem = 'payout_blacklisted'`);
  const servers = await ask('50');
  await change(servers.id, `payout = 'server'`);
  const waiting = await ask('60', { isApproved: false });
  const lines = [`${one.address},122.456789,${one.id}`, `${other.address},29.000000,${other.id}`];
  const file = (...wanted: string[]) => ({
    csv: ['address,amount,reference', ...wanted, ''].join('\r\n'),
    payments: wanted.length,
  });
  expect((await payments()).body).toEqual(file(...lines));
  expect((await payments([other.id, waiting.id, wrong.id])).body).toEqual(file(lines[1] ?? ''));
  const { rows } = await office.site.db.execute(
    sql`SELECT user_id::int AS user_id, content FROM log WHERE type = 'withdrawal_list/export_payments' ORDER BY id`,
  );
  expect(rows).toEqual([
    { user_id: office.admin.id, content: { ids: [one.id, other.id] } },
    { user_id: office.admin.id, content: { ids: [other.id] } },
  ]);
});

test('an amount beyond what numbers hold exactly stays exact', async () => {
  const { id, address } = await ask('20');
  await change(id, 'amount = 900719925474099301, fee = 2');
  expect((await payments([id])).body.csv).toContain(`${address},900719925474.099299,${id}`);
});

test('a transaction that sent to many addresses pays one withdrawal to each', async () => {
  const [one, other] = [await ask('20'), await ask('30')];
  const twin = await ask('30');
  await change(twin.id, `address = '${other.address}'`);
  const ids = [one.id, other.id, twin.id];
  expect((await payments(ids)).body.payments).toBe(2);
  const { tron } = office.site;
  const hash = randomBytes(32).toString('hex');
  const logs = [
    transferLog(usdt, treasury, toHex(one.address), 19_000_000n),
    transferLog(usdt, treasury, toHex(other.address), 29_000_000n),
  ];
  tron.makeBlock([tron.place({ id: hash, logs })]);
  tron.makeSolid();
  for (const { id } of [one, other]) expect((await office.pay(id, hash)).body).toMatchObject({ state: 'paid', transaction_hash: hash });
  expect((await office.pay(twin.id, hash)).body.fields).toEqual({ transaction_hash: 'hash_used' });
  expect((await payments(ids)).body.csv).toContain(`${other.address},29.000000,${twin.id}`);
});

test('only who may approve gets the file, without what he is to be paid himself, and nobody while the ledger does not add up', async () => {
  const { id } = await ask('20');
  expect((await office.site.send(agent, 'withdrawal_list/export_payments', {})).status).toBe(403);
  await change(id, `user_id = ${office.admin.id}`);
  expect((await payments([id])).body).toMatchObject({ code: 'withdrawal.nothing_to_pay' });
  await office.site.db.insert(ledger_verification).values({ transfers: 0, entries: 0, faults: [{ kind: 'sum' } as never] });
  expect((await payments()).body).toMatchObject({ code: 'withdrawal.frozen' });
});
