import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';

let test_app: TestApp;
let administrator: TestUser;
let owner: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  // What a first start brings is the platform's healthy entry domain: without it a user has none.
  await test_app.db.execute(sql`DELETE FROM domain`);
});
afterAll(() => test_app.close());
beforeEach(async () => {
  owner = await test_app.makeUser('customer');
  stranger = await test_app.makeUser('customer');
});

let made = 0;
const addDomain = async (as: TestUser, type: 1 | 2 = 1, more: { enabled?: boolean; holder_id?: null } = {}) =>
  (await test_app.call(as, 'domain_list', 'add', { host: `without-${++made}.example.com`, type, ...more })).body;
const block = (id: number) => test_app.db.execute(sql`UPDATE domain SET block_status = 2 WHERE id = ${id}`);
const addCode = async (as: TestUser, name: string, entry_domain_id: number | null, landing_domain_id: number | null = null) =>
  (
    await test_app.call(as, 'qr_code_list', 'add', {
      name,
      entry_domain_id,
      landing_domain_id,
      targets: [{ kind: 'url', content: 'https://example.com/' }],
    })
  ).body;
const listed = async (as: TestUser, filters = {}) => (await test_app.call(as, 'no_domain_name', 'inquire', filters)).body.content;

/** A code with each fault, and one without. */
async function makeFaults() {
  const [good, off, bad] = [await addDomain(owner), await addDomain(owner), await addDomain(owner)];
  const [landing, landingOff, landingBad] = [await addDomain(owner, 2), await addDomain(owner, 2), await addDomain(owner, 2)];
  await addCode(owner, 'fine', good.id, landing.id);
  const codes = [
    await addCode(owner, 'no_entry', null),
    await addCode(owner, 'entry_disabled', off.id),
    await addCode(owner, 'entry_blocked', bad.id),
    await addCode(owner, 'landing_disabled', good.id, landingOff.id),
    await addCode(owner, 'landing_blocked', good.id, landingBad.id),
  ];
  await test_app.call(owner, 'domain_list', 'update_enabled', { ids: [off.id, landingOff.id], enabled: false });
  await block(bad.id);
  await block(landingBad.id);
  return { codes, good, landing };
}

test('codes are listed by what is wrong with their domains, and those without fault are not', async () => {
  await makeFaults();
  const rows = await listed(owner);
  expect(rows.map(({ name }) => name)).toEqual(['landing_blocked', 'landing_disabled', 'entry_blocked', 'entry_disabled', 'no_entry']);
  for (const row of rows) expect(row.fault).toBe(row.name);
  for (const fault of ['no_entry', 'entry_blocked', 'landing_disabled'] as const)
    expect((await listed(owner, { fault })).map(({ name }) => name)).toEqual([fault]);
  expect(await listed(owner, { search: 'LANDING_' })).toHaveLength(2);
  expect(await listed(stranger)).toEqual([]);
  const { body } = await test_app.call(administrator, 'nodomain', 'inquire', { owner_id: owner.id });
  expect([body.total, body.at_least, body.content[0]?.owner_account]).toEqual([5, false, owner.account]);
  expect((await test_app.call(owner, 'nodomain', 'inquire', {})).status).toBe(403);
});

test('each code gets a healthy domain in the place of the faulty one, and keeps the other', async () => {
  const { codes, good, landing } = await makeFaults();
  const { body } = await test_app.call(owner, 'no_domain_name', 'assign', { ids: codes.map(({ id }) => id), automatic: true });
  expect(body).toEqual({ affected: 5, left: 0 });
  expect(await listed(owner)).toEqual([]);
  const domainsOf = async (id: number) => {
    const { body: code } = await test_app.call(owner, 'qr_code_list', 'details', { id });
    return [code.entry_domain_id, code.landing_domain_id];
  };
  expect(await domainsOf(codes[2]?.id ?? 0)).toEqual([good.id, null]);
  expect(await domainsOf(codes[4]?.id ?? 0)).toEqual([good.id, landing.id]);
});

test('codes for which there is no healthy domain stay, and are counted; the platform’s serves where the owner has none', async () => {
  const off = await addDomain(owner);
  const code = await addCode(owner, 'left', off.id);
  await test_app.call(owner, 'domain_list', 'update_enabled', { ids: [off.id], enabled: false });
  const again = () => test_app.call(owner, 'no_domain_name', 'assign', { ids: [code.id], automatic: true });
  expect((await again()).body).toEqual({ affected: 0, left: 1 });
  const pool = await addDomain(administrator, 1, { holder_id: null });
  expect((await again()).body).toEqual({ affected: 1, left: 0 });
  expect((await test_app.call(owner, 'qr_code_list', 'details', { id: code.id })).body.entry_domain_id).toBe(pool.id);
  await test_app.call(owner, 'no_domain_name', 'assign', { ids: [code.id], entry_domain_id: pool.id });
  await test_app.db.execute(sql`UPDATE live_code SET entry_domain_id = NULL WHERE entry_domain_id = ${pool.id}`);
  await test_app.db.execute(sql`DELETE FROM domain WHERE id = ${pool.id}`);
});

test('a chosen domain goes on all; one that is not theirs, or none at all, is refused; foreign codes stay', async () => {
  const own = await addDomain(owner);
  const [mine, theirs] = [await addCode(owner, 'mine', null), await addCode(stranger, 'theirs', null)];
  const assign = (as: TestUser, input: object) => test_app.send(as, 'no_domain_name/assign', { ids: [mine.id, theirs.id], ...input });
  expect((await assign(owner, {})).body.fields).toEqual({ entry_domain_id: 'nothing_chosen' });
  expect((await assign(owner, { automatic: true, entry_domain_id: own.id })).status).toBe(400);
  expect((await assign(stranger, { entry_domain_id: own.id })).body.fields).toEqual({ entry_domain_id: 'unknown_domain' });
  expect((await assign(owner, { entry_domain_id: own.id })).body).toEqual({ affected: 1, left: 0 });
  expect((await listed(stranger)).map(({ id }) => id)).toEqual([theirs.id]);
  const both = { ids: [mine.id, theirs.id], entry_domain_id: own.id };
  expect((await test_app.call(administrator, 'nodomain', 'assign', both)).body.fields).toEqual({ entry_domain_id: 'unknown_domain' });
});

test('each owner is told once, in his language, of his own codes that have a fault', async () => {
  await test_app.db.execute(sql`UPDATE user_account SET language = 'en-US' WHERE id = ${stranger.id}`);
  const own = await addDomain(owner);
  const codes = [await addCode(owner, '海报一', null), await addCode(owner, '海报二', null), await addCode(owner, 'fine', own.id)];
  const many = [];
  for (let number = 1; number <= 12; number++) many.push(await addCode(stranger, `poster ${number}`, null));
  const ids = [...codes, ...many].map(({ id }) => id);
  expect((await test_app.call(administrator, 'nodomain', 'notify', { ids })).body).toEqual({ affected: 14, owners: 2 });
  const messagesOf = async (user: TestUser) => {
    const { rows } = await test_app.db.execute<{ title: string; content: string }>(
      sql`SELECT title, content FROM site_message JOIN site_message_receiver ON message_id = site_message.id WHERE user_id = ${user.id}`,
    );
    return rows;
  };
  expect(await messagesOf(owner)).toEqual([
    { title: '2 个活码没有可用的域名', content: expect.stringMatching(/海报一 \/#\/customer\/qr_code\/\d+\n海报二 /) },
  ]);
  const [told] = await messagesOf(stranger);
  expect(told?.title).toBe('12 live codes have no usable domain');
  expect(told?.content).toMatch(/poster 10 \S+\n…/);
  expect(told?.content).not.toContain('poster 11');
});
