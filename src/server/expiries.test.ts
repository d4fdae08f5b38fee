import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from './kit/testing/app.ts';

let test_app: TestApp;
let administrator: TestUser;
let agent: TestUser;

/** The last second of a day in China, and the first of the next one: the same day in UTC. */
const [evening, midnight] = ['2030-05-01T15:59:59Z', '2030-05-01T16:00:00Z'];
const targets = [{ kind: 'url' as const, content: 'https://example.com/' }];

beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('super');
  agent = await test_app.makeUser('agent');
  for (const [index, expires_at] of [evening, midnight, null].entries()) {
    const { id } = (await test_app.call(agent, 'qr_code_list', 'add', { name: 'ends', expires_at, targets })).body;
    await test_app.db.execute(sql`
      INSERT INTO short_code (owner_id, live_code_id, platform_url, expires_at) VALUES (${agent.id}, ${id}, 'https://s.example/', ${expires_at})`);
    await test_app.makeUser('customer', { superior_id: agent.id, ...(expires_at ? { member_expires_at: expires_at } : {}) });
    await test_app.db.execute(sql`INSERT INTO visit_blacklist (network, expires_at) VALUES (${`203.0.113.${index}`}, ${expires_at})`);
    await test_app.db.execute(sql`INSERT INTO ip_black (network, expires_at) VALUES (${`203.0.113.${index}`}, ${expires_at})`);
    const domain = (await test_app.call(agent, 'domain_list', 'add', { host: `ends-${index}.example.com`, type: 1 })).body.id;
    await test_app.db.execute(
      sql`UPDATE domain_check SET certificate_expires_at = ${expires_at}, registration_typed = ${expires_at} WHERE domain_id = ${domain}`,
    );
    await test_app.call(administrator, 'api_token', 'add', {
      name: `ends ${index}`,
      nodes: ['qr_code_list'],
      ...(expires_at ? { expires_at } : {}),
    });
  }
});
afterAll(() => test_app.close());

test.each([
  ['qr_code_list/inquire', () => agent, 'expires'],
  ['qr_code_list/user_inquire', () => administrator, 'expires'],
  ['short_code/inquire', () => agent, 'expires'],
  ['user_list/inquire', () => administrator, 'expires'],
  ['user_customer/inquire', () => agent, 'expires'],
  ['server_ip_black/inquire', () => administrator, 'expires'],
  ['ip_black/inquire', () => administrator, 'expires'],
  ['api_token/inquire', () => administrator, 'expires'],
  ['domain_list/inquire', () => agent, 'certificate'],
  ['domain_list/inquire', () => agent, 'registration'],
] as const)('%s finds what ends on days of the site’s time zone', async (path, as, name) => {
  const count = async (from: string | undefined, to: string | undefined) => {
    const { status, body } = await test_app.send(as(), path, { [`${name}_from`]: from, [`${name}_to`]: to });
    expect(status).toBe(200);
    return body.total;
  };
  expect(await count('2030-05-01', '2030-05-01')).toBe(1);
  expect(await count('2030-05-02', undefined)).toBe(1);
  expect(await count('2030-05-01', '2030-06-01')).toBe(2);
  expect(await count('2031-01-01', '2031-02-01')).toBe(0);
});
