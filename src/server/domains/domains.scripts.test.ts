import { domainToASCII } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

// Names in other scripts, wherever a domain is shown, chosen or looked for.

const tea = { host: domainToASCII('好茶.中国'), host_unicode: '好茶.中国' };
const landing = { host: `*.${domainToASCII('上海好茶.中国')}`, host_unicode: '*.上海好茶.中国' };
const short = { host: domainToASCII('短.中国'), host_unicode: '短.中国' };
/** Cyrillic letters that look Latin: shown as punycode only. */
const alike = { host: domainToASCII('аррӏе.com'), host_unicode: null };
const plain = { host: 'plain.example.com', host_unicode: null };

let test_app: TestApp;
let administrator: TestUser;
let owner: TestUser;
let stranger: TestUser;
let ids: Record<'tea' | 'landing' | 'short' | 'alike' | 'plain', number>;
let code: number;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  owner = await test_app.makeUser('customer');
  stranger = await test_app.makeUser('customer');
  const add = async ({ host }: { host: string }, type: 1 | 2 | 3) =>
    (await test_app.call(owner, 'domain_list', 'add', { host, type })).body.id;
  ids = {
    tea: await add(tea, 1),
    landing: await add(landing, 2),
    short: await add(short, 3),
    alike: await add(alike, 1),
    plain: await add(plain, 1),
  };
  const { body } = await test_app.call(owner, 'qr_code_list', 'add', {
    name: '菜单',
    file_name: 'menu',
    entry_domain_id: ids.tea,
    landing_domain_id: ids.landing,
    targets: [{ kind: 'url', content: 'https://example.com/' }],
  });
  code = body.id;
  await test_app.call(owner, 'short_code', 'add', {
    request_key: crypto.randomUUID(),
    live_code_ids: [code],
    domain_id: ids.short,
    short: 'tea',
  });
  await test_app.call(owner, 'forward', 'add', { domain_id: ids.tea, path: '/docs', url: 'https://example.com/', status: 302 });
});
afterAll(() => test_app.close());

const named = (rows: readonly { host: string | null; host_unicode: string | null }[]) =>
  rows.map(({ host, host_unicode }) => ({ host, host_unicode })).sort((one, other) => ((one.host ?? '') < (other.host ?? '') ? -1 : 1));
const sorted = (...domains: { host: string; host_unicode: string | null }[]) => named(domains);

test('every choice of a domain has the name in its own script, of look-alikes the registered one only', async () => {
  const options = await test_app.call(owner, 'domain_list', 'options', { type: 1 });
  expect(named(options.body.content.filter(({ holder_id }) => holder_id === owner.id))).toEqual(sorted(tea, alike, plain));
  expect(named((await test_app.call(owner, 'short_code', 'domains', {})).body.content)).toEqual([short]);
  expect(named((await test_app.call(owner, 'forward', 'domains', {})).body.content)).toEqual(sorted(tea, landing, short, alike, plain));
});

test('whatever stands on a domain names it in its own script, and by its registered name', async () => {
  const own = { entry_host: tea.host, entry_host_unicode: tea.host_unicode };
  const both = { ...own, landing_host: landing.host, landing_host_unicode: landing.host_unicode };
  const list = await test_app.call(owner, 'qr_code_list', 'inquire', {});
  expect(list.body.content).toMatchObject([both]);
  expect((await test_app.call(owner, 'qr_code_list', 'details', { id: code })).body).toMatchObject(both);
  const [printed] = (await test_app.call(owner, 'qr_code_list', 'sheet', { ids: [code] })).body.content;
  expect(printed).toMatchObject(own);
  expect(printed?.url).toContain(`://${tea.host}/menu`);
  expect(named((await test_app.call(owner, 'short_code', 'inquire', {})).body.content)).toEqual([short]);
  expect(named((await test_app.call(owner, 'forward', 'inquire', {})).body.content)).toEqual([tea]);

  const lines = ['menu', '上海.上海好茶.中国', 'аррӏе.com', 'https://未知.中国/x', 'nothing'];
  const found = await test_app.call(owner, 'batche_query', 'inquire', { lines });
  expect(found.body.content.map(({ host, host_unicode }) => ({ host, host_unicode }))).toEqual([
    tea,
    landing,
    alike,
    { host: domainToASCII('未知.中国'), host_unicode: '未知.中国' },
    { host: null, host_unicode: null },
  ]);

  await test_app.call(owner, 'domain_list', 'update_enabled', { ids: [ids.tea], enabled: false });
  const faulty = await test_app.call(owner, 'no_domain_name', 'inquire', {});
  expect(faulty.body.content).toMatchObject([both]);
  await test_app.call(owner, 'domain_list', 'update_enabled', { ids: [ids.tea], enabled: true });
});

test('a replacement, the history of a code and a refusal say the name in its own script', async () => {
  await test_app.call(owner, 'domain_replacement', 'add', { from_domain_id: ids.tea, to_domain_id: ids.alike });
  const replaced = await test_app.call(owner, 'domain_replacement', 'inquire', {});
  expect(replaced.body.content).toMatchObject([
    { from_host: tea.host, from_host_unicode: tea.host_unicode, to_host: alike.host, to_host_unicode: null },
  ]);
  const [newest] = (await test_app.call(owner, 'qr_code_list', 'versions', { id: code })).body.content;
  expect(newest?.changes).toMatchObject([{ field: 'entry_domain_id', before_name: tea.host_unicode, after_name: alike.host }]);
  await test_app.call(owner, 'domain_replacement', 'undo', { id: replaced.body.content[0]?.id ?? 0 });
  const refused = await test_app.call(owner, 'domain_list', 'remove', { ids: [ids.tea] });
  expect([refused.status, refused.body.code]).toEqual([409, 'domain.in_use']);
  expect(refused.body.message).toContain(tea.host_unicode);
});

const searches = {
  'the list of domains': async (as: TestUser, text: string) =>
    (await test_app.call(as, 'domain_list', 'inquire', { host: text })).body.content,
  'the records of domains': async (as: TestUser, text: string) =>
    (await test_app.call(as, 'export_domain_resolution', 'inquire', { host: text })).body.content,
  'the choice for a forward': async (as: TestUser, text: string) =>
    (await test_app.call(as, 'forward', 'domains', { search: text })).body.content,
  'the command palette': async (as: TestUser, text: string) => (await test_app.call(as, 'command', 'search', { text })).body.domains,
};
test.each(Object.entries(searches))(
  '%s is searched by a name in its own script, by a part of it, and as it is registered',
  async (_where, find) => {
    const hosts = async (text: string, as = owner) => (await find(as, text)).map(({ host }) => host).sort();
    expect(await hosts('好茶.中国')).toEqual([landing.host, tea.host]);
    expect(await hosts('茶')).toEqual([landing.host, tea.host]);
    expect(await hosts('上海')).toEqual([landing.host]);
    expect(await hosts('上海好茶。中国')).toEqual([landing.host]);
    expect(await hosts('*.上海好茶.中国')).toEqual([landing.host]);
    expect(await hosts('plain。example')).toEqual([plain.host]);
    expect(await hosts('АРРӏе')).toEqual([alike.host]);
    expect(await hosts(tea.host)).toEqual([tea.host]);
    expect(await hosts('咖啡')).toEqual([]);
    expect(await hosts('茶', administrator)).toEqual([landing.host, tea.host]);
    expect(await hosts('茶', stranger)).toEqual([]);
  },
);

test('forwards are searched by a name in its own script', async () => {
  const paths = async (search: string, as = owner) =>
    (await test_app.call(as, 'forward', 'inquire', { search })).body.content.map(({ host, path }) => [host, path]);
  expect(await paths('好茶')).toEqual([[tea.host, '/docs']]);
  expect(await paths('咖啡')).toEqual([]);
  expect(await paths('好茶', stranger)).toEqual([]);
});
