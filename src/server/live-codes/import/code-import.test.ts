import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../kit/testing/eventually.ts';
import { createImporting, type Importing, planOf } from '../testing/importing.ts';

let test_app: Importing['test_app'];
let owner: Importing['owner'];
let upload: Importing['upload'];
let ended: Importing['ended'];
let download: Importing['download'];
let importAll: Importing['importAll'];
let codeOf: Importing['codeOf'];
let close: Importing['close'];
beforeAll(async () => {
  ({ test_app, owner, upload, ended, download, importAll, codeOf, close } = await createImporting());
});
afterAll(() => close());

test('a row with a key that a code answers under beside its own is taken, also of the own codes', async () => {
  await importAll('file_name,name,target_1\nwith-alias,A,https://example.com/a\n');
  const id = (await codeOf('with-alias'))?.id ?? 0;
  await test_app.call(owner, 'qr_code_list', 'add_alias', { id, key: 'its-alias' });
  const { body } = await upload('file_name,name,target_1\nits-alias,B,https://example.com/b\n');
  const checked = await test_app.call(owner, 'code_import', 'check', planOf(body, { existing: 'update' }));
  expect(checked.body).toMatchObject({ added: 0, updated: 0, refused: 1, faults: [{ row: 2, column: 'file_name', code: 'taken' }] });
});

test('a dry run tells each fault by row and column, changes nothing, and the operation leaves just those rows out', async () => {
  const header = 'file_name,name,target_1,target_1_threshold,entry_domain,open,rotation_mode,expires_at,fallback_url,group';
  const lines = [
    'good-1,Good,https://example.com/1,100,localhost:3001,是,随机,2026-12-31 12:00,https://example.com/f,门店',
    'good-2,,https://example.com/2,,,no,3,,,门店',
    'bad-1,Bad,javascript:alert(1),,,,,,,',
    'bad-2,Bad,https://example.com/,many,,,,,,',
    `bad-3,${'长'.repeat(65)},https://example.com/,,nobody.example.com,,,,,`,
    'bad-4,Bad,https://example.com/,,,perhaps,sideways,31/12/2026,not a link,',
    'X,Bad,https://example.com/,,,,,,,',
    'good-1,Twice,https://example.com/,,,,,,,',
    ',,,,,,,,,only a group',
  ];
  const content = [header, ...lines].join('\n');
  const { body } = await upload(content);
  const { body: checked } = await test_app.call(owner, 'code_import', 'check', planOf(body));
  const found = checked.faults.map(({ row, column, code }) => [row, column, code]);
  expect(found).toEqual([
    [4, 'target_1', 'invalid_scheme'],
    [5, 'target_1_threshold', 'invalid_type'],
    [6, 'name', 'too_long'],
    [6, 'entry_domain', 'unknown_domain'],
    [7, 'fallback_url', 'invalid_url'],
    [7, 'rotation_mode', 'invalid_choice'],
    [7, 'open', 'invalid_choice'],
    [7, 'expires_at', 'invalid_format'],
    [8, 'file_name', 'invalid_file_name'],
    [9, 'file_name', 'repeated'],
    [10, 'target_1', 'required'],
  ]);
  expect(checked).toMatchObject({ added: 2, refused: 7, new_groups: ['门店'] });
  expect(await codeOf('good-1')).toBeUndefined();

  const operation = await importAll(content);
  expect(operation).toMatchObject({ state: 'completed', message: '新建 2，更新 0，跳过 0，有问题 7' });
  const errors = await download(operation?.id ?? 0);
  expect(errors.split('\r\n')).toHaveLength(9);
  expect(errors).toContain('不允许使用此类链接');
  expect(errors).toContain('最多 64 个字符');
  const good = await codeOf('good-1');
  expect(good).toMatchObject({
    name: 'Good',
    rotation_mode: 2,
    open: true,
    expires_at: '2026-12-31T04:00:00.000Z',
    entry_host: 'localhost:3001',
    group: { name: '门店' },
    targets: [{ content: 'https://example.com/1', threshold: 100, remaining: 100 }],
  });
  expect(await codeOf('good-2')).toMatchObject({ name: 'good-2', open: false, rotation_mode: 3 });
});

test('a row that is refused leaves its key to a later one, however far below that stands', async () => {
  const others = Array.from({ length: 600 }, (_, n) => `between-${n},x,https://example.com/`);
  const lines = ['free-key,Bad,javascript:alert(1)', ...others, 'free-key,Good,https://example.com/good'];
  const content = ['file_name,name,target_1', ...lines].join('\n');
  const { body } = await upload(content);
  expect((await test_app.call(owner, 'code_import', 'check', planOf(body))).body).toMatchObject({ added: 601, refused: 1 });
  expect(await importAll(content)).toMatchObject({ message: '新建 601，更新 0，跳过 0，有问题 1' });
  expect((await codeOf('free-key'))?.name).toBe('Good');
});

describe('keys that exist', () => {
  const table = (name: string, url: string) => `file_name,name,target_1\nexists-1,${name},${url}\nexists-2,${name},${url}\n`;

  test('are skipped, updated where they are own, or given new keys', async () => {
    await importAll(table('first', 'https://example.com/first'));
    const before = await codeOf('exists-1');
    expect(await importAll(table('second', 'https://example.com/second'))).toMatchObject({ message: '新建 0，更新 0，跳过 2，有问题 0' });
    expect(await codeOf('exists-1')).toMatchObject({ name: 'first', version: before?.version });
    const updated = await importAll(table('third', 'https://example.com/first'), { existing: 'update' });
    expect(updated).toMatchObject({ message: '新建 0，更新 2，跳过 0，有问题 0' });
    const after = await codeOf('exists-1');
    expect(after).toMatchObject({ id: before?.id, name: 'third', version: (before?.version ?? 0) + 1 });
    expect(after?.targets[0]?.id).toBe(before?.targets[0]?.id);
    expect(await importAll(table('fourth', 'https://example.com/first'), { existing: 'new_key' })).toMatchObject({
      message: '新建 2，更新 0，跳过 0，有问题 0',
    });
  });

  test("of another user are never written, nor told apart from one's own in the bin", async () => {
    const stranger = await test_app.makeUser('customer');
    await importAll(table('mine', 'https://example.com/mine'));
    const operation = await importAll(table('stolen', 'https://example.com/stolen'), { existing: 'update' }, stranger);
    expect(operation).toMatchObject({ message: '新建 0，更新 0，跳过 0，有问题 2' });
    expect((await codeOf('exists-1'))?.name).not.toBe('stolen');
  });
});

test('what is exported is imported again as it was', async () => {
  const user = await test_app.makeUser('customer');
  const made = await test_app.call(user, 'qr_code_list', 'add', {
    file_name: 'round-trip',
    name: '=1+1 "quoted", 门店',
    remark: '-dangerous',
    rotation_mode: 2,
    access_mode: 2,
    open: false,
    open_log: false,
    fallback_url: 'https://example.com/full',
    page_title: '@title',
    page_text: 'two\nlines',
    page_style: 'brand',
    expires_at: '2027-01-01T00:00:00.000Z',
    targets: [
      { kind: 'url', content: 'https://example.com/1', name: '一群', weight: 3, threshold: 200, refill_hour: 4 },
      { kind: 'text', content: '=HYPERLINK("x")\nsecond line', enabled: false },
    ],
  });
  await test_app.call(user, 'qr_code_list', 'add', {
    file_name: 'plain-trip',
    name: 'plain',
    targets: [{ kind: 'url', content: 'https://example.com/p' }],
  });
  for (const format of ['csv', 'xlsx'] as const) {
    const started = await test_app.call(user, 'qr_code_list', 'export', { format });
    const operation = await ended(started.body.operation_id, user);
    expect(operation).toMatchObject({ state: 'completed', done: 2 });
    const { body: link } = await test_app.call(user, 'async_operations', 'link', { id: started.body.operation_id });
    const file = (await test_app.app.inject({ url: link.url })).rawPayload;
    const taker = await test_app.makeUser('customer');
    await test_app.db.execute(sql`UPDATE live_code SET file_name = 'was-' || id WHERE file_name IN ('round-trip', 'plain-trip')`);
    expect((await upload(file, { as: taker })).body).toMatchObject({ source: 'livecode', row_number: 2 });
    expect(await importAll(file, {}, taker)).toMatchObject({ message: '新建 2，更新 0，跳过 0，有问题 0' });
    const again = await codeOf('round-trip', taker);
    const facts = ({ id, file_id, view_number, ...target }: Record<string, unknown>) => target;
    const same = [
      'name',
      'remark',
      'rotation_mode',
      'access_mode',
      'open',
      'open_log',
      'fallback_url',
      'page_title',
      'page_text',
      'page_style',
      'expires_at',
    ] as const;
    expect(Object.fromEntries(same.map((key) => [key, again?.[key]]))).toEqual(
      Object.fromEntries(same.map((key) => [key, made.body[key]])),
    );
    expect(again?.targets.map(facts)).toEqual(made.body.targets.map(facts));
    await test_app.db.execute(sql`DELETE FROM live_code WHERE owner_id = ${taker.id}`);
    await test_app.db.execute(
      sql`UPDATE live_code SET file_name = CASE name WHEN 'plain' THEN 'plain-trip' ELSE 'round-trip' END WHERE owner_id = ${user.id}`,
    );
  }
});

test("an export of another user's codes by their ids has none of them", async () => {
  const [user, stranger] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
  const { body: code } = await test_app.call(user, 'qr_code_list', 'add', {
    name: 'private',
    targets: [{ kind: 'text', content: 'secret' }],
  });
  const started = await test_app.call(stranger, 'qr_code_list', 'export', { ids: [code.id], format: 'csv' });
  expect(await ended(started.body.operation_id, stranger)).toMatchObject({ state: 'completed', done: 0 });
  expect(await download(started.body.operation_id, stranger)).not.toContain('secret');
});

test('10,000 rows are imported once each, with progress', { tags: 'full' }, async () => {
  const user = await test_app.makeUser('customer');
  const rows = Array.from(
    { length: 10_000 },
    (_, n) => `bulk-${n},海报 ${n},https://example.com/${n},${n % 3 === 0 ? 100 : ''},组 ${n % 20}`,
  );
  const operation = await importAll(`file_name,name,target_1,target_1_threshold,group\n${rows.join('\n')}\n`, {}, user);
  expect(operation).toMatchObject({ state: 'completed', done: 10_000, total: 10_000, message: '新建 10000，更新 0，跳过 0，有问题 0' });
  const { rows: counted } = await test_app.db.execute(sql`
    SELECT count(*)::int AS codes, count(quota.target_id)::int AS quotas, count(DISTINCT group_id)::int AS groups, count(version.live_code_id)::int AS versions
    FROM live_code AS code JOIN live_code_target AS target ON target.live_code_id = code.id LEFT JOIN target_quota AS quota ON quota.target_id = target.id
    LEFT JOIN live_code_version AS version ON version.live_code_id = code.id WHERE code.owner_id = ${user.id}`);
  expect(counted[0]).toEqual({ codes: 10_000, quotas: 3334, groups: 20, versions: 10_000 });
});

test('an import that is cancelled keeps what came in and says so; one that was broken off goes on where it stopped', async () => {
  const user = await test_app.makeUser('customer');
  const { body } = await upload(`name,url\n${'x,https://example.com/\n'.repeat(3000)}`, { as: user });
  const started = await test_app.call(user, 'code_import', 'start', planOf(body));
  await eventually(async () => {
    const { rows } = await test_app.db.execute<{ done: number }>(sql`SELECT done FROM import_file WHERE id = ${body.id}::uuid`);
    expect(rows[0]?.done).toBeGreaterThan(0);
  });
  // It goes no further until its worker has heard of the end.
  const holder = await test_app.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM import_file WHERE id = $1 FOR UPDATE', [body.id]);
  await test_app.call(user, 'async_operations', 'cancel', { id: started.body.operation_id });
  const heartbeat = async () =>
    (await holder.query<{ moment: Date }>('SELECT heartbeat_at AS moment FROM async_operation WHERE id = $1', [started.body.operation_id]))
      .rows[0]?.moment;
  const before = (await heartbeat())?.getTime() ?? 0;
  await eventually(async () => expect((await heartbeat())?.getTime()).toBeGreaterThan(before));
  await holder.query('ROLLBACK');
  holder.release();
  const cancelled = await ended(started.body.operation_id, user);
  const count = async () => (await test_app.call(user, 'qr_code_list', 'inquire', {})).body.total;
  const kept = await count();
  expect(kept).toBeLessThan(3000);
  expect(cancelled).toMatchObject({ state: 'cancelled', message: `已取消；此前导入的保留：新建 ${kept}，更新 0，跳过 0，有问题 0` });
  await test_app.call(user, 'async_operations', 'retry', { id: started.body.operation_id });
  await ended(started.body.operation_id, user);
  expect(await count()).toBe(3000);
});
