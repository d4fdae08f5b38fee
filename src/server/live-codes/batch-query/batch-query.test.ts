import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { readQuery } from './batch-query.lines.ts';

let test_app: TestApp;
let administrator: TestUser;
let agent: TestUser;
let owner: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  agent = await test_app.makeUser('agent');
  owner = await test_app.makeUser('customer', { superior_id: agent.id });
  stranger = await test_app.makeUser('customer');
  const entry = (await test_app.call(owner, 'domain_list', 'add', { host: 'entry.example.com', type: 1 })).body;
  await test_app.call(owner, 'domain_list', 'add', { host: '*.wild.example.com', type: 1 });
  await test_app.call(owner, 'domain_list', 'add', { host: '例子.中国', type: 2, enabled: false });
  await test_app.db.execute(sql`UPDATE domain SET block_status = 2 WHERE id = ${entry.id}`);
  const short_domain = (await test_app.call(owner, 'domain_list', 'add', { host: 's.example.com', type: 3 })).body;
  const other_short = (await test_app.call(owner, 'domain_list', 'add', { host: 't.example.com', type: 3 })).body;
  const add = async (as: TestUser, file_name: string, more = {}) =>
    (
      await test_app.call(as, 'qr_code_list', 'add', {
        name: `code ${file_name}`,
        file_name,
        entry_domain_id: as === owner ? entry.id : null,
        targets: [{ kind: 'url', content: 'https://example.com/' }],
        ...more,
      })
    ).body;
  const open = await add(owner, 'open-code');
  await add(owner, 'closed-code', { open: false });
  await add(owner, 'old-code', { expires_at: '2020-01-01T00:00:00.000Z' });
  const removed = await add(owner, 'removed-code');
  await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [removed.id], removed: true });
  const foreign = await add(stranger, 'foreign-code');
  await test_app.call(owner, 'qr_code_list', 'add_alias', { id: open.id, key: 'east-gate' });
  await test_app.call(stranger, 'qr_code_list', 'add_alias', { id: foreign.id, key: 'foreign-gate' });
  await test_app.db.execute(sql`INSERT INTO live_code_total (live_code_id, visits, ips) VALUES (${open.id}, 12, 7)`);
  const short = (domain_id: number | null, path: string | null, more: { display?: boolean; platform_url?: string } = {}) =>
    test_app.db.execute(sql`INSERT INTO short_code (owner_id, domain_id, short, live_code_id, display, platform_url)
      VALUES (${owner.id}, ${domain_id}, ${path}, ${open.id}, ${more.display ?? true}, ${more.platform_url ?? null})`);
  await short(short_domain.id, 'go');
  await test_app.db.execute(
    sql`INSERT INTO short_code_total (short_code_id, visits, ips) SELECT id, 4, 3 FROM short_code WHERE domain_id = ${short_domain.id}`,
  );
  await short(other_short.id, 'go');
  await short(short_domain.id, 'hidden', { display: false });
  await short(null, null, { platform_url: 'https://u.example/AbC' });
});
afterAll(() => test_app.close());

const query = async (as: TestUser, lines: string[], more = {}) =>
  (await test_app.call(as, 'batche_query', 'inquire', { lines, page_size: 200, ...more })).body;
const found = async (as: TestUser, lines: string[]) =>
  (await query(as, lines)).content.map(({ line, kind, state, file_name, host }) => [line, kind, state, file_name, host]);

test('each line is told what it is: keys, links, short links, domains, and what is unknown', async () => {
  expect(
    await found(owner, [
      'open-code',
      ' CLOSED-code ',
      'old-code',
      'removed-code',
      'https://entry.example.com/open-code?s=1#x',
      'http://any.wild.example.com/open-code',
      'entry.example.com/open-code',
      'https://unknown.example.org/open-code',
      'https://s.example.com/go',
      'https://s.example.com/open-code',
      'https://u.example/AbC',
      'go',
      'entry.example.com',
      'a.wild.example.com',
      '例子.中国',
      'https://entry.example.com/',
      'foreign-code',
      'nobody.example.com',
      'not anything!',
      '',
    ]),
  ).toEqual([
    ['open-code', 'code', 'open', 'open-code', 'entry.example.com'],
    ['CLOSED-code', 'code', 'closed', 'closed-code', 'entry.example.com'],
    ['old-code', 'code', 'expired', 'old-code', 'entry.example.com'],
    ['removed-code', 'code', 'removed', 'removed-code', 'entry.example.com'],
    ['https://entry.example.com/open-code?s=1#x', 'code', 'open', 'open-code', 'entry.example.com'],
    ['http://any.wild.example.com/open-code', 'code', 'open', 'open-code', '*.wild.example.com'],
    ['entry.example.com/open-code', 'code', 'open', 'open-code', 'entry.example.com'],
    ['https://unknown.example.org/open-code', 'code', 'open', 'open-code', 'entry.example.com'],
    ['https://s.example.com/go', 'short', 'open', 'go', 's.example.com'],
    ['https://s.example.com/open-code', 'unknown', null, '', 's.example.com'],
    ['https://u.example/AbC', 'short', 'open', '', null],
    ['go', 'short', 'open', 'go', 't.example.com'],
    ['go', 'short', 'open', 'go', 's.example.com'],
    ['entry.example.com', 'domain', 'enabled', '', 'entry.example.com'],
    ['a.wild.example.com', 'domain', 'enabled', '', '*.wild.example.com'],
    ['例子.中国', 'domain', 'disabled', '', 'xn--fsqu00a.xn--fiqs8s'],
    ['https://entry.example.com/', 'domain', 'enabled', '', 'entry.example.com'],
    ['foreign-code', 'unknown', null, '', null],
    ['nobody.example.com', 'unknown', null, '', 'nobody.example.com'],
    ['not anything!', 'invalid', null, '', null],
  ]);
});

test('a line with an alias names its code, and which alias it was', async () => {
  const lines = ['https://entry.example.com/East-Gate?s=1', 'east-gate', 'open-code', 'foreign-gate', 'https://s.example.com/east-gate'];
  expect((await query(owner, lines)).content.map(({ kind, file_name, found_alias }) => [kind, file_name, found_alias])).toEqual([
    ['code', 'open-code', 'east-gate'],
    ['code', 'open-code', 'east-gate'],
    ['code', 'open-code', null],
    ['unknown', '', null],
    ['unknown', '', null],
  ]);
});

test('a code comes with its owner, the state of its domain and its visits; a short link with the code to act on', async () => {
  const { content, kinds } = await query(owner, ['open-code', 'https://s.example.com/go', 'x.invalid!']);
  expect(content[0]).toMatchObject({ owner_account: owner.account, block_status: 2, domain_type: 1, visits: 12, ips: 7 });
  expect(content[1]).toMatchObject({ kind: 'short', live_code_id: content[0]?.id, visits: 4, ips: 3 });
  expect(kinds).toEqual({ code: 1, short: 1, domain: 0, unknown: 0, invalid: 1 });
});

test("strangers learn nothing of others' codes, links and domains; the agent and administrators see them", async () => {
  const lines = ['open-code', 'https://s.example.com/go', 'entry.example.com', 'go'];
  expect((await query(stranger, lines)).content.map(({ kind, name, owner_account }) => [kind, name, owner_account])).toEqual(
    lines.map(() => ['unknown', '', null]),
  );
  for (const as of [agent, administrator]) expect((await query(as, lines)).kinds).toMatchObject({ code: 1, short: 3, domain: 1 });
  expect((await query(owner, ['https://s.example.com/hidden'])).content[0]?.kind).toBe('unknown');
  expect((await query(administrator, ['https://s.example.com/hidden'])).content[0]?.kind).toBe('short');
});

test('two thousand lines are answered fast, page by page, and no more are taken', async () => {
  const lines = Array.from({ length: 2000 }, (_, number) => (number % 2 ? `https://entry.example.com/key${number}` : 'open-code'));
  const first = await query(owner, lines, { page_size: 20, page: 100 });
  expect([first.total, first.content.length, first.kinds.code]).toEqual([2000, 20, 1000]);
  expect(new Set((await query(owner, lines)).content.map(({ key }) => key)).size).toBe(200);
  expect((await test_app.call(owner, 'batche_query', 'inquire', { lines: [...lines, 'x'] })).status).toBe(400);
});

test('odd characters are looked up as anything else is', async () => {
  const lines = [
    '\u0000',
    'a\u0000b',
    'https://entry.example.com/%00',
    'https://entry.example.com/%E4%BD%A0',
    'https://entry.example.com/%zz',
    '\ud800',
    "'; --",
  ];
  expect((await query(owner, lines)).content.map(({ kind }) => kind)).toEqual([
    ...['invalid', 'invalid', 'unknown', 'unknown', 'invalid', 'invalid', 'invalid'],
  ]);
});

test('any text is read as something', () => {
  fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => readQuery(text).kind !== undefined));
  fc.assert(fc.property(fc.webUrl({ withQueryParameters: true }), (url) => ['link', 'host'].includes(readQuery(url).kind)));
});
