import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { type Freezable, openFreezable } from '../kit/testing/freezable.ts';

let test_app: TestApp;
let owner: TestUser;
let way: Freezable;
beforeEach(async () => {
  test_app = await createTestApp({
    heldMilliseconds: 1000,
    reach: async (url) => {
      way = await openFreezable(url);
      return way.url;
    },
  });
  owner = await test_app.makeUser('customer');
  expect((await ask('/api/website/info')).status).toBe(200);
  expect((await ask('/readyz')).status).toBe(200);
});
afterEach(async () => {
  vi.restoreAllMocks();
  way.thaw();
  await test_app.close();
  await way.close();
});

/** As somebody from elsewhere, whom the blacklist may refuse. */
async function ask(url: string, as?: TestUser, payload: object = {}) {
  const { statusCode, headers, body } = await test_app.app.inject({
    ...(url.startsWith('/api/') ? { method: 'POST', payload } : { method: 'GET' }),
    url,
    remoteAddress: '203.0.113.9',
    headers: as ? { authorization: `Bearer ${as.token}` } : {},
  });
  return { status: statusCode, headers, body };
}

const code = { name: 'written once', targets: [{ kind: 'url', content: 'https://example.com/' }] };

describe.each(['everything', 'answers'] as const)('while the database is silent (%s)', (which) => {
  const tags = which === 'answers' ? 'full' : [];
  test('health, pages and the state of the site are answered, calls with 503, and all is well afterwards', { tags }, async () => {
    await Promise.all(Array.from({ length: 6 }, () => ask('/api/qr_code_list/inquire', owner)));
    way.freeze(which);
    const early = Promise.all([
      ask('/api/qr_code_list/inquire', owner),
      ask('/api/qr_code_list/add', owner, { ...code, request_id: crypto.randomUUID() }),
      ask('/api/admin/login', undefined, { account: 'a', password: 'b' }),
    ]);
    const ready = await ask('/readyz');
    expect(ready.status).toBe(503);
    for (const url of ['/healthz', '/', '/api/openapi.json', '/healthz', '/api/website/info', '/api/website/info']) {
      const answer = await ask(url);
      expect([url, answer.status < 500]).toEqual([url, true]);
    }
    for (const answer of [...(await early), await ask('/api/qr_code_list/inquire', owner)]) {
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'unavailable' });
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    }
    way.thaw();
    await eventually(async () => expect((await ask('/readyz')).status).toBe(200), { interval: 200 });
    for (let time = 0; time < 20; time += 1) expect((await ask('/api/qr_code_list/inquire', owner)).status).toBe(200);
    await eventually(() => expect(test_app.pool.idleCount).toBe(test_app.pool.totalCount));
    expect(test_app.pool.waitingCount).toBe(0);
  });
});

test('a change whose end nobody heard of is answered again for its request_id, and was made once', async () => {
  const input = { ...code, request_id: crypto.randomUUID() };
  const frozen = way.freezeAfter('commit');
  const first = ask('/api/qr_code_list/add', owner, input);
  await frozen;
  expect([(await first).status, (await first).headers['retry-after']]).toEqual([503, '5']);
  way.thaw();
  await eventually(async () => expect((await ask('/api/qr_code_list/add', owner, input)).status).toBe(200));
  const { rows } = await test_app.db.execute(sql`
    SELECT (SELECT count(*) FROM live_code WHERE owner_id = ${owner.id}) AS codes,
      (SELECT count(*) FROM log WHERE user_id = ${owner.id} AND type = 'qr_code_list/add') AS records`);
  expect(rows).toEqual([{ codes: 1, records: 1 }]);
});

test('connections that ended in the middle of a change are 503, however they are wrapped', async () => {
  const stop = setInterval(() => {
    void test_app.pool
      .query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`)
      .catch(() => {});
  }, 5);
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask('/api/qr_code_list/add', owner, code)));
  clearInterval(stop);
  for (const { status } of answers) expect([200, 503]).toContain(status);
});

test('what is held stands for ten minutes from the last word of the database, however long ago it was read', { tags: 'full' }, async () => {
  const pages = ['/api/website/info', '/api/language_list/inquire'];
  const now = performance.now.bind(performance);
  let passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  const expectAnswers = async (status: number) => {
    for (const url of pages) expect([url, (await ask(url)).status]).toEqual([url, status]);
  };
  await expectAnswers(200);
  passed = 660_000;
  // The bus has to speak once; nothing is read anew then, because it heard of no change.
  await eventually(() => expectAnswers(200));
  way.freeze();
  await expectAnswers(200);
  await eventually(async () => expect((await ask('/readyz')).status).toBe(503));
  passed += 540_000;
  await expectAnswers(200);
  passed += 120_000;
  await expectAnswers(503);
});

test('an address on the blacklist is refused pages, too, also while the database is silent', async () => {
  await test_app.db.execute(sql`INSERT INTO ip_black (network) VALUES ('203.0.113.9')`);
  await eventually(async () => expect((await ask('/healthz')).status).toBe(403));
  way.freeze();
  for (const url of ['/healthz', '/', '/api/website/info']) expect([url, (await ask(url)).status]).toEqual([url, 403]);
});
