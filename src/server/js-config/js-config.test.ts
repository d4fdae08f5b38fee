import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { snippetOf, snippetPresets } from '../../contract/links/js-config.providers.ts';
import { maxSnippetCharacters, maxSnippets } from '../../contract/links/js-config.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { buildPage } from '../redirect/pages/page.ts';
import { policyOf } from './js-config.rules.ts';

let test_app: TestApp;
let owner: TestUser;
let administrator: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
});
afterAll(() => test_app.close());
beforeEach(async () => {
  owner = await test_app.makeUser('customer');
});

const code = { provider: 'code' as const, code: 'window.seen = 1;', origins: ['https://cdn.example.com'] };
const baidu = { provider: 'baidu' as const, provider_id: snippetPresets.baidu.example };
const add = async (as: TestUser, input: object = code) =>
  (await test_app.send(as, 'js_config/add', { name: 'mine', ...input })).body as { id: number; version: number; approval: string };
const update = (as: TestUser, input: object) => test_app.send(as, 'js_config/update', input);
/** What the visit path would run. */
const running = async () =>
  (await test_app.db.execute<{ id: number }>(sql`SELECT id FROM js_config WHERE enabled AND approval = 'approved'`)).rows.map(
    ({ id }) => id,
  );

describe('code of a customer', () => {
  test('waits until an administrator approves it, and its owner is told', async () => {
    const { id, version, approval } = await add(owner);
    expect([approval, await running()]).toEqual(['waiting', expect.not.arrayContaining([id])]);
    const queue = await test_app.call(administrator, 'js_config', 'inquire', { approval: 'waiting' });
    expect(queue.body.content.map((row) => row.id)).toContain(id);
    expect((await test_app.send(owner, 'js_config/approve', { id, version, approved: true })).status).toBe(403);
    expect((await test_app.call(administrator, 'js_config', 'approve', { id, version, approved: true })).body.approval).toBe('approved');
    expect(await running()).toContain(id);
    const { body } = await test_app.call(owner, 'message_list', 'inquire', {});
    expect(body.content[0]?.title).toBe('代码片段“mine”已通过审核');
  });

  test('waits again when what it runs or from where changes, and only then', async () => {
    const { id, version } = await add(owner);
    await test_app.call(administrator, 'js_config', 'approve', { id, version, approved: true });
    for (const input of [
      { name: 'other' },
      { all_codes: true },
      { enabled: true },
      { provider: 'code', code: code.code, origins: code.origins },
    ])
      expect((await update(owner, { id, ...input })).body).toMatchObject({ approval: 'approved', version });
    expect((await update(owner, { id, origins: ['https://evil.example.com'] })).body).toMatchObject({
      approval: 'waiting',
      version: version + 1,
    });
    expect(await running()).not.toContain(id);
    await test_app.call(administrator, 'js_config', 'approve', { id, version: version + 1, approved: true });
    expect((await update(owner, { id, code: 'window.seen = 2;' })).body.approval).toBe('waiting');
  });

  test('is refused with a reason, which its owner reads', async () => {
    const { id, version } = await add(owner);
    expect((await test_app.call(administrator, 'js_config', 'approve', { id, version, approved: false })).body.fields).toEqual({
      reason: 'required',
    });
    await test_app.call(administrator, 'js_config', 'approve', { id, version, approved: false, reason: 'it reads cookies' });
    const { body } = await test_app.call(owner, 'js_config', 'inquire', {});
    expect(body.content[0]).toMatchObject({ approval: 'refused', approval_reason: 'it reads cookies' });
    expect((await test_app.call(owner, 'message_list', 'inquire', {})).body.content[0]?.content).toContain('it reads cookies');
  });

  test('that was changed after it was read is not approved unseen', async () => {
    const { id, version } = await add(owner);
    await update(owner, { id, code: 'steal()' });
    expect(await test_app.call(administrator, 'js_config', 'approve', { id, version, approved: true })).toMatchObject({
      status: 409,
      body: { code: 'js_config.changed' },
    });
    expect(await running()).not.toContain(id);
  });

  test('cannot be smuggled in behind a preset that was approved', async () => {
    const { id } = await add(owner, baidu);
    expect(await running()).toContain(id);
    const { body } = await update(owner, { id, ...code });
    expect(body).toMatchObject({ provider: 'code', provider_id: '', approval: 'waiting' });
    expect((await update(owner, { id, ...baidu, code: 'steal()', origins: ['https://evil.example.com'] })).body).toMatchObject({
      code: '',
      origins: [],
      approval: 'approved',
    });
  });
});

test('presets of known services run at once, an installation of somebody’s own waits', async () => {
  for (const [provider, { example }] of Object.entries(snippetPresets))
    expect([provider, (await add(owner, { provider, provider_id: example })).approval]).toEqual([provider, 'approved']);
  expect((await add(owner, { provider: 'umami', provider_id: `${snippetPresets.umami.example}@evil.example.com` })).approval).toBe(
    'waiting',
  );
});

test('what an administrator makes or changes needs nobody else', async () => {
  expect((await add(administrator)).approval).toBe('approved');
  const { id } = await add(owner);
  expect((await update(administrator, { id, code: 'mended()' })).body.approval).toBe('approved');
});

test('what is no id, no code, no origin or too much is refused at its field', async () => {
  const refused = async (input: object) => {
    const { status, body } = await test_app.send(owner, 'js_config/add', { name: 'x', ...input });
    return [status, body.fields];
  };
  expect(await refused({ provider: 'baidu', provider_id: "'+alert(1)+'" })).toEqual([400, { provider_id: 'invalid_snippet_id' }]);
  expect(await refused({ provider: 'google' })).toEqual([400, { provider_id: 'required' }]);
  expect(await refused({ ...code, code: '  ' })).toEqual([400, { code: 'required' }]);
  expect(await refused({ ...code, code: 'x'.repeat(maxSnippetCharacters + 1) })).toEqual([400, { code: 'too_long' }]);
  for (const origin of [
    'http://a.example.com',
    'https://a.example.com/path',
    "https://a.com 'unsafe-inline'",
    '*',
    'https://*',
    'data:',
    'https://a.com;script-src *',
  ])
    expect(await refused({ ...code, origins: [origin] })).toEqual([400, { 'origins.0': 'invalid_origin' }]);
});

test('so many can be made and no more, however many are made at once', async () => {
  await test_app.db.execute(
    sql`INSERT INTO js_config (owner_id, name, provider) SELECT ${owner.id}, 'x', 'baidu' FROM generate_series(1, ${maxSnippets - 1})`,
  );
  const made = await Promise.all(Array.from({ length: 4 }, () => test_app.send(owner, 'js_config/add', { name: 'x', ...baidu })));
  expect(made.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

describe('a check', () => {
  const check = async (input: object) => (await test_app.send(owner, 'js_config/check', input)).body;

  test('finds what will not run, where, and runs nothing', async () => {
    expect((await check({ ...code, code: 'var a = 1;\nvar b = ;' })).fault).toMatchObject({
      line: 2,
      message: expect.stringContaining('SyntaxError'),
    });
    expect((await check({ ...code, code: 'process.exit(1); while (true) {}; globalThis.seen = 1' })).fault).toBeNull();
    expect((globalThis as { seen?: number }).seen).toBeUndefined();
    expect((await check({ ...code, code: '['.repeat(maxSnippetCharacters) })).fault).not.toBeNull();
    expect((await check({ ...code, code: "document.write('<img>')" })).writes_document).toBe(true);
  });

  test('names places that the code may not reach', async () => {
    const text =
      "load('https://cdn.example.com/a.js'); load('//x.example.net/b'); load('http://plain.example.org'); load('https://deep.a.example.net')";
    const { missing_origins } = await check({ ...code, code: text, origins: ['https://cdn.example.com', 'https://*.a.example.net'] });
    expect(missing_origins).toEqual(['https://x.example.net', 'http://plain.example.org']);
  });

  test('shows the policy that a landing page really gets', () => {
    for (const source of [
      { provider: 'baidu', provider_id: snippetPresets.baidu.example, code: '', origins: [] },
      { provider: 'code', provider_id: '', code: 'a()', origins: ['https://cdn.example.com', 'https://*.example.net'] },
      { provider: 'code', provider_id: '', code: 'a()', origins: [] },
    ]) {
      const made = snippetOf(source);
      const snippets = { scripts: [made?.script ?? ''], origins: made?.origins ?? [] };
      const page = buildPage({ status: 200, language: 'zh-CN', title: '', style: '', body: '', snippets } as never);
      const real = (page.headers['content-security-policy'] ?? '').replace(/'sha256-[^']+'(?= |;|$)/g, "'sha256-…'").split(';');
      for (const directive of policyOf(source)) expect(real).toContain(directive);
    }
  });
});

test('codes count and list the snippets they chose; a removed snippet is no longer chosen and blocks none of them', async () => {
  const { id } = await add(owner, baidu);
  const targets = [{ kind: 'url' as const, content: 'https://example.com/' }];
  const made = await test_app.call(owner, 'qr_code_list', 'add', { name: 'counted', targets, js_config_ids: [id] });
  expect((await test_app.call(owner, 'js_config', 'inquire', {})).body.content[0]?.codes).toBe(1);
  expect((await test_app.call(owner, 'js_config', 'codes', { js_config_id: id })).body.content).toEqual([
    { id: made.body.id, name: 'counted', file_name: made.body.file_name },
  ]);
  expect((await test_app.call(owner, 'js_config', 'options', {})).body.content.map((row) => row.id)).toEqual([id]);
  expect((await test_app.call(owner, 'js_config', 'remove', { ids: [id] })).body.affected).toBe(1);
  expect((await test_app.call(owner, 'qr_code_list', 'update', { id: made.body.id, name: 'still there' })).body).toMatchObject({
    name: 'still there',
    js_config_ids: [],
  });
});

test('a code keeps the order in which its snippets were chosen, through versions too, of which a removed one is left out', async () => {
  const [first, second] = [(await add(owner, baidu)).id, (await add(owner, baidu)).id];
  const targets = [{ kind: 'url' as const, content: 'https://example.com/' }];
  const made = (await test_app.call(owner, 'qr_code_list', 'add', { name: 'ordered', targets, js_config_ids: [second, first, second] }))
    .body;
  expect(made.js_config_ids).toEqual([second, first]);
  const update = async (js_config_ids: number[]) =>
    (await test_app.call(owner, 'qr_code_list', 'update', { id: made.id, js_config_ids })).body;
  expect((await update([first, second])).js_config_ids).toEqual([first, second]);
  expect((await update([])).js_config_ids).toEqual([]);
  const restore = async () => (await test_app.call(owner, 'qr_code_list', 'restore_version', { id: made.id, version: made.version })).body;
  expect((await restore()).code.js_config_ids).toEqual([second, first]);
  await test_app.call(owner, 'js_config', 'remove', { ids: [second] });
  await update([]);
  expect(await restore()).toMatchObject({
    code: { js_config_ids: [first] },
    left_out: [{ field: 'js_config_ids', reason: 'unknown_snippet' }],
  });
});
