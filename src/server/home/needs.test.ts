import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Need, NeedKind } from '../../contract/content/home.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { visitOf } from '../kit/testing/visit-record.ts';
import { loadVisits } from '../visits/testing/loading.ts';

const now = new Date('2026-03-11T04:30:00Z');
const hours = (number: number): string => new Date(now.getTime() + number * 3_600_000).toISOString();

let test_app: TestApp;
let administrator: TestUser;
let owner: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  test_app = await createTestApp({ now: () => now });
  administrator = await test_app.makeUser('administrator');
  owner = await test_app.makeUser('customer');
  stranger = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

const needs = async (as: TestUser): Promise<Need[]> => {
  const { status, body } = await test_app.call(as, 'home', 'needs', {});
  expect(status).toBe(200);
  return body.content;
};
const needOf = async (as: TestUser, kind: NeedKind) => (await needs(as)).find((need) => need.kind === kind);

/** A code on a healthy domain, with targets of these thresholds and expiries. */
async function addCode(as: TestUser, name: string, targets: { threshold?: number; expires_at?: string }[] = [{}]): Promise<number> {
  const input = { name, targets: targets.map((target) => ({ kind: 'url' as const, content: 'https://example.com/', ...target })) };
  const { status, body } = await test_app.call(as, 'qr_code_list', 'add', input);
  expect(status).toBe(200);
  return body.id;
}
const addDomain = async (host: string, set: string) => {
  expect((await test_app.call(owner, 'domain_list', 'add', { host, type: 1 })).status).toBe(200);
  const { rows } = await test_app.db.execute<{ id: number }>(
    sql`UPDATE domain SET ${sql.raw(set)} WHERE host = ${host} RETURNING id::float8 AS id`,
  );
  return rows[0]?.id ?? 0;
};

test('nothing waits for who has nothing', async () => {
  expect(await needs(stranger)).toEqual([]);
});

test('a blocked domain is told of while codes are on it, to its holder and to administrators', async () => {
  const id = await addDomain('blocked.example.com', 'block_status = 2');
  expect(await needOf(owner, 'domain_blocked')).toBeUndefined();
  const code = await addCode(owner, 'on it');
  await test_app.call(owner, 'qr_code_list', 'change_domain_name', { ids: [code], entry_domain_id: id, accept_risk: true });
  const told = { kind: 'domain_blocked', total: 1, items: [{ id, name: 'blocked.example.com', at: null, left: 1 }] };
  expect(await needOf(owner, 'domain_blocked')).toEqual(told);
  expect(await needOf(administrator, 'domain_blocked')).toEqual(told);
  expect(await needOf(stranger, 'domain_blocked')).toBeUndefined();
  // The code waits with its domain, not once more.
  expect(await needOf(owner, 'code_without_domain')).toBeUndefined();
  await test_app.db.execute(sql`UPDATE domain SET block_status = 1 WHERE id = ${id}`);
  expect(await needOf(owner, 'domain_blocked')).toBeUndefined();
});

test('a domain that points elsewhere, and one whose certificate ends within two weeks, are told of', async () => {
  const id = await addDomain('elsewhere.example.com', 'enabled = true');
  const code = await addCode(owner, 'elsewhere');
  await test_app.call(owner, 'qr_code_list', 'change_domain_name', { ids: [code], entry_domain_id: id });
  const expires = hours(13 * 24);
  await test_app.db.execute(
    sql`UPDATE domain_check SET dns_state = 'elsewhere', certificate_expires_at = ${expires}::timestamptz WHERE domain_id = ${id}`,
  );
  expect(await needOf(owner, 'domain_elsewhere')).toMatchObject({ total: 1, items: [{ id, left: 1 }] });
  expect(await needOf(owner, 'certificate_ending')).toMatchObject({ total: 1, items: [{ id, at: expires }] });
  await test_app.db.execute(
    sql`UPDATE domain_check SET dns_state = 'here', certificate_expires_at = ${hours(15 * 24)}::timestamptz WHERE domain_id = ${id}`,
  );
  expect((await needs(owner)).map(({ kind }) => kind)).toEqual([]);
});

test('a domain whose registration ends within sixty days is told of, until it is renewed', async () => {
  const id = await addDomain('ends.example.com', 'enabled = true');
  const code = await addCode(owner, 'registered');
  await test_app.call(owner, 'qr_code_list', 'change_domain_name', { ids: [code], entry_domain_id: id });
  const type = (days: number) => test_app.call(owner, 'domain_list', 'update', { id, registration_typed: hours(days * 24) });
  await type(59);
  expect(await needOf(owner, 'registration_ending')).toMatchObject({ total: 1, items: [{ id, at: hours(59 * 24), left: 1 }] });
  expect(await needOf(stranger, 'registration_ending')).toBeUndefined();
  await type(-1);
  expect(await needOf(owner, 'registration_ending')).toMatchObject({ total: 1 });
  await type(365);
  expect((await needs(owner)).map(({ kind }) => kind)).toEqual([]);
});

test('codes are told of when their targets end, when few visits are left, and when none is, until they are refilled', async () => {
  const ending = await addCode(owner, 'ending', [{ expires_at: hours(2) }, {}]);
  expect(await needOf(owner, 'target_ending')).toEqual({
    kind: 'target_ending',
    total: 1,
    items: [{ id: ending, name: 'ending', at: hours(2), left: null }],
  });

  const few = await addCode(owner, 'few', [{ threshold: 100 }]);
  const some = await addCode(owner, 'some', [{ threshold: 100 }, { threshold: 100 }]);
  const setLeft = (id: number, remaining: number) =>
    test_app.db.execute(
      sql`UPDATE target_quota SET remaining = ${remaining} WHERE target_id IN (SELECT id FROM live_code_target WHERE live_code_id = ${id})`,
    );
  await setLeft(few, 10);
  await setLeft(some, 11);
  expect(await needOf(owner, 'visits_ending')).toMatchObject({ total: 1, items: [{ id: few, left: 10 }] });
  await setLeft(few, 0);
  expect(await needOf(owner, 'visits_ending')).toBeUndefined();
  expect(await needOf(owner, 'code_exhausted')).toMatchObject({ total: 1, items: [{ id: few, name: 'few' }] });
  // Other people's codes wait for them.
  expect(await needOf(administrator, 'code_exhausted')).toBeUndefined();
  expect((await test_app.call(owner, 'qr_code_list', 'refill', { id: few })).status).toBe(200);
  expect(await needOf(owner, 'code_exhausted')).toBeUndefined();

  await test_app.call(owner, 'qr_code_list', 'update_open', { ids: [ending], open: false });
  expect(await needOf(owner, 'target_ending')).toBeUndefined();
});

test('a code without a domain is told of', async () => {
  const code = await addCode(owner, 'homeless');
  await test_app.db.execute(sql`UPDATE live_code SET entry_domain_id = NULL WHERE id = ${code}`);
  expect(await needOf(owner, 'code_without_domain')).toMatchObject({ total: 1, items: [{ id: code, name: 'homeless' }] });
});

test('webhooks that fail, operations of the last day and memberships that end are told of', async () => {
  await test_app.call(owner, 'webhook', 'add', { url: 'https://hooks.example.com/' });
  expect(await needOf(owner, 'webhook_failing')).toBeUndefined();
  await test_app.db.execute(sql`UPDATE webhook SET failing_since = ${hours(-3)}::timestamptz`);
  expect(await needOf(owner, 'webhook_failing')).toMatchObject({ total: 1, items: [{ name: 'hooks.example.com', at: hours(-3) }] });
  expect(await needOf(owner, 'webhook_stopped')).toBeUndefined();
  // One that was switched off for it waits to be switched on, and no longer for a receiver.
  await test_app.db.execute(sql`UPDATE webhook SET enabled = false, stopped = 'failing'`);
  expect(await needOf(owner, 'webhook_failing')).toBeUndefined();
  expect(await needOf(owner, 'webhook_stopped')).toMatchObject({ total: 1, items: [{ name: 'hooks.example.com', at: hours(-3) }] });

  await test_app.db.execute(
    sql`INSERT INTO push_channel (owner_id, kind, name, target, receiver) VALUES (${owner.id}, 'email', '值班邮箱', 'a@example.com', '')`,
  );
  expect(await needOf(owner, 'push_failing')).toBeUndefined();
  await test_app.db.execute(sql`UPDATE push_channel SET failing_since = ${hours(-2)}::timestamptz WHERE name = '值班邮箱'`);
  expect(await needOf(owner, 'push_failing')).toMatchObject({ total: 1, items: [{ name: '值班邮箱', at: hours(-2) }] });
  expect(await needOf(stranger, 'push_failing')).toBeUndefined();

  for (const age of [-2, -25])
    await test_app.db.execute(sql`INSERT INTO async_operation (user_id, kind, input, language, state, finished_at)
      VALUES (${owner.id}, 'code_export', '{}', 'zh-CN', 'failed', ${hours(age)}::timestamptz)`);
  expect(await needOf(owner, 'operation_failed')).toMatchObject({ total: 1, items: [{ name: 'code_export' }] });

  await test_app.db.execute(sql`UPDATE user_account SET member_expires_at = ${hours(6 * 24)}::timestamptz WHERE id = ${owner.id}`);
  expect(await needOf(owner, 'membership_ending')).toMatchObject({ total: 1, items: [{ at: hours(6 * 24) }] });
  expect(await needOf(stranger, 'membership_ending')).toBeUndefined();
});

test('codes with new reports wait for administrators, each once with the number of its reports, until these are decided on', async () => {
  expect(await needOf(administrator, 'report_waiting')).toBeUndefined();
  const [one, other] = [await addCode(owner, 'reported'), await addCode(owner, '')];
  const report = (code: number, ip: string, at: string) =>
    test_app.db.execute(sql`INSERT INTO report (live_code_id, file_name, owner_id, host, reason, text, ip, language, at)
      SELECT id, file_name, owner_id, 'a.example.com', 'fraud', '', ${ip}, 'zh-CN', ${at}::timestamptz FROM live_code WHERE id = ${code}`);
  await report(one, '1.1.1.1', hours(-2));
  await report(one, '2.2.2.2', hours(-5));
  await report(other, '1.1.1.1', hours(-3));
  const need = await needOf(administrator, 'report_waiting');
  expect(need).toMatchObject({
    total: 2,
    items: [
      { name: 'reported', at: hours(-5), left: 2 },
      { at: hours(-3), left: 1 },
    ],
  });
  expect(await needOf(owner, 'report_waiting')).toBeUndefined();
  await test_app.db.execute(sql`UPDATE report SET state = 'dismissed' WHERE live_code_id = ${one}`);
  expect(await needOf(administrator, 'report_waiting')).toMatchObject({ total: 1 });
});

test('a pool of platform domains that has lost some is told of to administrators when fewer are healthy than its rule asks for', async () => {
  expect(await needOf(administrator, 'pool_low')).toBeUndefined();
  await test_app.db.execute(
    sql`INSERT INTO domain (host, type, block_status) VALUES ('pool-a.example.com', 2, 1), ('pool-b.example.com', 2, 1)`,
  );
  const block = (host: string) => test_app.db.execute(sql`UPDATE domain SET block_status = 2 WHERE host = ${host}`);
  const ask = (low_water: number) => test_app.db.execute(sql`UPDATE shield_rule SET low_water = ${low_water} WHERE pool AND type = 2`);
  await ask(3);
  // A small pool that lost none is as small as it was made.
  expect(await needOf(administrator, 'pool_low')).toBeUndefined();
  await ask(2);
  await block('pool-a.example.com');
  expect(await needOf(administrator, 'pool_low')).toMatchObject({ total: 1, items: [{ id: 2, left: 1 }] });
  expect(await needOf(owner, 'pool_low')).toBeUndefined();
  await ask(1);
  expect(await needOf(administrator, 'pool_low')).toBeUndefined();
  await block('pool-b.example.com');
  expect(await needOf(administrator, 'pool_low')).toMatchObject({ items: [{ id: 2, left: 0 }] });
  await ask(0);
  expect(await needOf(administrator, 'pool_low')).toBeUndefined();
  await ask(2);
});

test('five of a kind are named, and all of them counted', async () => {
  for (let number = 0; number < 7; number += 1) await addCode(stranger, `many ${number}`, [{ expires_at: hours(2 + number) }]);
  const need = await needOf(stranger, 'target_ending');
  expect(need?.total).toBe(7);
  expect(need?.items.map(({ name }) => name)).toEqual(['many 0', 'many 1', 'many 2', 'many 3', 'many 4']);
});

test('the newest visits are those of the codes one sees, the newest first, without those of cleared histories', async () => {
  const mine = await addCode(owner, 'visited');
  const foreign = await addCode(stranger, 'foreign');
  const ago = (minutes: number) => now.getTime() - minutes * 60_000;
  await loadVisits(test_app.url, [
    ...Array.from({ length: 12 }, (_, index) => visitOf({ live_code_id: mine, at: ago(60 + index), ip: '8.8.8.8' })),
    visitOf({ live_code_id: foreign, at: ago(1), ip: '9.9.9.9' }),
    visitOf({ live_code_id: mine, at: ago(25 * 60), ip: '7.7.7.7' }),
  ]);
  const newest = async (as: TestUser) => (await test_app.call(as, 'today_statistics', 'newest_visits', {})).body.content;
  const own = await newest(owner);
  expect(own.map(({ at }: { at: string }) => Date.parse(at))).toEqual(Array.from({ length: 10 }, (_, index) => ago(60 + index)));
  expect(own[0]).toMatchObject({ live_code_id: mine, name: 'visited', outcome: 'passed' });
  expect((await newest(stranger)).map(({ name }: { name: string }) => name)).toEqual(['foreign']);
  expect((await newest(administrator))[0]).toMatchObject({ name: 'foreign' });
  await test_app.call(owner, 'qr_code_access', 'clear', { ids: [mine] });
  expect(await newest(owner)).toEqual([]);
});

test('a domain in use that looks blocked is told of to its holder and to administrators, by what checks it again', async () => {
  const id = await addDomain('suspected.example.com', 'block_status = 1');
  const { rows } = await test_app.db.execute<{ id: number }>(
    sql`UPDATE domain_monitor SET suspected_since = ${hours(-1)} WHERE domain_id = ${id} RETURNING id::float8 AS id`,
  );
  expect(await needOf(owner, 'domain_suspected')).toBeUndefined();
  const code = await addCode(owner, 'on a suspected one');
  await test_app.call(owner, 'qr_code_list', 'change_domain_name', { ids: [code], entry_domain_id: id, accept_risk: true });
  const told = { total: 1, items: [{ id: rows[0]?.id, name: 'suspected.example.com', at: hours(-1), left: 1 }] };
  for (const user of [owner, administrator]) expect(await needOf(user, 'domain_suspected')).toMatchObject(told);
  expect(await needOf(stranger, 'domain_suspected')).toBeUndefined();
  // What is known to be blocked is suspected no more.
  await test_app.db.execute(sql`UPDATE domain SET block_status = 2 WHERE id = ${id}`);
  expect(await needOf(owner, 'domain_suspected')).toBeUndefined();
});

test('a detector that switched itself off, and checks that are blind, wait for administrators alone', async () => {
  const { rows } = await test_app.db.execute<{ id: number; name: string }>(sql`
    UPDATE detector SET stopped_until = ${hours(1)} WHERE kind = 'gateway' RETURNING id::float8 AS id, name`);
  await test_app.db.execute(sql`UPDATE detection_state SET blind_since = ${hours(-2)}`);
  expect(await needOf(administrator, 'detector_failed')).toMatchObject({ total: 1, items: [{ ...rows[0], at: hours(1) }] });
  expect(await needOf(administrator, 'detection_blind')).toMatchObject({ total: 1, items: [{ at: hours(-2) }] });
  for (const kind of ['detector_failed', 'detection_blind'] as const) expect(await needOf(owner, kind)).toBeUndefined();

  // Let work again from the start page.
  const [stopped] = rows;
  await test_app.call(administrator, 'we_chat_blocking_detection_configuration', 'update', { id: stopped?.id ?? 0, enabled: true });
  expect(await needOf(administrator, 'detector_failed')).toBeUndefined();
  await test_app.db.execute(sql`UPDATE detection_state SET blind_since = NULL`);
});
