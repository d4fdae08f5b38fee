import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { qrCodeList } from '../../contract/codes/qr-code-list.ts';
import type { InputOf } from '../../contract/kit/call.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { reservedFileNames } from '../kit/visits/visit-paths.ts';

type AddInput = InputOf<(typeof qrCodeList)['calls']['add']>;

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
});
afterAll(() => test_app.close());

const link = (content = 'https://example.com/') => ({ kind: 'url' as const, content });
const add = (as: TestUser, input: Partial<AddInput> & { request_id?: string } = {}) =>
  test_app.call(as, 'qr_code_list', 'add', { name: 'code', targets: [link()], ...input });
const update = (as: TestUser, input: InputOf<(typeof qrCodeList)['calls']['update']>) => test_app.call(as, 'qr_code_list', 'update', input);
const details = (as: TestUser, id: number) => test_app.call(as, 'qr_code_list', 'details', { id });
const addFile = async (as: TestUser) => {
  const { rows } = await test_app.db.execute<{ id: number; name: string }>(
    sql`INSERT INTO file (owner_id, name, content_type, width, height, size) VALUES (${as.id}, ${`${crypto.randomUUID()}.png`}, 'image/png', 1, 1, 1) RETURNING id, name`,
  );
  return rows[0] ?? { id: 0, name: '' };
};

test('a name and one target suffice: the rest has the defaults of a code that works at once', async () => {
  const { status, body } = await add(owner, { name: '  门店  ' });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    name: '门店',
    owner_id: owner.id,
    owner_account: owner.account,
    open: true,
    open_log: true,
    rotation_mode: 1,
    jump_type: 1,
    access_mode: 1,
    restriction_visit: 1,
    entry_host: 'localhost:3001',
    landing_domain_id: null,
    landing_host: null,
    has_password: false,
    removed: false,
    version: 1,
    view_number: 0,
    target_count: 1,
    remaining: null,
    targets: [{ kind: 'url', content: 'https://example.com/', sort: 1, weight: 1, threshold: null, remaining: null, enabled: true }],
  });
  expect(body.file_name).toMatch(/^[abcdefghjkmnpqrstuvwxyz23456789]{8}$/);
  expect(body.url).toBe(`http://localhost:3001/${body.file_name}`);
  expect(body.qr_image_url).toBe(`http://localhost:3001/qr/${body.file_name}.png`);
  expect(body.share_url).toBe(`/#/share_access?name=${body.file_name}`);
});

test.each([
  ['the host of its link', link('https://www.example.com:8443/spring?x=1'), 'www.example.com'],
  ['its host in its own script', link('http://\u4f8b\u5b50.\u4e2d\u56fd/'), '\u4f8b\u5b50.\u4e2d\u56fd'],
  ['an address without a host', link('tel:10086'), 'tel:10086'],
  ['the first words of its text', { kind: 'text' as const, content: ` Table\t7\n${'word '.repeat(40)}` }, 'Table 7 word word word w'],
])('a code without a name is called after %s', async (_, target, name) => {
  for (const unnamed of [{}, { name: ' ' }]) {
    const { status, body } = await test_app.call(owner, 'qr_code_list', 'add', { ...unnamed, targets: [target, link()] });
    expect([status, body.name]).toEqual([200, name]);
  }
});

test('a code of a picture is called after the picture, or by its key where that has no title', async () => {
  const picture = await addFile(owner);
  const code = (input = {}) =>
    test_app.call(owner, 'qr_code_list', 'add', { targets: [{ kind: 'picture', content: String(picture.id) }], ...input });
  const unnamed = (await code({ file_name: 'unnamed' })).body;
  expect(unnamed.name).toContain('unnamed');
  const { content } = (await test_app.call(owner, 'qr_code_list', 'versions', { id: unnamed.id })).body;
  expect([content.length, content[0]?.action]).toEqual([1, 'created']);
  await test_app.db.execute(sql`UPDATE file SET title = 'Tea group 3.png' WHERE id = ${picture.id}`);
  expect((await code()).body.name).toBe('Tea group 3');
});

test('a file name is taken once, whoever asks at the same moment; a removed code keeps it', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => add(index % 2 ? owner : stranger, { file_name: index % 3 ? 'shop-7' : ' SHOP-7' })),
  );
  const [winner] = answers.filter(({ status }) => status === 200);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { body } of answers.filter(({ status }) => status !== 200)) expect(body.fields).toEqual({ file_name: 'taken' });
  const by = winner?.body.owner_id === owner.id ? owner : stranger;
  await test_app.call(by, 'qr_code_list', 'update_remove', { ids: [winner?.body.id ?? 0], removed: true });
  expect((await add(owner, { file_name: 'shop-7' })).body.fields).toEqual({ file_name: 'taken' });
  const other = (await add(owner)).body;
  expect((await update(owner, { id: other.id, file_name: 'shop-7' })).body.fields).toEqual({ file_name: 'taken' });
  expect((await details(owner, other.id)).body.version).toBe(1);
});

test.each(['abc', 'a'.repeat(33), 'with space', 'ünder', 'a/b/c', '../..', 'a.bc', '%00%00'])('%j is no file name', async (file_name) => {
  expect((await add(owner, { file_name })).body.fields).toEqual({ file_name: 'invalid_file_name' });
});

test('paths that the visit port answers itself are no file names', async () => {
  for (const file_name of reservedFileNames) expect((await add(owner, { file_name })).body.fields).toEqual({ file_name: 'reserved' });
});

test.each([
  ['javascript:alert(1)', 'invalid_scheme'],
  ['JaVaScRiPt://example.com/%0aalert(1)', 'invalid_scheme'],
  ['data:text/html,<script>alert(1)</script>', 'invalid_scheme'],
  ['file:///etc/passwd', 'invalid_scheme'],
  ['vbscript:x', 'invalid_scheme'],
  ['https:example.com', 'invalid_url'],
  ['https:\\\\example.com', 'invalid_url'],
  ['https://', 'invalid_url'],
  ['https:///path', 'invalid_url'],
  ['//example.com', 'invalid_url'],
  ['example.com', 'invalid_url'],
  ['https://exa mple.com', 'invalid_url'],
  ['https://example.com/\r\nSet-Cookie: a=1', 'invalid_url'],
  [' ', 'required'],
  [`https://example.com/${'a'.repeat(4096)}`, 'too_long'],
])('no visitor is sent to %j', async (content, code) => {
  expect((await add(owner, { targets: [link(), link(content)] })).body.fields).toEqual({ 'targets.1.content': code });
  if (code === 'invalid_scheme') expect((await add(owner, { fallback_url: content })).body.fields).toEqual({ fallback_url: code });
});

test.each(['http://例子.中国/路径?q=1#x', 'HTTPS://EXAMPLE.COM', 'weixin://dl/business/?t=abc', 'tel:10086', 'mailto:a@example.com'])(
  'visitors may be sent to %s',
  async (content) => {
    const { status, body } = await add(owner, { targets: [link(content)], fallback_url: content });
    expect([status, body.targets[0]?.content, body.fallback_url]).toEqual([200, content, content]);
  },
);

test('a picture is one that the owner uploaded; an administrator may use any, and the owner can still save the form', async () => {
  const own = await addFile(owner);
  const foreign = await addFile(stranger);
  const picture = (id: number | string) => ({ kind: 'picture' as const, content: String(id) });
  for (const content of [foreign.id, 987_654_321, 'x', '-1', '1e3', '9'.repeat(40), `${own.id}.0`])
    expect((await add(owner, { targets: [picture(content)] })).body.fields).toEqual({ 'targets.0.content': 'unknown_file' });
  const { body } = await add(owner, { targets: [picture(own.id), { kind: 'text', content: ' 你好\n<b>' }] });
  expect(body.targets).toMatchObject([{ picture_url: `/file/${own.name}` }, { picture_url: null, content: ' 你好\n<b>' }]);

  const targets = [{ id: body.targets[0]?.id, ...picture(foreign.id) }];
  expect((await update(owner, { id: body.id, targets })).body.fields).toEqual({ 'targets.0.content': 'unknown_file' });
  expect((await update(administrator, { id: body.id, targets })).status).toBe(200);
  expect((await update(owner, { id: body.id, targets, name: 'kept' })).body).toMatchObject({
    name: 'kept',
    targets: [{ id: targets[0]?.id }],
  });
});

test('two changes of one version: the first is kept, the second is told', async () => {
  const { id, version } = (await add(owner)).body;
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      update(owner, { id, version, name: `by ${index}`, targets: [link(`https://example.com/${index}`)] }),
    ),
  );
  const [first] = answers.filter(({ status }) => status === 200);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of answers.filter((answer) => answer !== first))
    expect([status, body.code]).toEqual([409, 'live_code.changed_meanwhile']);
  const now = (await details(owner, id)).body;
  expect([now.version, now.name, now.targets.length]).toEqual([version + 1, first?.body.name, 1]);
  expect((await update(owner, { id, name: 'without a version' })).body.version).toBe(version + 2);
});

test('targets are replaced: those named keep their ids, the order of the list is the sort, the larger first, the rest goes', async () => {
  const { id, targets } = (await add(owner, { targets: [link('https://a.com'), link('https://b.com'), link('https://c.com')] })).body;
  const [a, b, c] = targets;
  const { body } = await update(owner, {
    id,
    targets: [{ ...link('https://c.com'), id: c?.id, weight: 7 }, link('https://d.com'), { ...link('https://a2.com'), id: a?.id }],
  });
  expect(body.targets.map((target) => [target.content, target.sort, target.weight])).toEqual([
    ['https://c.com', 3, 7],
    ['https://d.com', 2, 1],
    ['https://a2.com', 1, 1],
  ]);
  expect([body.targets[0]?.id, body.targets[2]?.id]).toEqual([c?.id, a?.id]);
  const gone = await update(owner, { id, targets: [{ ...link(), id: b?.id }] });
  expect(gone.body.fields).toEqual({ 'targets.0.id': 'unknown_target' });
});

test("another code's target, a target named twice and a list of none are refused, and nothing is half done", async () => {
  const mine = (await add(owner)).body;
  const other = (await add(stranger)).body;
  const own = mine.targets[0]?.id;
  const stolen = await update(owner, {
    id: mine.id,
    name: 'half',
    targets: [link(), { ...link('https://evil.com'), id: other.targets[0]?.id }],
  });
  expect(stolen.body.fields).toEqual({ 'targets.1.id': 'unknown_target' });
  const twice = await update(owner, {
    id: mine.id,
    targets: [
      { ...link(), id: own },
      { ...link(), id: own },
    ],
  });
  expect(twice.body.fields).toEqual({ 'targets.1.id': 'repeated' });
  expect((await update(owner, { id: mine.id, targets: [] })).body.fields).toEqual({ targets: 'required' });
  expect((await update(owner, { id: mine.id, targets: Array.from({ length: 101 }, () => link()) })).status).toBe(400);
  expect((await details(owner, mine.id)).body).toMatchObject({ name: 'code', version: 1, targets: [{ id: own }] });
  expect((await details(stranger, other.id)).body.targets).toMatchObject([{ content: 'https://example.com/' }]);
});

test("a stranger's code is 404 to every call that names it; an agent sees his customer's, and changes it as little", async () => {
  const { id, targets } = (await add(owner, { name: 'private' })).body;
  const target_id = targets[0]?.id ?? 0;
  expect((await details(stranger, id)).status).toBe(404);
  expect((await details(agent, id)).body.name).toBe('private');
  for (const other of [stranger, agent]) {
    for (const answer of [
      await update(other, { id, name: 'hijacked' }),
      await test_app.call(other, 'qr_code_list', 'update_url', { id, target_id, content: 'https://evil.com' }),
      await test_app.call(other, 'qr_code_list', 'refill', { id }),
      await test_app.send(other, 'qr_code_list/remove', { id, name: 'private' }),
    ])
      expect([403, 404]).toContain(answer.status);
  }
  expect((await details(owner, id)).body).toMatchObject({ name: 'private', version: 1, targets: [{ content: 'https://example.com/' }] });
  expect((await update(administrator, { id, name: 'by the administrator' })).body.owner_id).toBe(owner.id);
});

test('where one target leads is changed alone', async () => {
  const { id, targets } = (await add(owner, { targets: [link(), { kind: 'text', content: 'text' }] })).body;
  const [first, second] = targets;
  const change = (target_id: number, content: string) => test_app.call(owner, 'qr_code_list', 'update_url', { id, target_id, content });
  expect((await change(first?.id ?? 0, ' https://new.com ')).body).toMatchObject({
    version: 2,
    targets: [{ content: 'https://new.com' }, {}],
  });
  expect((await change(second?.id ?? 0, 'javascript:alert(1)')).body.targets[1]?.content).toBe('javascript:alert(1)');
  expect((await change(first?.id ?? 0, 'javascript:alert(1)')).body.fields).toEqual({ content: 'invalid_scheme' });
  const foreign = (await add(stranger)).body.targets[0]?.id ?? 0;
  expect((await change(foreign, 'https://evil.com')).status).toBe(404);
});

test('a removed code takes no change until it is restored, and goes for ever only under its name', async () => {
  const { id } = (await add(owner, { name: 'to remove' })).body;
  const remove = (name: string) => test_app.call(owner, 'qr_code_list', 'remove', { id, name });
  expect((await remove('to remove')).body.code).toBe('live_code.not_removed');
  await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [id], removed: true });
  expect((await update(owner, { id, name: 'x' })).body.code).toBe('live_code.removed');
  expect((await remove('to remov')).body.fields).toEqual({ name: 'does_not_match' });
  const removedList = await test_app.call(owner, 'qr_code_list', 'qr_code_remove', { search: 'to remove' });
  expect(removedList.body.content).toMatchObject([{ id, removed: true, removed_at: expect.stringMatching(/Z$/) }]);
  expect((await test_app.call(owner, 'qr_code_list', 'inquire', { search: 'to remove' })).body.total).toBe(0);

  await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [id], removed: false });
  expect((await update(owner, { id, name: 'restored' })).body).toMatchObject({ removed: false, removed_at: null });
  await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [id], removed: true });
  await test_app.db.execute(sql`INSERT INTO live_code_total (live_code_id, visits, ips) VALUES (${id}, 3, 1)`);
  expect((await remove('restored')).body).toEqual({ affected: 1 });
  expect((await details(owner, id)).status).toBe(404);
  const { rows } = await test_app.db.execute(
    sql`SELECT 1 FROM live_code_target WHERE live_code_id = ${id} UNION ALL SELECT 1 FROM live_code_total WHERE live_code_id = ${id}`,
  );
  expect(rows).toEqual([]);
});

test('a repeated request changes nothing and gets the first answer', async () => {
  const request_id = crypto.randomUUID();
  const first = await add(owner, { name: 'repeated', request_id });
  const again = await Promise.all([1, 2, 3].map(() => add(owner, { name: 'repeated', request_id })));
  for (const { body } of again) expect(body).toEqual(first.body);
  const change = { id: first.body.id, version: 1, name: 'changed', request_id: crypto.randomUUID() };
  const answers = [await update(owner, change), await update(owner, change)];
  expect(answers.map(({ status, body }) => [status, body.version])).toEqual([
    [200, 2],
    [200, 2],
  ]);
});

test('the audit row of a change holds what changed and nothing secret', async () => {
  const { id } = (await add(owner, { password: 'first-secret' })).body;
  await update(owner, {
    id,
    name: 'audited',
    password: 'next-secret',
    qr_design: { logo: 'x'.repeat(1000) },
    targets: [link('https://new.com')],
  });
  const { rows } = await test_app.db.execute<{ content: object; changes: { before: object; after: object } }>(
    sql`SELECT content, changes FROM log WHERE type = 'qr_code_list/update' AND user_id = ${owner.id} ORDER BY id DESC LIMIT 1`,
  );
  expect(Object.keys(rows[0]?.changes.after ?? {}).sort()).toEqual(['name', 'qr_design', 'targets']);
  expect(rows[0]?.changes).toMatchObject({ before: { name: 'code', qr_design: null }, after: { name: 'audited' } });
  expect(JSON.stringify(rows[0])).not.toMatch(/secret/);
});

test('a design of free form is bounded in size and depth, and holds nothing that cannot be stored', async () => {
  const nested = (depth: number) =>
    `{"name":"deep","targets":[{"kind":"text","content":"x"}],"qr_design":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
  expect((await test_app.send(owner, 'qr_code_list/add', nested(20))).body.fields).toEqual({ qr_design: 'too_deep' });
  expect(await test_app.send(owner, 'qr_code_list/add', nested(200_000))).toMatchObject({ status: 413, body: { code: 'too_large' } });
  expect((await add(owner, { qr_design: { logo: 'x'.repeat(300_001) } })).body.fields).toEqual({ qr_design: 'too_large' });
  for (const design of [{ a: '\u0000' }, { a: ['\ud800'] }, { '\u0000': 1 }])
    expect((await add(owner, { qr_design: design })).body.fields).toEqual({ qr_design: 'invalid_characters' });
  const design = { frame: { text: '扫一扫 😀 \\u0000' }, sizes: [1, 2.5, null, true] };
  expect((await add(owner, { qr_design: design })).body.qr_design).toEqual(design);
});

test('odd values in targets, days and times are told as wrong or taken as they are, never an internal error', async () => {
  const odd = [
    null,
    true,
    -1,
    0,
    1.5,
    1e308,
    2_147_483_648,
    '',
    '\u0000',
    '\ud800',
    'x'.repeat(100_000),
    [],
    [[]],
    {},
    '0000-01-01',
    '9999-12-31',
  ];
  const times = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00+99:99'];
  const { id, targets } = (await add(owner)).body;
  const wholeTarget = { id: targets[0]?.id, ...link(), name: '', weight: 1, threshold: 1, refill_hour: 1, enabled: true, expires_at: null };
  const send = async (path: string, body: object) => {
    const answer = await test_app.send(owner, `qr_code_list/${path}`, body);
    expect([200, 400, 413], JSON.stringify(body).slice(0, 200)).toContain(answer.status);
    if (answer.status !== 200) expect(answer.body.code).toBe(answer.status === 400 ? 'input.invalid' : 'too_large');
  };
  for (const value of [...odd, ...times]) {
    for (const key of Object.keys(wholeTarget)) await send('update', { id, targets: [{ ...wholeTarget, [key]: value }] });
    for (const key of ['created_from', 'created_to']) await send('inquire', { [key]: value });
    for (const path of ['statistics', 'get_ip']) for (const key of ['from', 'to']) await send(path, { id, [key]: value });
    await send('update', { id, expires_at: value });
    await send('batch_update', { ids: [id], changes: { expires_at: value } });
  }
});

test('every change is told to the processes that answer visits', async () => {
  const { id, file_name } = (await add(owner)).body;
  const told = async () =>
    (await test_app.db.execute<{ key: string }>(sql`DELETE FROM visit_change WHERE kind = 'code' RETURNING key`)).rows.map(
      ({ key }) => key,
    );
  await told();
  await update(owner, { id, name: 'x' });
  expect(await told()).toContain(file_name);
  await update(owner, { id, file_name: `${file_name}-2` });
  expect(await told()).toEqual(expect.arrayContaining([file_name, `${file_name}-2`]));
  await test_app.call(owner, 'qr_code_list', 'oepn_all_status', { open: false });
  const { rows } = await test_app.db.execute(
    sql`SELECT all_codes_open FROM user_account WHERE id IN (${owner.id}, ${stranger.id}) ORDER BY id`,
  );
  expect(rows).toEqual([{ all_codes_open: false }, { all_codes_open: true }]);
});
