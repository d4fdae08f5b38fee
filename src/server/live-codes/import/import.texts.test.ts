import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createImporting, type Importing, planOf } from '../testing/importing.ts';

let test_app: Importing['test_app'];
let owner: Importing['owner'];
let upload: Importing['upload'];
let importAll: Importing['importAll'];
let codeOf: Importing['codeOf'];
let close: Importing['close'];
beforeAll(async () => {
  ({ test_app, owner, upload, importAll, codeOf, close } = await createImporting());
});
afterAll(() => close());

test('texts that look like links without a scheme are told of before the import: they will be shown as texts', async () => {
  const { body } = await upload('name,target_1\nOne,www.example.com/shop?a=1\nTwo,好茶.中国\nThree,Mo-Fr 9.30\nFour,me@example.com\n');
  const checked = await test_app.call(owner, 'code_import', 'check', planOf(body));
  expect(checked.body).toMatchObject({ added: 4, refused: 0 });
  expect(checked.body.notes.map(({ row, column, code }) => [row, column, code])).toEqual([
    [2, 'target_1', 'import_address_as_text'],
    [3, 'target_1', 'import_address_as_text'],
    [4, 'target_1', 'import_text'],
    [5, 'target_1', 'import_text'],
  ]);
  expect(checked.body.preview[2]?.targets).toEqual([{ kind: 'text', content: 'Mo-Fr 9.30' }]);
});

test('a row without a name tells before the import what it will be called', async () => {
  const { body } = await upload('name,target_1\n,https://shop.example.com/a\nTea,https://example.com/\n');
  const checked = await test_app.call(owner, 'code_import', 'check', planOf(body));
  expect(checked.body.notes).toEqual([{ row: 2, column: 'name', code: 'import_named', value: 'shop.example.com' }]);
});

test('a domain of a row is found by its name in its own script too', async () => {
  await test_app.call(owner, 'domain_list', 'add', { host: '*.好茶.中国', type: 1 });
  const { body } = await upload(
    'name,target_1,entry_domain\nA,https://example.com/,*.好茶.中国\nB,https://example.com/,*.xn--5usw48g.xn--fiqs8s',
  );
  expect((await test_app.call(owner, 'code_import', 'check', planOf(body))).body).toMatchObject({ added: 2, faults: [] });
});

test('a domain that is blocked is told of, and comes in only where the caller says so', async () => {
  const { body: blocked } = await test_app.call(owner, 'domain_list', 'add', { host: 'blocked.import.example.com', type: 1 });
  await test_app.db.execute(sql`UPDATE domain SET block_status = 2 WHERE id = ${blocked.id}`);
  const rows = (key: string) => `file_name,name,target_1,entry_domain\n${key},A,https://example.com/,blocked.import.example.com\n`;
  const { body } = await upload(rows('risk-left'));
  const checked = await test_app.call(owner, 'code_import', 'check', planOf(body));
  expect(checked.body).toMatchObject({
    added: 1,
    notes: [{ row: 2, column: 'entry_domain', code: 'risky_domain_blocked' }],
    domains: [{ host: 'blocked.import.example.com', block_status: 2, risk: 'blocked' }],
    usual_entry: { risk: null },
  });
  await importAll(rows('risk-left'));
  expect((await codeOf('risk-left'))?.entry_host).toBe(checked.body.usual_entry?.host);
  await importAll(rows('risk-taken'), { accept_risk: true });
  expect((await codeOf('risk-taken'))?.entry_host).toBe('blocked.import.example.com');
});

describe('texts that the database cannot store', () => {
  const quoted = (targets: object[]) => `"${JSON.stringify(targets).replaceAll('"', '""')}"`;

  test('never come of shortening: a character of two halves at the end is left out whole', async () => {
    const before = (await test_app.call(owner, 'qr_code_list', 'inquire', {})).body.total;
    const header = 'file_name,name,target_1,tags,rotation_mode';
    const named = `emoji-name,,${'n'.repeat(63)}😀 text,,`;
    const tagged = `emoji-tags,x,https://example.com/,${'t'.repeat(194)}😀,`;
    const refused = `emoji-fault,x,https://example.com/,,${'f'.repeat(99)}😀😀`;
    expect(await importAll([header, named, tagged, refused].join('\n'))).toMatchObject({
      state: 'completed',
      message: '新建 2，更新 0，跳过 0，有问题 1',
    });
    expect((await test_app.call(owner, 'qr_code_list', 'inquire', {})).body.total).toBe(before + 2);
    expect((await codeOf('emoji-tags'))?.remark).toBe(`tags ${'t'.repeat(194)}`);
  });

  test.each([
    ['content', { content: 'x\u0000' }],
    ['half a character', { content: 'x\ud800' }],
    ['a name', { content: 'x', name: '\udc00' }],
    ['a rule', { content: 'x', rules: [{ regions: ['\u0000'] }] }],
  ])('are faults of their rows where a target holds them as %s', async (_name, target) => {
    const content = `name,targets\nbad,${quoted([{ kind: 'text', ...target }])}\ngood,${quoted([{ kind: 'text', content: 'two\nlines' }])}`;
    const { body } = await upload(content);
    const checked = await test_app.call(owner, 'code_import', 'check', planOf(body));
    expect(checked.body).toMatchObject({ added: 1, refused: 1, faults: [{ row: 2, column: 'targets', code: 'invalid_characters' }] });
    expect(await importAll(content)).toMatchObject({ state: 'completed', message: '新建 1，更新 0，跳过 0，有问题 1' });
  });

  test('are faults of their fields in calls', async () => {
    const add = async (target: object, name = 'x') =>
      (await test_app.send(owner, 'qr_code_list/add', { name, targets: [{ kind: 'text', content: 'x', ...target }] })).body.fields;
    expect(await add({}, '\ud800')).toEqual({ name: 'invalid_characters' });
    expect(await add({ content: '\ud800' })).toEqual({ 'targets.0.content': 'invalid_characters' });
    expect(await add({ rules: [{ regions: ['\u0000'] }] })).toEqual({ 'targets.0.rules.0.regions.0': 'invalid_characters' });
  });
});

test('a code that is named after its text is named in one line', async () => {
  const targets = JSON.stringify([{ kind: 'text', content: 'first\n\tsecond' }]).replaceAll('"', '""');
  await importAll(`targets,remark\n"${targets}",named in one line`);
  const { body } = await test_app.call(owner, 'qr_code_list', 'inquire', { search: 'named in one line' });
  expect(body.content.map(({ name }) => name)).toEqual(['first second']);
});
