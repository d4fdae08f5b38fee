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
const payments = (ids?: number[], as = office.admin, again?: number) =>
  office.site.call(as, 'withdrawal_list', 'export_payments', { ...(ids && { ids }), ...(again && { again }) });
const toMake = async (ids: number[]) => (await office.site.call(office.admin, 'withdrawal_list', 'payments', { ids })).body;
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
  const fileOf = (...wanted: string[]) => ({
    csv: ['address,amount,reference', ...wanted, ''].join('\r\n'),
    payments: wanted.length,
    later: 0,
  });
  const chosen = (await payments([other.id, waiting.id, wrong.id])).body;
  expect(chosen).toMatchObject(fileOf(lines[1] ?? ''));
  const rest = (await payments()).body;
  expect(rest).toMatchObject(fileOf(lines[0] ?? ''));
  const { rows } = await office.site.db.execute(
    sql`SELECT user_id::int AS user_id, changes -> 'after' AS made FROM log WHERE type = 'withdrawal_list/export_payments' ORDER BY id`,
  );
  expect(rows).toEqual([
    { user_id: office.admin.id, made: { file: chosen.file, ids: [other.id] } },
    { user_id: office.admin.id, made: { file: rest.file, ids: [one.id] } },
  ]);
});

test('what is in a file is in no other, unless somebody asks for that file again', async () => {
  const [one, other] = [await ask('20'), await ask('30')];
  const ids = [one.id, other.id];
  expect(await toMake(ids)).toEqual({ fresh: 2, files: [] });
  const { body: first } = await payments(ids);
  const of = { made_at: expect.any(String), made_by_account: office.admin.account };
  expect(await toMake(ids)).toEqual({ fresh: 0, files: [{ file: first.file, payments: 2, ...of }] });
  expect((await payments(ids)).body).toMatchObject({ code: 'withdrawal.nothing_to_pay' });
  const rows = async (in_file: boolean) =>
    (await office.site.call(office.admin, 'withdrawal_list', 'inquire', { in_file, state: 'approved' })).body.content;
  expect((await rows(true)).find(({ id }) => id === one.id)).toMatchObject({ file: first.file, filed_by_account: office.admin.account });
  expect((await rows(false)).map(({ id }) => id)).not.toContain(one.id);
  const own = (await office.site.call(agent, 'acting_withdrawal_list', 'inquire', {})).body.content.find(({ id }) => id === one.id);
  expect(own).toMatchObject({ file: null, filed_at: null, filed_by_account: null });
  // What was paid is not downloaded again, and of two who want the file again one gets it.
  await office.pay(one.id, office.payOnChain(one.address, 19_000_000n));
  const colleague = await office.administrator();
  const answers = await Promise.all([office.admin, colleague].map((as) => payments(ids, as, first.file)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 200)?.body.csv).toBe(
    `address,amount,reference\r\n${other.address},29.000000,${other.id}\r\n`,
  );
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'withdrawal.nothing_again' });
});

test('administrators who download at once never get the same payment', async () => {
  const asked = [await ask('20'), await ask('20'), await ask('20')];
  const colleagues = await Promise.all([1, 2, 3].map(() => office.administrator()));
  const [one, other, third] = asked.map(({ id }) => id) as [number, number, number];
  const answers = await Promise.all([
    payments([one, other], colleagues[0]),
    payments([other, third], colleagues[1]),
    payments([one, other, third], colleagues[2]),
  ]);
  const numbers = answers.flatMap(({ status, body }) =>
    status === 200
      ? body.csv
          .trim()
          .split('\r\n')
          .slice(1)
          .map((line) => Number(line.split(',')[2]))
      : [],
  );
  expect(numbers.toSorted((a, b) => a - b)).toEqual([one, other, third]);
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
  expect((await payments(ids)).body).toMatchObject({ payments: 2, later: 1 });
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
