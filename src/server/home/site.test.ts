import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NeedKind } from '../../contract/content/home.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

/** 12:30 on a Wednesday in Shanghai. */
const now = new Date('2026-03-11T04:30:00Z');
const shanghai = (text: string): string => new Date(Date.parse(`${text}+08:00`)).toISOString();
const secondsAgo = (seconds: number): string => new Date(now.getTime() - seconds * 1000).toISOString();

let test_app: TestApp;
let administrator: TestUser;
let customer: TestUser;
beforeAll(async () => {
  test_app = await createTestApp({ now: () => now });
  administrator = await test_app.makeUser('administrator');
  customer = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

const site = async (as: TestUser = administrator) => {
  const { status, body } = await test_app.call(as, 'home', 'site', {});
  expect(status).toBe(200);
  return body;
};
const needOf = async (as: TestUser, kind: NeedKind) =>
  (await test_app.call(as, 'home', 'needs', {})).body.content.find((need) => need.kind === kind);
const run = (statement: string) => test_app.db.execute(sql.raw(statement));

test('who does not see all users is told nothing of the site', async () => {
  expect(Object.values(await site(customer)).every((part) => part === null)).toBe(true);
  expect((await test_app.call(undefined, 'home', 'site', {})).status).toBe(401);
});

test('an administrator is told only of what he has the screen of', async () => {
  const clerk = await test_app.makeUser('administrator');
  const { rows } = await test_app.db.execute<{ id: number }>(
    sql`INSERT INTO role (name, kind) VALUES ('clerk', 'administrator') RETURNING id::float8 AS id`,
  );
  const role = rows[0]?.id ?? 0;
  await run(`INSERT INTO role_node SELECT ${role}, id FROM permission_node WHERE key IN ('home_admin', 'user_list', 'server_list')`);
  await run(`UPDATE user_account SET role_id = ${role} WHERE id = ${clerk.id}`);
  const { users, servers, ...others } = await site(clerk);
  expect([users, servers].every(Boolean)).toBe(true);
  expect(Object.values(others).every((part) => part === null)).toBe(true);
});

test('new users are counted by the days of the site, against yesterday up to the same time and the seven days before', async () => {
  await run("UPDATE user_account SET created_at = now() - interval '10 years'");
  const before = (await site()).users;
  const came = [
    '2026-03-11T00:10:00',
    '2026-03-10T12:00:00',
    '2026-03-10T23:00:00',
    '2026-03-05T00:01:00',
    '2026-03-04T23:59:00',
    '2026-03-04T12:00:00',
  ];
  for (const at of came) {
    const user = await test_app.makeUser('customer');
    await run(`UPDATE user_account SET created_at = '${shanghai(at)}' WHERE id = ${user.id}`);
  }
  const { users } = await site();
  // Of the last two the one before midnight came later than half past twelve, the other earlier.
  expect(users?.added).toEqual({ today: 1, yesterday: 1, week: 4, week_before: 1 });
  expect(users?.total).toBe((before?.total ?? 0) + came.length);
});

test('online is who the list of users calls so, and nothing while that is not looked at', async () => {
  await run("UPDATE session SET used_at = now() - interval '1 hour'");
  expect((await site()).users?.online).toBe(0);
  await run(`UPDATE session SET used_at = now() WHERE user_id = ${customer.id}`);
  const listed = await test_app.call(administrator, 'user_list', 'inquire', { online_status: 2 });
  expect([(await site()).users?.online, listed.body.total]).toEqual([1, 1]);
  const keep = (value: boolean) => test_app.call(administrator, 'configuration', 'update', { values: { online_detection: value } });
  expect((await keep(false)).status).toBe(200);
  expect((await site()).users?.online).toBeNull();
  expect((await keep(true)).status).toBe(200);
});

test('visits a second are those of the last minute, of all hosts', async () => {
  expect((await site()).visits).toEqual({ hosts: 0, strained: 0, rate: null, p99: null, unloaded: 0 });
  const sample = (answered: number, unloaded: number) =>
    JSON.stringify({
      visits: { 'redirect 0': { answered, refused: 0, bounds: { '0.01': answered, '+Inf': answered } } },
      ...{ unloaded, loaded: 0, calls: 0, call_seconds: 0, disk: 0.1, processes: {} },
    });
  const tell = (host: string, seconds: number, answered: number, unloaded = 0) =>
    test_app.db.execute(
      sql`INSERT INTO host_sample (host, at, sample) VALUES (${host}, ${secondsAgo(seconds)}, ${sample(answered, unloaded)}::jsonb)`,
    );
  await tell('a:3000', 300, 0);
  await tell('a:3000', 50, 1000);
  await tell('a:3000', 10, 1400, 7);
  await tell('b:3000', 40, 0);
  await tell('b:3000', 0, 200, 5);
  expect((await site()).visits).toMatchObject({ hosts: 2, rate: 15, unloaded: 12 });
});

test('hosts under strain, servers out of reach and jobs that failed wait for administrators', async () => {
  await run(
    `INSERT INTO host_alarm (host, kind, since) VALUES ('a:3000', 'disk', '${secondsAgo(60)}'), ('b:3000', 'silent', '${secondsAgo(30)}')`,
  );
  expect(await needOf(administrator, 'host_strained')).toMatchObject({
    total: 2,
    items: [{ name: expect.stringContaining('b:3000') }, { name: expect.stringContaining('a:3000') }],
  });
  expect(await needOf(customer, 'host_strained')).toBeUndefined();
  expect((await site()).visits?.strained).toBe(2);
  await run(
    `INSERT INTO recurring_job (name, every_minutes, next_at, ran_at, error) VALUES ('sweep', 5, now() + interval '1 minute', now(), 'Error: full')`,
  );
  expect(await needOf(administrator, 'job_failed')).toMatchObject({ total: 1, items: [{ name: 'sweep' }] });
  expect((await site()).jobs).toMatchObject({ failed: 1 });
  const monitor = (await test_app.call(administrator, 'monitor', 'inquire', {})).body;
  expect(monitor.failed_jobs).toMatchObject([{ name: 'sweep', error: 'Error: full' }]);
  await run(`INSERT INTO server (name, host, ssh_user, auth, front_command, back_command, code_command, state)
    VALUES ('edge', 'edge.example.com', 'root', 'key', 'a', 'b', 'c', 'offline'), ('core', 'core.example.com', 'root', 'key', 'a', 'b', 'c', 'online')`);
  expect(await needOf(administrator, 'server_unreachable')).toMatchObject({ total: 1, items: [{ name: 'edge · edge.example.com' }] });
  expect((await site()).servers).toEqual({ total: 2, online: 1, unreachable: 1 });
});

test('a wallet that payments wait for, and a network that is not read, wait for administrators', async () => {
  expect((await test_app.call(administrator, 'tron', 'generate', {})).status).toBe(200);
  expect(await needOf(administrator, 'wallet_short')).toBeUndefined();
  await run(`INSERT INTO tron_send (purpose, ref_id, wallet_id, contract, asset, receiver, amount, fee_limit, last_error)
    SELECT 'payout', number, (SELECT min(id) FROM tron_wallet WHERE purpose <> 'deposit'), 'T', 'USDT', 'T', 1, 1, 'tron_send.short_usdt'
    FROM generate_series(1, 3) AS number`);
  expect(await needOf(administrator, 'wallet_short')).toMatchObject({ total: 1, items: [{ left: 3 }] });
  const { wallets } = await site();
  expect(wallets).toMatchObject({ short: 3, usdt: '0.000000', read_at: null });
  await run(`INSERT INTO tron_position (contract, block, block_id, block_at, first_block, solid_head, last_error)
    SELECT contract, 1, 'x', '${secondsAgo(120)}', 1, 1, 'outgoing.timeout' FROM pay_config`);
  expect(await needOf(administrator, 'payments_unread')).toBeUndefined();
  await run(`UPDATE tron_position SET block_at = '${secondsAgo(600)}'`);
  expect(await needOf(administrator, 'payments_unread')).toMatchObject({ total: 1 });
  await run('UPDATE tron_position SET last_error = NULL');
  expect(await needOf(administrator, 'payments_unread')).toBeUndefined();
});
