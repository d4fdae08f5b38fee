import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { credit } from '../ledger/testing/money.ts';

let test_app: TestApp;
let administrator: TestUser;
let agent: TestUser;
let user: TestUser;
let heir: TestUser;
let domain: number;
let code: number;

const targets = [{ kind: 'url' as const, content: 'https://example.com/' }];
let number = 0;

beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('super');
});
beforeEach(async () => {
  number += 1;
  agent = await test_app.makeUser('agent');
  user = await test_app.makeUser('agent', { superior_id: agent.id });
  heir = await test_app.makeUser('customer');
  domain = (await test_app.call(user, 'domain_list', 'add', { host: `left-${number}.example.com`, type: 1 })).body.id;
  code = (await test_app.call(user, 'qr_code_list', 'add', { name: 'left', entry_domain_id: domain, targets })).body.id;
});
afterAll(() => test_app.close());

const remove = (input: object, as = administrator) => test_app.send(as, 'user_list/remove', { id: user.id, ...input });
const one = async <T extends object>(query: ReturnType<typeof sql>): Promise<T> =>
  (await test_app.db.execute<T & Record<string, unknown>>(query)).rows[0] as T;
const codeRow = () =>
  one<{ owner_id: number; removed: boolean; entry_domain_id: number }>(
    sql`SELECT owner_id::float8 AS owner_id, removed, entry_domain_id::float8 AS entry_domain_id FROM live_code WHERE id = ${code}`,
  );
const holderOf = async (id: number) =>
  (await one<{ holder_id: number | null }>(sql`SELECT holder_id::float8 AS holder_id FROM domain WHERE id = ${id}`)).holder_id;

describe('before a user is removed', () => {
  test('it is told what he leaves', async () => {
    await test_app.makeUser('customer', { superior_id: user.id });
    const { body } = await test_app.call(administrator, 'user_list', 'removal', { id: user.id });
    expect(body).toEqual({
      id: user.id,
      account: user.account,
      balance: '0.000000',
      live_codes: 1,
      removed_codes: 0,
      domains: 1,
      short_codes: 0,
      customers: 1,
      superior_account: agent.account,
      api_token_number: 0,
    });
  });

  test('a balance stops it', async () => {
    await credit(test_app.db, user.id, 1n);
    const { status, body } = await remove({ codes: 'remove' });
    expect([status, body.code]).toEqual([409, 'user.has_balance']);
    expect(await codeRow()).toMatchObject({ removed: false });
  });

  test('another user must be named who can take what is given', async () => {
    expect((await remove({ codes: 'transfer' })).body.fields).toEqual({ to_user_id: 'required' });
    for (const to_user_id of [user.id, 999_999]) {
      expect((await remove({ codes: 'transfer', to_user_id })).body.fields).toEqual({ to_user_id: 'unknown_user' });
    }
  });
});

describe('a removed user', () => {
  test('leaves codes in the recycle bin and domains in the pool, and his customers go to his superior', async () => {
    const customer = await test_app.makeUser('customer', { superior_id: user.id });
    expect((await remove({ codes: 'remove' })).body).toEqual({ affected: 1 });
    expect(await codeRow()).toEqual({ owner_id: user.id, removed: true, entry_domain_id: domain });
    expect(await holderOf(domain)).toBeNull();
    const { superior_id } = await one<{ superior_id: number }>(
      sql`SELECT superior_id::float8 AS superior_id FROM user_account WHERE id = ${customer.id}`,
    );
    expect(superior_id).toBe(agent.id);
  });

  test('gives codes, short codes, forwards and domains to another user, codes staying on their domains', async () => {
    const short = (
      await one<{ id: number }>(
        sql`INSERT INTO short_code (owner_id, url, platform_url) VALUES (${user.id}, 'https://a.example/', 'https://s.example/') RETURNING id::float8 AS id`,
      )
    ).id;
    await test_app.call(user, 'forward', 'add', { domain_id: domain, path: '/old', url: 'https://example.com/' });
    expect((await remove({ codes: 'transfer', to_user_id: heir.id })).status).toBe(200);
    expect(await codeRow()).toEqual({ owner_id: heir.id, removed: false, entry_domain_id: domain });
    expect(await holderOf(domain)).toBe(heir.id);
    expect(await one(sql`SELECT owner_id::float8 AS owner_id FROM short_code WHERE id = ${short}`)).toEqual({ owner_id: heir.id });
    expect(await one(sql`SELECT owner_id::float8 AS owner_id, enabled FROM forward WHERE domain_id = ${domain}`)).toEqual({
      owner_id: heir.id,
      enabled: true,
    });
  });

  test('may leave the domains to the pool, where codes that were given stay on them and forwards end', async () => {
    await test_app.call(user, 'forward', 'add', { domain_id: domain, path: '/old', url: 'https://example.com/' });
    await remove({ codes: 'transfer', to_user_id: heir.id, domains: 'pool' });
    expect(await codeRow()).toEqual({ owner_id: heir.id, removed: false, entry_domain_id: domain });
    expect(await holderOf(domain)).toBeNull();
    expect(await one(sql`SELECT enabled FROM forward WHERE domain_id = ${domain}`)).toEqual({ enabled: false });
  });

  test('is logged out at once with his tokens, is in no list and choice, and can be changed by nobody', async () => {
    const token = await test_app.call(user, 'api_token', 'add', { name: 'machine', nodes: ['qr_code_list'] });
    expect(token.status).toBe(200);
    await remove({ codes: 'remove' });
    expect((await test_app.call(user, 'admin', 'get_info', {})).status).toBe(401);
    expect(await one(sql`SELECT count(*)::int AS left FROM api_token WHERE user_id = ${user.id} AND revoked_at IS NULL`)).toEqual({
      left: 0,
    });
    const listed = async (input: object) =>
      (await test_app.call(administrator, 'user_list', 'inquire', { search: user.account, ...input })).body.content;
    expect(await listed({})).toEqual([]);
    expect(await listed({ status: 2 })).toMatchObject([{ id: user.id, status: 2, disabled: 2, removed_by_account: administrator.account }]);
    expect((await test_app.call(administrator, 'user_list', 'options', { search: user.account })).body.content).toEqual([]);
    expect((await test_app.call(agent, 'user_customer', 'inquire', { search: user.account })).body.content).toEqual([]);
    for (const [action, input] of [
      ['update', { id: user.id, name: 'x' }],
      ['remove', { id: user.id, codes: 'remove' }],
      ['log_in_as', { id: user.id }],
    ] as const) {
      expect((await test_app.send(administrator, `user_list/${action}`, input)).status).toBe(404);
    }
    expect((await test_app.call(administrator, 'user_list', 'update_disabled', { ids: [user.id], disabled: 1 })).body).toEqual({
      affected: 0,
    });
  });

  test('keeps his account name, and logs name him', async () => {
    await remove({ codes: 'remove' });
    const again = await test_app.call(administrator, 'user_list', 'add', { account: user.account, password: 'secret12345' });
    expect(again.body.fields).toEqual({ account: 'taken' });
    const { body } = await test_app.call(administrator, 'log', 'inquire', { user_id: user.id } as never);
    expect((body as unknown as { content: { user_account: string }[] }).content.map(({ user_account }) => user_account)).toContain(
      user.account,
    );
    const entry = await one<{ changes: { before: object; after: { status: number; parts: object[] } } }>(
      sql`SELECT changes FROM log WHERE type = 'user_list/remove' ORDER BY id DESC LIMIT 1`,
    );
    expect(entry.changes.before).toMatchObject({ account: user.account, live_codes: 1 });
    expect(entry.changes.after.parts.length).toBeGreaterThan(1);
  });

  test('is restored as he was, disabled where he had been, and his codes wait in the recycle bin', async () => {
    await remove({ codes: 'remove' });
    expect((await test_app.call(administrator, 'user_list', 'restore', { ids: [user.id] })).body).toEqual({ affected: 1 });
    const state = () => one(sql`SELECT status, disabled, removed_at FROM user_account WHERE id = ${user.id}`);
    expect(await state()).toEqual({ status: 1, disabled: false, removed_at: null });
    expect((await test_app.call(administrator, 'qr_code_list', 'update_remove', { ids: [code], removed: false })).body.affected).toBe(1);
    await test_app.call(administrator, 'user_list', 'update_disabled', { ids: [user.id], disabled: 2 });
    await remove({ codes: 'remove' });
    await test_app.call(administrator, 'user_list', 'restore', { ids: [user.id] });
    expect(await state()).toEqual({ status: 1, disabled: true, removed_at: null });
  });
});

describe('administrators', () => {
  test('are removed likewise, but never themselves, nor the last super administrator, nor by customers', async () => {
    const other = await test_app.makeUser('administrator');
    const input = { codes: 'remove' as const };
    expect((await test_app.call(administrator, 'administrators', 'remove', { id: administrator.id, ...input })).body.code).toBe(
      'user.oneself',
    );
    const deputy = await test_app.makeUser('super');
    await test_app.db.execute(sql`UPDATE user_account SET disabled = true WHERE id IN (SELECT user_account.id FROM user_account JOIN role ON role.id = role_id
      WHERE kind = 'super' AND user_account.id NOT IN (${administrator.id}, ${deputy.id}))`);
    expect((await test_app.call(administrator, 'administrators', 'remove', { id: deputy.id, ...input })).body).toEqual({ affected: 1 });
    expect((await test_app.call(other, 'administrators', 'remove', { id: administrator.id, ...input })).status).toBe(403);
    expect((await test_app.call(administrator, 'administrators', 'remove', { id: other.id, ...input })).body).toEqual({ affected: 1 });
    expect((await remove(input, heir)).status).toBe(403);
    expect((await test_app.call(administrator, 'user_list', 'remove', { id: other.id, ...input })).status).toBe(404);
  });
});
