import { domainToASCII } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';

let test_app: TestApp;
let owner: TestUser;
let stranger: TestUser;
let administrator: TestUser;
let code: number;
beforeAll(async () => {
  test_app = await createTestApp({ trustedProxies: ['10.0.0.0/8'] });
  owner = await test_app.makeUser('customer');
  stranger = await test_app.makeUser('customer');
  administrator = await test_app.makeUser('administrator');
  const targets = [{ kind: 'url' as const, content: 'https://example.com/' }];
  code = (await test_app.call(owner, 'qr_code_list', 'add', { name: 'poster', file_name: 'poster-1', targets })).body.id;
});
beforeEach(() => test_app.db.execute(sql`TRUNCATE visit_source, visit_source_rule, visit_blacklist`));
afterAll(() => test_app.close());

type Row = { kind?: string; owner_id?: number | null; host?: string; live_code_id?: number | null; ip?: string | null };
async function addRow({
  kind = 'referer',
  owner_id = owner.id,
  host = 'thief.example',
  live_code_id = code,
  ip = '203.0.113.5',
}: Row = {}) {
  const { rows } = await test_app.db.execute<{ id: number }>(sql`
    INSERT INTO visit_source (kind, owner_id, host, live_code_id, ip, visits, first_at, last_at)
    VALUES (${kind}, ${owner_id}, ${host}, ${live_code_id}, ${ip}::inet, 3, now() - interval '1 hour', now()) RETURNING id::float8 AS id`);
  return rows[0]?.id ?? 0;
}
const stray = { kind: 'unknown_host', owner_id: null, host: 'stray.example', live_code_id: null };
const listed = async (as: TestUser, input = {}) => (await test_app.call(as, 'stealing_list', 'inquire', input)).body.content;
const rulesOf = async (as: TestUser) => (await test_app.call(as, 'stealing_list', 'rules', {})).body.content;

describe('the list', () => {
  test('shows owners what concerns their codes, and administrators everything, unknown hosts included', async () => {
    await addRow();
    await addRow(stray);
    await addRow({ host: '', live_code_id: null, ip: null });
    expect(await listed(owner)).toHaveLength(2);
    expect(await listed(stranger)).toEqual([]);
    expect((await listed(administrator)).map(({ host }) => host).sort()).toEqual(['', 'stray.example', 'thief.example']);
    expect((await listed(owner, { search: 'THIEF' }))[0]).toMatchObject({
      code: 'poster-1',
      code_name: 'poster',
      is_short_code: false,
      ip: '203.0.113.5',
      visits: 3,
      blocked: false,
      blacklisted: null,
    });
    expect((await listed(administrator, { search: '203.0.113.5', kind: 'referer' }))[0]).toMatchObject({ blacklisted: 'no' });
    expect(await listed(administrator, { search: '203.0.113.6' })).toEqual([]);
  });

  test('shows and finds names in other scripts, of look-alikes the registered one only', async () => {
    const host = domainToASCII('www.好茶.中国');
    const ids = [await addRow({ host }), await addRow({ host: domainToASCII('аррӏе.com') })];
    const named = (rows: { host: string; host_unicode: string | null }[]) => rows.map(({ host_unicode }) => host_unicode);
    expect(named(await listed(owner, { sort: 'id', order: 'asc' }))).toEqual(['www.好茶.中国', null]);
    expect(named(await listed(owner, { search: '好茶.中国' }))).toEqual(['www.好茶.中国']);
    await test_app.call(owner, 'stealing_list', 'block', { ids });
    const { body } = await test_app.call(owner, 'stealing_list', 'rules', { search: 'www.好茶。' });
    expect(body.content).toMatchObject([{ host, host_unicode: 'www.好茶.中国' }]);
  });

  test('shows what becomes of a code that is deleted', async () => {
    await addRow({ live_code_id: 999_999 });
    expect((await listed(owner))[0]).toMatchObject({ live_code_id: 999_999, code: '', code_name: '' });
  });

  test('names no code to its former owner that is another’s by now', async () => {
    await addRow();
    const given = await test_app.call(administrator, 'qr_code_list', 'transfer', {
      ids: [code],
      owner_id: stranger.id,
      domains: 'take_off',
    });
    await test_app.call(stranger, 'qr_code_list', 'update', { id: code, name: 'of the new owner' });
    expect(await listed(owner)).toMatchObject([{ host: 'thief.example', code: '', code_name: '' }]);
    expect(await listed(administrator)).toMatchObject([{ code: 'poster-1', code_name: 'of the new owner' }]);
    await test_app.call(stranger, 'qr_code_list', 'update', { id: code, name: 'poster' });
    const back = { ids: [code], owner_id: owner.id, domains: 'take_off' as const };
    expect([given.body.affected, (await test_app.call(administrator, 'qr_code_list', 'transfer', back)).body.affected]).toEqual([1, 1]);
  });
});

describe('a host', () => {
  test('is blocked for its owner once, whoever of both does it, and shown as such with its subdomains', async () => {
    const ids = [await addRow(), await addRow({ ip: '203.0.113.6' }), await addRow({ host: 'www.thief.example' })];
    expect((await test_app.call(owner, 'stealing_list', 'block', { ids: ids.slice(0, 2) })).body.affected).toBe(1);
    expect((await test_app.call(administrator, 'stealing_list', 'block', { ids: ids.slice(0, 1) })).body.affected).toBe(1);
    expect((await listed(owner)).every(({ blocked }) => blocked)).toBe(true);
    expect(await rulesOf(owner)).toMatchObject([
      { host: 'thief.example', action: 'block', owner_id: owner.id, created_by_account: administrator.account },
    ]);
    expect(await rulesOf(stranger)).toEqual([]);
  });

  test('that is allowed is listed no longer; taken back, it is decided on no more', async () => {
    const ids = [await addRow(), await addRow({ ip: '203.0.113.6' }), await addRow({ host: 'other.example' })];
    await test_app.call(owner, 'stealing_list', 'block', { ids: ids.slice(0, 1) });
    expect((await test_app.call(owner, 'stealing_list', 'allow', { ids: ids.slice(0, 1) })).status).toBe(200);
    expect((await listed(owner)).map(({ host }) => host)).toEqual(['other.example']);
    const [rule] = await rulesOf(owner);
    expect(rule).toMatchObject({ host: 'thief.example', action: 'allow' });
    expect((await test_app.call(owner, 'stealing_list', 'remove_rules', { ids: [rule?.id ?? 0] })).body.affected).toBe(1);
    expect(await rulesOf(owner)).toEqual([]);
  });

  test('that nobody owns can be allowed, not blocked, by administrators only', async () => {
    const id = await addRow(stray);
    expect((await test_app.call(administrator, 'stealing_list', 'block', { ids: [id] })).body.code).toBe('stealing_list.no_host');
    expect((await test_app.call(owner, 'stealing_list', 'allow', { ids: [id] })).status).toBe(404);
    expect((await test_app.call(administrator, 'stealing_list', 'allow', { ids: [id] })).body.affected).toBe(1);
    expect(await listed(administrator)).toEqual([]);
    expect(await rulesOf(administrator)).toMatchObject([{ host: 'stray.example', action: 'allow', owner_id: null }]);
    expect(await rulesOf(owner)).toEqual([]);
  });

  test('cannot be decided on by rows that name none, are missing or are another’s', async () => {
    const [none, own] = [await addRow({ host: '', kind: 'forged' }), await addRow()];
    for (const action of ['block', 'allow'] as const) {
      expect((await test_app.call(owner, 'stealing_list', action, { ids: [none] })).status).toBe(409);
      expect((await test_app.call(owner, 'stealing_list', action, { ids: [own, 999_999] })).status).toBe(404);
      expect((await test_app.call(stranger, 'stealing_list', action, { ids: [own] })).status).toBe(404);
    }
    expect(await rulesOf(administrator)).toEqual([]);
  });

  test('is decided on once, however many do it at once', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) => addRow({ host: `h${index % 4}.example`, ip: `203.0.113.${index}` })),
    );
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        test_app.call(owner, 'stealing_list', 'block', { ids: index % 2 ? ids : [...ids].reverse() }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await rulesOf(owner)).toHaveLength(4);
  });
});

describe('an address', () => {
  test('goes on the visit blacklist by administrators, and never one of our proxies', async () => {
    await addRow();
    expect((await test_app.call(owner, 'stealing_list', 'blacklist', { ips: ['203.0.113.5'] })).status).toBe(403);
    expect((await test_app.call(administrator, 'stealing_list', 'blacklist', { ips: ['203.0.113.5'], remark: 'thief' })).status).toBe(200);
    expect((await test_app.call(administrator, 'stealing_list', 'blacklist', { ips: ['10.0.0.9'] })).status).toBe(400);
    expect((await listed(administrator))[0]).toMatchObject({ blacklisted: 'address' });
  });
});
