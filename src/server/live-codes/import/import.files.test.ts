import { writeXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostileWorkbook } from '../../../../bench/abuse-files.ts';
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

describe('a file', () => {
  const table = '后缀,名称,子码 1,备注\nspring,春季海报,https://example.com/a,第一批\n';
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  // 后缀,名称 … in GBK, as Excel on a Chinese Windows writes it.
  const gbk = Buffer.concat([
    Buffer.from([0xba, 0xf3, 0xd7, 0xba, 0x2c, 0xc3, 0xfb, 0xb3, 0xc6, 0x2c]),
    Buffer.from('url\nspring,'),
    Buffer.from([0xb4, 0xba, 0xbc, 0xbe]),
    Buffer.from(',https://example.com/a\n'),
  ]);

  test.each([
    ['UTF-8', Buffer.from(table), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${table}`), 'utf-8'],
    ['UTF-16', utf16(table), 'utf-16le'],
    ['semicolons', Buffer.from(table.replaceAll(',', ';')), 'utf-8'],
    ['tabs and old line ends', Buffer.from(table.replaceAll(',', '\t').replaceAll('\n', '\r')), 'utf-8'],
  ])('in %s is understood', async (_name, bytes, encoding) => {
    const { body } = await upload(bytes);
    expect(body).toMatchObject({
      encoding,
      format: 'csv',
      row_number: 1,
      columns: ['file_name', 'name', 'target_1', 'remark'],
      sample: [['spring', '春季海报', 'https://example.com/a', '第一批']],
    });
  });

  test('in GBK is understood', async () => {
    expect((await upload(gbk)).body).toMatchObject({
      encoding: 'gb18030',
      columns: ['file_name', 'name', 'target_1'],
      sample: [['spring', '春季', 'https://example.com/a']],
    });
  });

  test('that is a workbook is read, whatever it is called', async () => {
    const rows = [
      ['Key', 'Name', 'Target 1', 'Target 1 visit limit', 'Expires'],
      ['book1', '=SUM(A1)', 'https://example.com/', 200, new Date('2026-12-31T00:00:00Z')],
    ];
    const { body } = await upload(await writeXlsx({ sheets: [{ name: 's', rows }] }), { name: 'codes.csv' });
    expect(body).toMatchObject({ format: 'xlsx', columns: ['file_name', 'name', 'target_1', 'target_1_threshold', 'expires_at'] });
    expect(body.sample[0]?.slice(0, 4)).toEqual(['book1', '=SUM(A1)', 'https://example.com/', '200']);
  });

  test.each([
    ['empty', '', 'import.empty'],
    ['a header only', 'name,url\n', 'import.empty'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1, ...Array(200).fill(0), 255, 254, 253]), 'import.unreadable'],
    ['a cut workbook', Buffer.from('PK\x03\x04 and nothing more'), 'import.unreadable'],
    ['10,001 rows', `name,url\n${'a,https://example.com/\n'.repeat(10_001)}`, 'import.too_many_rows'],
    ['1,200 columns', `${'a,'.repeat(1200)}\n${'b,'.repeat(1200)}\n`, 'import.too_many_columns'],
    ['300 columns', `${'a,'.repeat(300)}\n${'b,'.repeat(300)}\n`, 'import.too_many_columns'],
  ])('that is %s is refused', async (_name, content, code) => {
    const { status, body } = await upload(content);
    expect([status, body.code]).toEqual([400, code]);
  });

  test('that unpacks to gigabytes is refused before it is unpacked', async () => {
    const book = Buffer.from(await writeXlsx({ sheets: [{ name: 's', rows: [['name'], ['x']] }] }));
    for (let at = book.indexOf('PK\x01\x02'); at >= 0; at = book.indexOf('PK\x01\x02', at + 4)) book.writeUInt32LE(0x7fffffff, at + 24);
    expect((await upload(book)).body.code).toBe('import.too_large');
  });

  test('whose cells share one long text is measured by what they hold together', async () => {
    const rows = Array.from({ length: 1000 }, () => Array.from({ length: 100 }, () => 'x'.repeat(2000)));
    const book = await writeXlsx({ sheets: [{ name: 's', rows }] });
    expect(book.length).toBeLessThan(1_000_000);
    const { status, body } = await upload(book);
    expect([status, body.code]).toEqual([400, 'import.too_much_text']);
  });

  test('whose cells share one long text is refused soon, and one at a time is taken of a user', async () => {
    const book = hostileWorkbook();
    expect(book.length).toBeLessThan(20_000);
    const [greedy, modest] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
    const many = Array.from({ length: 12 }, () => upload(book, { as: greedy }));
    expect((await upload(table, { as: modest })).status).toBe(200);
    const answers = (await Promise.all(many)).map(({ status, body }) => `${status} ${body.code}`);
    // A later one may come when the first is done.
    expect(new Set(answers)).toEqual(new Set(['400 import.too_much_text', '429 busy']));
    expect(answers.filter((answer) => answer === '429 busy').length).toBeGreaterThan(6);
  });

  test('with a tag that no spreadsheet writes is refused before it is read, and who sent it waits for the next', async () => {
    const book = hostileWorkbook({ rows: 3, columns: 2, attribute: 20_000_000 });
    expect(book.length).toBeLessThan(25_000);
    const [greedy, modest] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
    const refused = await upload(book, { as: greedy });
    expect([refused.status, refused.body.code]).toEqual([400, 'import.too_demanding']);
    const next = await upload(table, { as: greedy });
    expect([next.status, next.body.code]).toEqual([429, 'busy']);
    expect((await upload(table, { as: modest })).status).toBe(200);
  });

  test("is another user's business neither to check nor to import", async () => {
    const { body } = await upload(table);
    const other = await test_app.makeUser('customer');
    for (const action of ['check', 'start'] as const)
      expect((await test_app.call(other, 'code_import', action, planOf(body))).status).toBe(404);
    expect((await test_app.send(undefined, 'code_import/check', planOf(body))).status).toBe(401);
  });

  test('is imported once, however often it is asked for', async () => {
    const { body } = await upload('name,url\nonce,https://example.com/once\n');
    const answers = await Promise.all([1, 2, 3].map(() => test_app.call(owner, 'code_import', 'start', planOf(body))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});

describe('exports of other systems', () => {
  test.each([
    [
      'yourls',
      'keyword,url,title,timestamp,ip,clicks\nsale-2024,https://example.com/y,Sale,2024-05-01 10:00:00,127.0.0.1,42\n',
      'sale-2024',
    ],
    [
      'kutt',
      'id,address,banned,created_at,target,description,visit_count\n1,kutt-key,false,2024-05-01T10:00:00Z,https://example.com/y,Sale,42\n',
      'kutt-key',
    ],
    [
      'shlink',
      'createdAt,title,shortUrl,domain,shortCode,longUrl,tags,visits\n2024-05-01T10:00:00Z,Sale,https://s.test/shl-key,,shl-key,https://example.com/y,"a|b",42\n',
      'shl-key',
    ],
    [
      'bitly',
      'Title,Bitlink,Long URL,Tags,Created,Total Clicks\nSale,bit.ly/3bit-Key,https://example.com/y,"a,b",2024-05-01T10:00:00+0000,42\n',
      '3bit-key',
    ],
    [
      'bitly',
      'created_at,id,link,custom_bitlinks,long_url,title,archived,clicks\n2024-05-01,brand.test/api-key,https://brand.test/api-key,[],https://example.com/y,Sale,false,42\n',
      'api-key',
    ],
  ])('of %s are known by their columns', async (source, content, key) => {
    const { body } = await upload(content);
    expect(body.source).toBe(source);
    expect(await importAll(content)).toMatchObject({ state: 'completed' });
    const code = await codeOf(key);
    expect(code).toMatchObject({ name: 'Sale', targets: [{ kind: 'url', content: 'https://example.com/y' }] });
    expect(code?.remark).toMatch(/42/);
    expect(code?.remark).toMatch(/2024-05-01/);
  });

  test('of 引流宝 become a code for each group, with its sub-codes, what is left of their thresholds, and the old counts', async () => {
    const content = [
      '"id","qun_id","qun_title","qun_status","qun_creat_time","qun_pv","qun_beizhu","qun_key","id","qun_id","zm_id","zm_yz","zm_pv","zm_qrcode","zm_leader","zm_status"',
      '"1","100001","读书群","1","2024-05-01 10:00:00","242","第一批","Qk3f","1","100001","1","200","200","https://old.example/upload/a.png","leader-a","1"',
      '"2","100002","停用群","2","2024-05-02 10:00:00","0","NULL","NULL","3","100002","3","200","0","https://old.example/upload/c.png","NULL","1"',
      '"1","100001","读书群","1","2024-05-01 10:00:00","242","第一批","Qk3f","2","100001","2","200","42","https://old.example/upload/b.png","leader-b","2"',
    ].join('\n');
    const { body } = await upload(content);
    expect(body).toMatchObject({ source: 'yinliubao', row_number: 2 });
    const checked = await test_app.call(owner, 'code_import', 'check', planOf(body));
    expect(checked.body).toMatchObject({ added: 2, refused: 0 });
    expect(checked.body.notes.map(({ row, code }) => `${row} ${code}`)).toContain('3 import_picture_address');
    expect(await importAll(content)).toMatchObject({ state: 'completed' });
    const code = await codeOf('qk3f');
    expect(code).toMatchObject({
      name: '读书群',
      rotation_mode: 1,
      remark: '第一批 · 创建时间 2024-05-01 10:00:00, 访问量 242（子码 200、42）',
      targets: [
        { kind: 'url', content: 'https://old.example/upload/a.png', name: 'leader-a', threshold: 0, enabled: true },
        { content: 'https://old.example/upload/b.png', name: 'leader-b', threshold: 158, enabled: false },
      ],
    });
    const { body: found } = await test_app.call(owner, 'qr_code_list', 'inquire', { search: '停用群' });
    expect(found.content).toMatchObject([{ open: false }]);
  });

  test('of 引流宝 keep what its short links lead to by system, and its codes of customer service their chance', async () => {
    const link =
      'dwz_id,dwz_title,dwz_key,dwz_creat_time,dwz_pv,dwz_status,dwz_url,dwz_android_url,dwz_ios_url\n1,应用,apps1,2024-05-01 10:00:00,42,1,https://example.com/app,https://example.com/android,NULL\n';
    expect(await importAll(link)).toMatchObject({ state: 'completed' });
    expect(await codeOf('apps1')).toMatchObject({
      name: '应用',
      targets: [
        { content: 'https://example.com/app', rules: null },
        { content: 'https://example.com/android', rules: [{ systems: ['android'] }] },
      ],
    });
    const service =
      'kf_id,kf_title,kf_status,kf_model,kf_key,kf_pv,zm_yz,zm_pv,zm_qrcode,zm_num\n1,客服,1,2,serv1,3,100,3,https://old.example/wx,wx-a\n';
    expect(await importAll(service)).toMatchObject({ state: 'completed' });
    expect(await codeOf('serv1')).toMatchObject({ rotation_mode: 2, targets: [{ name: 'wx-a', threshold: null }] });
  });

  test('keep their addresses under new keys where theirs are not possible here, and say so', async () => {
    const { body } = await upload(
      'keyword,url,title,timestamp,ip,clicks\na1,https://example.com/1,One,,,\nMiXed1,https://example.com/2,Two,,,\n',
    );
    const checked = await test_app.call(owner, 'code_import', 'check', planOf(body, { odd_keys: 'new_key' }));
    expect(checked.body).toMatchObject({
      added: 2,
      refused: 0,
      notes: [
        { row: 2, column: 'keyword', code: 'import_key_replaced', value: 'a1' },
        { row: 3, column: 'keyword', code: 'import_key_lowered', value: 'MiXed1' },
      ],
    });
    expect((await test_app.call(owner, 'code_import', 'check', planOf(body))).body).toMatchObject({
      added: 1,
      refused: 1,
      faults: [{ row: 2, column: 'keyword', code: 'invalid_file_name', value: 'a1' }],
    });
  });
});
