import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { outcomes } from '../../../contract/enums.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { groupBatch } from '../../visits/loader/batch.ts';
import { markExhausted } from '../../visits/loader/exhausted.ts';
import { tellOfExhausted } from './exhausted.ts';

let test_app: TestApp;
let owner: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
});
afterAll(() => test_app.close());
beforeEach(async () => {
  await test_app.db.execute(sql`DELETE FROM code_exhausted`);
  await test_app.db.execute(sql`DELETE FROM event`);
  owner = await test_app.makeUser('customer');
});

async function makeCode(threshold: number | null, name = 'to be used up'): Promise<{ id: number; file_name: string; target: number }> {
  const targets = [{ kind: 'url' as const, content: 'https://example.com/', threshold }];
  const { body } = await test_app.call(owner, 'qr_code_list', 'add', { name, targets });
  return { id: body.id, file_name: body.file_name, target: body.targets[0]?.id ?? 0 };
}
const exhaust = ({ target }: { target: number }) =>
  test_app.db.execute(sql`UPDATE target_quota SET remaining = 0 WHERE target_id = ${target}`);
/** What the loader does with a batch of visits. */
async function turnAway(...ids: number[]): Promise<void> {
  const hours = ids.map((live_code_id) => ({
    live_code_id,
    hour: '',
    outcome: outcomes.indexOf('exhausted'),
    visits: 1,
    ips: 0,
    new_ips: 0,
  }));
  const client = await test_app.pool.connect();
  const empty = { ip: [], place_id: [], agent_id: [], device_id: [] } as never;
  const clock = { hourOf: () => 0, dayOf: () => '' } as never;
  await markExhausted(client, { ...groupBatch(1, [], empty, clock), hours });
  client.release();
}
const tell = (now = new Date()) => tellOfExhausted(test_app.db, { now, language: 'zh-CN' });
const happened = async () =>
  (
    await test_app.db.execute<{ owner_id: number; data: unknown }>(
      sql`SELECT owner_id, data FROM event WHERE type = 'code.exhausted' ORDER BY id`,
    )
  ).rows;
const messages = async () => (await test_app.call(owner, 'message_list', 'inquire', {})).body.content.map(({ title }) => title);

test('the owner of a code without visits left is told once, by an event and a message', async () => {
  const code = await makeCode(5);
  await exhaust(code);
  await turnAway(code.id);
  await turnAway(code.id);
  expect([await tell(), await tell()]).toEqual([1, 0]);
  await turnAway(code.id);
  expect(await tell()).toBe(0);
  expect(await happened()).toEqual([{ owner_id: owner.id, data: { id: code.id, file_name: code.file_name, name: 'to be used up' } }]);
  expect(await messages()).toEqual(['活码“to be used up”已没有可用子码']);
});

test('once it was refilled, or its targets were changed, he is told of the next time', async () => {
  const code = await makeCode(5);
  await exhaust(code);
  await turnAway(code.id);
  await tell();
  await test_app.call(owner, 'qr_code_list', 'refill', { id: code.id });
  expect(await tell()).toBe(0);
  await exhaust(code);
  await turnAway(code.id);
  expect(await tell()).toBe(1);
  expect(await happened()).toHaveLength(2);
});

test('a code that has visits left after all, was removed, or is none is not told of', async () => {
  const [filled, endless, removed] = [await makeCode(5), await makeCode(null), await makeCode(5)];
  await exhaust(removed);
  await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [removed.id], removed: true });
  await turnAway(filled.id, endless.id, removed.id, 999_999_999);
  expect([await tell(), await happened(), await messages()]).toEqual([0, [], []]);
  await tell(new Date(Date.now() + 11 * 60_000));
  expect((await test_app.db.execute(sql`SELECT FROM code_exhausted`)).rows).toEqual([]);
});

test('many at once are one message, and workers that look together tell of each once', async () => {
  const codes = [];
  for (let number = 1; number <= 25; number += 1) codes.push(await makeCode(1, `code ${number}`));
  for (const code of codes) await exhaust(code);
  await turnAway(...codes.map(({ id }) => id));
  const told = await Promise.all([tell(), tell(), tell()]);
  expect(told.reduce((sum, number) => sum + number, 0)).toBe(25);
  expect(await happened()).toHaveLength(25);
  expect(await messages()).toEqual(['25 个活码已没有可用子码']);
});
