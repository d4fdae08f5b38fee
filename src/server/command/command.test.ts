import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { readSearch } from './command.service.ts';

let test_app: TestApp;
let administrator: TestUser;
let agent: TestUser;
let owner: TestUser;
let stranger: TestUser;
let shop: number;
let codes: number[];
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  agent = await test_app.makeUser('agent');
  owner = await test_app.makeUser('customer', { superior_id: agent.id });
  stranger = await test_app.makeUser('customer');
  shop = (await test_app.call(owner, 'domain_list', 'add', { host: 'shop.example.com', type: 1 })).body.id;
  await test_app.call(owner, 'domain_list', 'add', { host: 'a.shop.example.com', type: 2 });
  codes = [];
  for (const file_name of ['spring-menu', 'autumn_menu', 'menu']) {
    const targets = [{ kind: 'url' as const, content: 'https://example.com/' }];
    const { body } = await test_app.call(owner, 'qr_code_list', 'add', {
      file_name,
      name: `菜单 ${file_name}`,
      entry_domain_id: shop,
      targets,
    });
    codes.push(body.id);
  }
});
afterAll(() => test_app.close());

const search = async (as: TestUser, text: string) => (await test_app.call(as, 'command', 'search', { text })).body;

test('a code is found by its key, its name and its pasted link; the one of that very key stands first', async () => {
  expect((await search(owner, 'menu')).codes.map(({ file_name }) => file_name)).toEqual(['menu', 'autumn_menu', 'spring-menu']);
  expect((await search(owner, '菜单 spring')).codes.map(({ file_name }) => file_name)).toEqual(['spring-menu']);
  expect((await search(owner, 'https://old.example.org/Autumn_Menu?s=1')).codes.map(({ file_name }) => file_name)).toEqual(['autumn_menu']);
  expect((await search(owner, '%')).codes).toEqual([]);
});

test('a domain is found with the codes on it, the shortest name first', async () => {
  const { domains } = await search(owner, 'shop.EXAMPLE');
  expect(domains.map(({ host, open_codes, closed_codes }) => [host, open_codes, closed_codes])).toEqual([
    ['shop.example.com', 3, 0],
    // The codes' landing domain: the owner's only one was put on them.
    ['a.shop.example.com', 3, 0],
  ]);
  expect(domains[0]).toMatchObject({ changeable: true, enabled: true });
});

test('strangers find nothing; an agent sees what he may not change, an administrator what he may', async () => {
  expect(await search(stranger, 'shop.example.com')).toEqual({ codes: [], domains: [] });
  expect(await search(stranger, 'menu')).toEqual({ codes: [], domains: [] });
  const seen = await search(agent, 'shop.example.com');
  expect(seen.domains[0]).toMatchObject({ host: 'shop.example.com', changeable: false, open_codes: 0 });
  expect((await search(agent, 'menu')).codes[0]).toMatchObject({ file_name: 'menu', changeable: false });
  expect((await search(administrator, 'menu')).codes[0]).toMatchObject({
    file_name: 'menu',
    changeable: true,
    owner_account: owner.account,
  });
});

test('all codes on a domain are closed and opened by one act, once, and only by those who may', async () => {
  const act = async (as: TestUser, open: boolean) =>
    (await test_app.call(as, 'qr_code_list', 'update_open_on_domain', { domain_id: shop, open })).body.affected;
  expect(await act(stranger, false)).toBe(0);
  expect(await act(agent, false)).toBe(0);
  expect(await act(owner, false)).toBe(3);
  expect(await act(owner, false)).toBe(0);
  expect((await search(owner, 'shop.example.com')).domains[0]).toMatchObject({ open_codes: 0, closed_codes: 3 });
  expect(await act(administrator, true)).toBe(3);
  expect((await test_app.call(owner, 'qr_code_list', 'details', { id: codes[0] ?? 0 })).body.open).toBe(true);
});

test('a code is found by a key that it was given beside its own, once', async () => {
  const id = codes[0] ?? 0;
  await test_app.call(owner, 'qr_code_list', 'add_alias', { id, key: 'east-gate' });
  expect((await search(owner, 'https://shop.example.com/EAST-gate')).codes.map((code) => code.id)).toEqual([id]);
  expect((await search(owner, 't-gat')).codes).toMatchObject([{ id, found_alias: 'east-gate' }]);
  expect((await search(owner, 'menu')).codes.map((code) => code.found_alias)).toEqual([null, null, null]);
  expect((await search(stranger, 'east-gate')).codes).toEqual([]);
});

test('what a pasted text asks for', () => {
  expect(readSearch('HTTPS://Shop.Example.com/AbCd/x?y=1')).toEqual({ code: 'abcd', host: 'shop.example.com' });
  expect(readSearch('https://shop.example.com')).toEqual({ code: 'shop.example.com', host: 'shop.example.com' });
  expect(readSearch('menu')).toEqual({ code: 'menu', host: 'menu' });
});

test('among very many codes those are found that have the words, by their owner and by administrators', { tags: 'full' }, async () => {
  const [someone, colleague] = [await test_app.makeUser('customer'), await test_app.makeUser('administrator')];
  await test_app.db.execute(sql`ALTER TABLE live_code DISABLE TRIGGER USER`);
  await test_app.db.execute(sql`INSERT INTO live_code (file_name, owner_id, name, remark)
    SELECT 'many-' || n, ${someone.id}, 'one of many ' || n, 'the same for all of them ' || n FROM generate_series(1, 60000) AS n`);
  await test_app.db.execute(sql`ALTER TABLE live_code ENABLE TRIGGER USER`);
  await test_app.db.execute(
    sql`INSERT INTO live_code_key (key, live_code_id, own) SELECT file_name, id, true FROM live_code WHERE owner_id = ${someone.id}`,
  );
  await test_app.db.execute(sql`ANALYZE live_code`);
  for (const as of [someone, colleague]) {
    expect((await search(as, 'nowhere')).codes).toEqual([]);
    expect((await search(as, 'many-59999')).codes.map(({ file_name }) => file_name)).toEqual(['many-59999']);
  }
});
