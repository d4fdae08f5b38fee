import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { visitOf } from '../kit/testing/visit-record.ts';
import { loadVisits } from '../visits/testing/loading.ts';

/** 12:30 on a Wednesday in Shanghai. */
const now = new Date('2026-03-11T04:30:00Z');
const shanghai = (text: string): number => Date.parse(`${text}+08:00`);

let test_app: TestApp;
let administrator: TestUser;
let agent: TestUser;
let owner: TestUser;
let stranger: TestUser;

const addCode = async (as: TestUser) =>
  (await test_app.call(as, 'qr_code_list', 'add', { name: 'code', targets: [{ kind: 'url', content: 'https://example.com/' }] })).body.id;
const home = async (as: TestUser) => {
  const { status, body } = await test_app.call(as, 'home', 'inquire', {});
  expect(status).toBe(200);
  return body;
};

beforeAll(async () => {
  test_app = await createTestApp({ now: () => now });
  administrator = await test_app.makeUser('administrator');
  agent = await test_app.makeUser('agent');
  owner = await test_app.makeUser('customer', { superior_id: agent.id, member_expires_at: '2026-04-01T00:00:00Z' });
  stranger = await test_app.makeUser('customer');
  const [first, second] = [await addCode(owner), await addCode(owner)];
  const removed = await addCode(owner);
  const foreign = await addCode(stranger);
  await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [removed], removed: true });
  await test_app.call(owner, 'qr_code_list', 'update_open', { ids: [second], open: false });
  for (const host of ['a.example.com', 'b.example.com']) await test_app.call(owner, 'domain_list', 'add', { host, type: 1 });
  await test_app.db.execute(sql`UPDATE domain SET block_status = 2 WHERE host = 'b.example.com'`);
  await loadVisits(test_app.url, [
    visitOf({ live_code_id: first, at: shanghai('2026-03-10T09:00:00'), ip: '8.8.8.8' }),
    visitOf({ live_code_id: first, at: shanghai('2026-03-10T20:00:00'), ip: '9.9.9.9' }),
    visitOf({ live_code_id: first, at: shanghai('2026-03-11T08:00:00'), ip: '8.8.8.8' }),
    visitOf({ live_code_id: first, at: shanghai('2026-03-11T08:01:00'), ip: '7.7.7.7' }),
    visitOf({ live_code_id: second, at: shanghai('2026-03-11T12:00:00'), ip: '7.7.7.7', outcome: 4 }),
    visitOf({ live_code_id: foreign, at: shanghai('2026-03-11T12:00:00'), ip: '6.6.6.6' }),
  ]);
});
afterAll(() => test_app.close());

test('the start page tells what one has', async () => {
  expect(await home(owner)).toMatchObject({
    codes: { total: 2, open: 1 },
    domains: { total: 2, blocked: 1 },
    member_expires_at: '2026-04-01T00:00:00.000Z',
    now: now.toISOString(),
  });
});

test('no code counts as open while its owner keeps all of his closed', async () => {
  await test_app.call(owner, 'qr_code_list', 'oepn_all_status', { open: false });
  expect((await home(owner)).codes).toEqual({ total: 2, open: 0 });
  await test_app.call(owner, 'qr_code_list', 'oepn_all_status', { open: true });
  expect((await home(owner)).codes).toEqual({ total: 2, open: 1 });
});

test("nobody's possessions hold a stranger's; an agent's hold those of his customers", async () => {
  expect(await home(stranger)).toMatchObject({ codes: { total: 1, open: 1 }, domains: { total: 0, blocked: 0 }, member_expires_at: null });
  expect(await home(agent)).toMatchObject({ codes: { total: 2 }, domains: { total: 2, blocked: 1 } });
});

test('the steps of a new user are what there is of his own, those of an administrator what there is at all', async () => {
  expect((await home(owner)).steps).toEqual({ domain: true, code: true, scan: true });
  expect((await home(stranger)).steps).toEqual({ domain: false, code: true, scan: true });
  expect((await home(agent)).steps).toEqual({ domain: false, code: false, scan: false });
  const fresh = await test_app.makeUser('customer');
  const id = await addCode(fresh);
  expect((await home(fresh)).steps).toEqual({ domain: false, code: true, scan: false });
  await test_app.call(fresh, 'qr_code_list', 'update_remove', { ids: [id], removed: true });
  expect((await home(fresh)).steps).toEqual({ domain: false, code: false, scan: false });
  // Of the site, whoever made it.
  expect((await home(administrator)).steps).toEqual({ domain: true, code: true, scan: true });
});

test('of the blocks only those that are on are shown, without a second login or a stranger', async () => {
  const { version } = (await test_app.call(administrator, 'home_page_config', 'inquire', {})).body;
  const saved = await test_app.call(administrator, 'home_page_config', 'update', {
    version,
    blocks: [
      { kind: 'announcement', title: '维护', enabled: true, body: '<p>今晚维护</p>' },
      { kind: 'announcement', title: 'draft', enabled: false, body: '<p>not yet</p>' },
    ],
  });
  expect(saved.status).toBe(200);
  expect((await home(owner)).blocks).toEqual([{ kind: 'announcement', title: '维护', enabled: true, body: '<p>今晚维护</p>' }]);
  expect((await test_app.call(undefined, 'home', 'inquire', {})).status).toBe(401);
});
