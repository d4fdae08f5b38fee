import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from './kit/testing/app.ts';

let test_app: TestApp;
beforeAll(async () => {
  test_app = await createTestApp({ trustedProxies: ['127.0.0.1', '10.0.0.0/8'] });
});
afterAll(() => test_app.close());

/** The address that the log keeps of a wrong login which came by a proxy with this header. */
async function addressOf(forwarded: string): Promise<[number, unknown]> {
  const account = `u${crypto.randomUUID()}`;
  const { status } = await test_app.send(undefined, 'admin/login', { account, password: 'wrong' }, { 'x-forwarded-for': forwarded });
  const { rows } = await test_app.db.execute<{ ip: string }>(
    sql`SELECT host(ip) AS ip FROM log WHERE type = 'admin/login_failed' AND content ->> 'account' = ${account}`,
  );
  return [status, rows[0]?.ip];
}

test('a caller behind our proxies has the address that the last of them saw, whatever he claims himself', async () => {
  expect(await addressOf('203.0.113.1')).toEqual([401, '203.0.113.1']);
  expect(await addressOf('203.0.113.66, 203.0.113.2')).toEqual([401, '203.0.113.2']);
  expect(await addressOf('203.0.113.66, 203.0.113.3, 10.1.2.3')).toEqual([401, '203.0.113.3']);
  expect(await addressOf('::ffff:203.0.113.4')).toEqual([401, '203.0.113.4']);
});

test('a proxy that names the port as well keeps nobody out, and no port makes another caller of him', async () => {
  expect(await addressOf('203.0.113.5:4711')).toEqual([401, '203.0.113.5']);
  expect(await addressOf('[2001:db8::5]:443')).toEqual([401, '2001:db8::5']);
  const administrator = await test_app.makeUser('administrator');
  await test_app.call(administrator, 'ip_black', 'add', { lines: ['203.0.113.6'] });
  const refused = await test_app.send(undefined, 'website/info', {}, { 'x-forwarded-for': '203.0.113.6:4711' });
  expect([refused.status, refused.body.code]).toEqual([403, 'ip_black.refused']);
});

test('what is no address counts as the proxy that passed it on', async () => {
  for (const nonsense of ['unknown', '_hidden', '203.0.113.7:99999999', '<script>'])
    expect(await addressOf(nonsense)).toEqual([401, '127.0.0.1']);
});
