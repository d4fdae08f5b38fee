import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { findSuspects } from './suspects.ts';

const hour = 3_600_000;
const now = new Date('2026-05-04T10:40:00Z');
let test_app: TestApp;
let owner: TestUser;
const domains: { id: number; code: number; host: string }[] = [];
beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('customer');
  await test_app.db.execute(sql`INSERT INTO visit_device (id, source, system, brand, browser) OVERRIDING SYSTEM VALUE
    VALUES (1, 'messenger', 'Android', '', ''), (2, 'browser', 'Android', '', '')`);
  for (const name of ['a', 'b', 'c']) {
    const host = `${name}.visited.com`;
    const { body } = await test_app.call(owner, 'domain_list', 'add', { host, type: 1 });
    const code = await test_app.call(owner, 'qr_code_list', 'add', {
      name,
      targets: [{ kind: 'url', content: 'https://example.com/' }],
      entry_domain_id: body.id,
    });
    domains.push({ id: body.id, code: code.body.id, host });
  }
});
afterAll(() => test_app.close());
beforeEach(async () => {
  await test_app.db.execute(sql`TRUNCATE visit_hour, visit_hour_origin, domain_visit_share, domain_incident, event CASCADE`);
  await test_app.db.execute(sql`UPDATE domain_monitor SET suspected_since = NULL, urgent = false, block_status = 1`);
  for (const { code } of domains) for (const ago of [5, 29, 50]) await usual(code, ago);
});

/** An hour of the past as usual: nine of ten visits from the messenger. */
async function usual(code: number, hoursAgo: number): Promise<void> {
  const at = new Date(now.getTime() - hoursAgo * hour);
  const domain = domains.find((one) => one.code === code)?.id;
  await test_app.db.execute(
    sql`INSERT INTO domain_visit_share (domain_id, at, visits, messenger) VALUES (${domain}, ${at.toISOString()}, 1000, 900)`,
  );
}

/** Visits as the loader writes them into the rollups. */
async function visit(code: number, messenger: number, browser: number, at = now): Promise<void> {
  const start = new Date(Math.floor(at.getTime() / hour) * hour).toISOString();
  await test_app.db.execute(
    sql`INSERT INTO visit_hour (live_code_id, hour, outcome, visits, ips, new_ips) VALUES (${code}, ${start}, 0, ${messenger + browser}, 1, 1)`,
  );
  await test_app.db.execute(sql`INSERT INTO visit_hour_origin (live_code_id, hour, place_id, device_id, visits)
    VALUES (${code}, ${start}, 0, 1, ${messenger}), (${code}, ${start}, 0, 2, ${browser})`);
}
const look = (minutes = 0) => findSuspects(test_app.db, { now: new Date(now.getTime() + minutes * 60_000) });
const suspected = async () =>
  (
    await test_app.db.execute<{ host: string; urgent: boolean }>(
      sql`SELECT host, urgent FROM domain_monitor WHERE suspected_since IS NOT NULL`,
    )
  ).rows;
const told = async () =>
  (
    await test_app.db.execute<{ type: string; owner_id: number; data: object }>(
      sql`SELECT type, owner_id, data FROM event WHERE type LIKE 'domain.s%'`,
    )
  ).rows;

test('a domain on which the messenger falls silent is suspected, checked at once and told once; it is not called blocked', async () => {
  const [a, b] = domains;
  await visit(b?.code ?? 0, 90, 10);
  await visit(a?.code ?? 0, 0, 20);
  expect(await look()).toBe(1);
  expect(await suspected()).toEqual([{ host: a?.host, urgent: true }]);
  expect(await told()).toMatchObject([
    { type: 'domain.suspected', owner_id: owner.id, data: { host: a?.host, reason: '90 % → 0 % (20)', block_status: 1 } },
  ]);
  expect(await look(1)).toBe(0);
  const { rows } = await test_app.db.execute(sql`SELECT kind, handling, ended_at FROM domain_incident`);
  expect(rows).toEqual([{ kind: 'suspected', handling: null, ended_at: null }]);
  const listed = await test_app.call(owner, 'domain_monitor', 'inquire', { suspected: true });
  expect(listed.body.content).toMatchObject([{ host: a?.host, block_status: 1 }]);
});

test('it is over when the messenger is back', async () => {
  const [a] = domains;
  await visit(a?.code ?? 0, 0, 20);
  await look();
  await visit(a?.code ?? 0, 300, 30);
  await look(15);
  expect(await suspected()).toEqual([]);
  const { rows } = await test_app.db.execute(sql`SELECT ended_at IS NOT NULL AS is_over FROM domain_incident`);
  expect(rows).toEqual([{ is_over: true }]);
});

test('where all domains lose the messenger at once, none of them is to blame', async () => {
  for (const { code } of domains) await visit(code, 0, 50);
  expect(await look()).toBe(0);
});

test('a few visits, or ones as always, are no reason', async () => {
  const [a, b] = domains;
  await visit(a?.code ?? 0, 0, 7);
  await visit(b?.code ?? 0, 45, 5);
  expect(await look()).toBe(0);
});

test('visits are counted once, however often it looks, and late ones too', async () => {
  const [a] = domains;
  await visit(a?.code ?? 0, 9, 1);
  await look();
  await look(1);
  await visit(a?.code ?? 0, 9, 1, new Date(now.getTime() - hour));
  await visit(a?.code ?? 0, 18, 2);
  await look(2);
  const { rows } = await test_app.db.execute(sql`
    SELECT sum(visits)::int AS visits, sum(messenger)::int AS messenger FROM domain_visit_share WHERE domain_id = ${a?.id} AND at >= ${new Date(now.getTime() - 2 * hour).toISOString()}`);
  expect(rows).toEqual([{ visits: 40, messenger: 36 }]);
});
