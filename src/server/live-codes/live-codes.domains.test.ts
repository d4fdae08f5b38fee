import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { qrCodeList } from '../../contract/codes/qr-code-list.ts';
import type { InputOf } from '../../contract/kit/call.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

type AddInput = InputOf<(typeof qrCodeList)['calls']['add']>;

let test_app: TestApp;
let administrator: TestUser;
let owner: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  owner = await test_app.makeUser('customer');
  stranger = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

const link = (content = 'https://example.com/') => ({ kind: 'url' as const, content });
const add = (as: TestUser, input: Partial<AddInput> & { request_id?: string } = {}) =>
  test_app.call(as, 'qr_code_list', 'add', { name: 'code', targets: [link()], ...input });
const update = (as: TestUser, input: InputOf<(typeof qrCodeList)['calls']['update']>) => test_app.call(as, 'qr_code_list', 'update', input);
const details = (as: TestUser, id: number) => test_app.call(as, 'qr_code_list', 'details', { id });
const addDomain = async (as: TestUser, input: { host: string; type?: 1 | 2; holder_id?: number | null; enabled?: boolean }) =>
  (await test_app.call(as, 'domain_list', 'add', { type: 1, ...input })).body.id;

test('the details tell how the domains of a code are, the entry domain first', async () => {
  const user = await test_app.makeUser('customer');
  const landing = await addDomain(user, { host: 'landing.state.example.com', type: 2 });
  const entry = await addDomain(user, { host: 'xn--fsqu00a.example.com' });
  await test_app.db.execute(sql`UPDATE domain SET block_status = 2 WHERE id = ${landing}`);
  await test_app.db.execute(
    sql`UPDATE domain_check SET dns_state = 'elsewhere', certificate_state = 'expired' WHERE domain_id = ${landing}`,
  );
  const { id } = (await add(user, { entry_domain_id: entry })).body;
  await update(administrator, { id, landing_domain_id: landing });
  expect((await details(user, id)).body.domains).toMatchObject([
    {
      id: entry,
      use: 'entry',
      host: 'xn--fsqu00a.example.com',
      host_unicode: '\u4f8b\u5b50.example.com',
      enabled: true,
      block_status: null,
    },
    { id: landing, use: 'landing', enabled: true, block_status: 2, dns_state: 'elsewhere', certificate_state: 'expired' },
  ]);
  await update(user, { id, entry_domain_id: null, landing_domain_id: null });
  expect((await details(user, id)).body.domains).toEqual([]);
});

test("domains default to the owner's first healthy ones, then to the platform's", async () => {
  const user = await test_app.makeUser('customer');
  const off = await addDomain(user, { host: 'off.defaults.example.com', enabled: false });
  const blocked = await addDomain(user, { host: 'blocked.defaults.example.com' });
  await test_app.db.execute(sql`UPDATE domain SET block_status = 2 WHERE id = ${blocked}`);
  const elsewhere = await addDomain(user, { host: 'elsewhere.defaults.example.com' });
  await test_app.db.execute(sql`UPDATE domain_check SET dns_state = 'elsewhere' WHERE domain_id = ${elsewhere}`);
  expect((await add(user)).body.entry_host).toBe('localhost:3001');
  const first = await addDomain(user, { host: 'a.defaults.example.com' });
  await addDomain(user, { host: 'b.defaults.example.com' });
  const landing = await addDomain(user, { host: 'landing.defaults.example.com', type: 2 });
  await addDomain(stranger, { host: 'stranger.defaults.example.com', type: 2 });
  expect((await add(user)).body).toMatchObject({ entry_domain_id: first, landing_domain_id: landing });
  const none = (await add(user, { entry_domain_id: null, landing_domain_id: null })).body;
  expect(none).toMatchObject({ entry_domain_id: null, entry_host: null, landing_domain_id: null, url: null });
  expect(off).toBeGreaterThan(0);
});

test('only domains of the owner or the platform, of the right type and switched on, can be put on a code', async () => {
  const landing = await addDomain(owner, { host: 'landing.rules.example.com', type: 2 });
  const off = await addDomain(owner, { host: 'off.rules.example.com', enabled: false });
  const foreign = await addDomain(stranger, { host: 'foreign.rules.example.com' });
  const own = await addDomain(owner, { host: 'own.rules.example.com' });
  for (const entry_domain_id of [landing, off, foreign, 987_654_321])
    expect((await add(owner, { entry_domain_id })).body.fields).toEqual({ entry_domain_id: 'unknown_domain' });
  expect((await add(owner, { landing_domain_id: own })).body.fields).toEqual({ landing_domain_id: 'unknown_domain' });
  const { body } = await add(owner, { entry_domain_id: own, landing_domain_id: landing });
  expect(body).toMatchObject({ entry_host: 'own.rules.example.com', landing_host: 'landing.rules.example.com' });
  // An administrator's own domain doesn't become a customer's by an edit either.
  const administrators = await addDomain(administrator, { host: 'admin.rules.example.com' });
  const answer = await update(administrator, { id: body.id, entry_domain_id: administrators });
  expect(answer.body.fields).toEqual({ entry_domain_id: 'unknown_domain' });
});

test('a domain that was switched off since keeps no other change from being saved, and the code has no address meanwhile', async () => {
  const domain = await addDomain(owner, { host: 'later-off.example.com' });
  const { id } = (await add(owner, { entry_domain_id: domain })).body;
  await test_app.call(owner, 'domain_list', 'update_enabled', { ids: [domain], enabled: false });
  const { status, body } = await update(owner, { id, entry_domain_id: domain, name: 'renamed' });
  expect([status, body.name, body.entry_host, body.url]).toEqual([200, 'renamed', 'later-off.example.com', null]);
});

test('the address is signed for scans, and below a wildcard has a label that never changes', async () => {
  const wildcard = await addDomain(owner, { host: '*.wild.example.com' });
  const { body } = await add(owner, { entry_domain_id: wildcard, access_mode: 2, file_name: 'wild_code' });
  expect(body.url).toMatch(/^http:\/\/[a-z][a-z0-9]{9}\.wild\.example\.com\/wild_code\?s=[A-Za-z0-9_-]{16}$/);
  expect((await details(owner, body.id)).body.url).toBe(body.url);
  expect(body.qr_image_url).toMatch(/^http:\/\/[a-z][a-z0-9]{9}\.wild\.example\.com\/qr\/wild_code\.png$/);
  const open = (await update(owner, { id: body.id, access_mode: 1 })).body;
  expect(open.url).toBe(body.url?.split('?')[0]);
});
