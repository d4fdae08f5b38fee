import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { remindOfExpiries } from './reminders.ts';

let test_app: TestApp;
let owner: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
});
beforeEach(async () => {
  owner = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

const now = new Date('2030-05-01T04:00:00Z');
const hoursFromNow = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString();
const remind = (hours = 24, at = now) => remindOfExpiries(test_app.db, { now: at, hours, time_zone: 'Asia/Shanghai', language: 'zh-CN' });

async function codeWith(expiries: (string | null)[], name = '春茶群') {
  const targets = expiries.map((expires_at, index) => ({
    kind: 'url' as const,
    content: 'https://example.com/',
    expires_at,
    name: index === 0 ? '一群' : '',
  }));
  return (await test_app.call(owner, 'qr_code_list', 'add', { name, targets })).body;
}
const messages = async () => (await test_app.call(owner, 'message_list', 'inquire', {})).body.content;
const events = async (owner_id = owner.id) =>
  (
    await test_app.db.execute<{ data: Record<string, unknown> }>(
      sql`SELECT data FROM event WHERE type = 'code.target_expiring' AND owner_id = ${owner_id} ORDER BY id`,
    )
  ).rows.map((row) => row.data);

test('an owner is told once of each target that ends soon: by one message with the site’s time, and an event for each', async () => {
  const code = await codeWith([hoursFromNow(20), hoursFromNow(23), hoursFromNow(25), null]);
  expect(await remind()).toBe(2);
  const [message, ...more] = await messages();
  expect(more).toEqual([]);
  expect(message?.title).toBe('2 个子码即将到期');
  expect(message).toMatchObject({ place: 'live_code', place_id: code.id });
  expect(message?.content).toContain(`春茶群：子码 1“一群”将于 2030年5月2日 08:00 到期 /#/customer/qr_code/${code.id}`);
  expect(message?.content).toContain('春茶群：子码 2 将于 2030年5月2日 11:00 到期');
  expect(await events()).toMatchObject([
    { id: code.id, file_name: code.file_name, target_id: code.targets[0]?.id, expires_at: hoursFromNow(20) },
    { target_id: code.targets[1]?.id },
  ]);
  expect(await remind()).toBe(0);
  expect(await remind(24, new Date(hoursFromNow(2)))).toBe(1);
  expect((await messages())[0]?.title).toBe('“春茶群”的子码即将到期');
});

test('an expiry that was put off is told of again when it comes; saving without a change tells nothing', async () => {
  const code = await codeWith([hoursFromNow(20)]);
  const save = (expires_at: string) =>
    test_app.call(owner, 'qr_code_list', 'update', {
      id: code.id,
      targets: [{ id: code.targets[0]?.id, kind: 'url', content: 'https://example.com/', expires_at }],
    });
  expect(await remind()).toBe(1);
  await save(hoursFromNow(20));
  expect(await remind()).toBe(0);
  await save(hoursFromNow(22));
  expect(await remind()).toBe(1);
});

test('nobody is told of what serves nobody: closed and removed codes, switched-off and past targets, an hour setting of 0', async () => {
  const closed = await codeWith([hoursFromNow(5)]);
  await test_app.call(owner, 'qr_code_list', 'update_open', { ids: [closed.id], open: false });
  const removed = await codeWith([hoursFromNow(5)]);
  await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [removed.id], removed: true });
  const off = await codeWith([hoursFromNow(5)]);
  await test_app.pool.query('UPDATE live_code_target SET enabled = false WHERE live_code_id = $1', [off.id]);
  await codeWith([hoursFromNow(-1)]);
  expect(await remind()).toBe(0);
  const open = await codeWith([hoursFromNow(5)]);
  expect(await remind(0)).toBe(0);
  expect(await events()).toEqual([]);
  await test_app.call(owner, 'qr_code_list', 'update_open', { ids: [closed.id], open: true });
  expect(await remind()).toBe(2);
  expect((await events()).map((event) => event.id).sort()).toEqual([closed.id, open.id].sort());
});

test('of many workers at once one tells, and a crowd of targets makes one message a batch', async () => {
  await codeWith(Array.from({ length: 60 }, () => hoursFromNow(3)));
  const told = await Promise.all(Array.from({ length: 6 }, () => remind()));
  expect(told.reduce((sum, one) => sum + one, 0)).toBe(60);
  expect(await events()).toHaveLength(60);
  const shown = await messages();
  expect(shown).toHaveLength(1);
  expect(shown[0]?.content.split('\n')).toHaveLength(23);
  expect(shown[0]?.content).toContain('还有 40 个子码。');
});

test('a list says when the first of the serving targets ends, where that is soon', async () => {
  const [soon, sooner] = [20, 10].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  const code = await codeWith([soon ?? null, sooner ?? null, null]);
  const later = await codeWith([new Date(Date.now() + 30 * 3_600_000).toISOString()]);
  const { content } = (await test_app.call(owner, 'qr_code_list', 'inquire', {})).body;
  const shown = new Map(content.map((row) => [row.id, row.target_expiring_at]));
  expect(shown.get(code.id)).toBe(sooner);
  expect(shown.get(later.id)).toBeNull();
  const ids = async (expiring: boolean) =>
    (await test_app.call(owner, 'qr_code_list', 'inquire', { expiring })).body.content.map((row) => row.id);
  expect([await ids(true), await ids(false)]).toEqual([[code.id], [later.id]]);
});
