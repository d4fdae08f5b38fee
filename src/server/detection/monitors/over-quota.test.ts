import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { applyMonitorQuotas } from '../../orders/over-quota.public.ts';
import { claimDue, release } from '../checks/claims.ts';

let test_app: TestApp;
let administrator: TestUser;
let owner: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  owner = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

const inquire = async () => (await test_app.call(owner, 'domain_monitor', 'inquire', { sort: 'id', order: 'asc' })).body.content;
const stopped = async () => (await inquire()).map(({ over_quota }) => over_quota);
/** The owner's addresses that a worker would check now. */
const due = async () => {
  const portion = await claimDue(test_app.db, 10);
  if (portion) await release(test_app.db, portion);
  const own = (await inquire()).map(({ id }) => id);
  return portion?.rows.map(({ id }) => id).filter((id) => own.includes(id));
};
const limitTo = async (monitor_quota: number | null) => {
  expect(
    (await test_app.call(administrator, 'hold_domain', 'monitor_quota', { ids: [owner.id], monitor_quota, monitor_minimum_seconds: null }))
      .status,
  ).toBe(200);
  await applyMonitorQuotas(test_app.db);
};

test('addresses beyond a lowered quota are checked no more until it allows them again; the owner chooses which', async () => {
  await test_app.call(owner, 'domain_monitor', 'add', {
    lines: ['https://a.example.net', 'https://b.example.net', 'https://c.example.net'],
  });
  const [a, b, c] = (await inquire()).map(({ id }) => id);
  if (!(a && b && c)) throw new Error('three were added');
  await limitTo(1);
  expect(await stopped()).toEqual([false, true, true]);
  expect((await test_app.call(owner, 'domain_monitor', 'check', { ids: [b] })).body.code).toBe('domain_monitor.over_quota');
  expect(await due()).toEqual([a]);

  const kind = 'monitors';
  expect((await test_app.call(owner, 'buy_vip_combo', 'keep', { kind, ids: [c] })).status).toBe(200);
  expect(await stopped()).toEqual([true, true, false]);
  expect(await due()).toEqual([c]);
  const { content } = (await test_app.call(owner, 'buy_vip_combo', 'choices', { kind })).body;
  expect(content.map(({ id, name, kept }) => [id, name, kept])).toEqual([
    [c, 'https://c.example.net/', true],
    [a, 'https://a.example.net/', false],
    [b, 'https://b.example.net/', false],
  ]);

  await limitTo(null);
  expect(await stopped()).toEqual([false, false, false]);
  expect((await due())?.sort()).toEqual([a, b, c]);
});

test('registered domains are no part of it', async () => {
  const { body } = await test_app.call(owner, 'domain_list', 'add', { host: 'own.example.net', type: 1 });
  await limitTo(0);
  const { rows } = await test_app.db.execute(sql`SELECT over_quota FROM domain_monitor WHERE domain_id = ${body.id}`);
  expect(rows).toEqual([{ over_quota: false }]);
});
