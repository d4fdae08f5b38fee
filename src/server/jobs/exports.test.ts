import { rmSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AsyncOperation } from '../../contract/system/async-operations.ts';
import { startOperation } from '../kit/jobs/operations.ts';
import { transact } from '../kit/postgres/database.ts';
import type { Cell } from '../kit/rows/exports.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { startOnBus } from '../kit/testing/on-bus.ts';
import { startOperations } from './operations.runner.ts';
import { safeText, writeTable } from './tabular.ts';
import { testKinds } from './testing/kinds.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'livecode-tables-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hostile = [
  ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠1', `=cmd|' /C calc'!A0`],
  ...[
    'plain',
    ' =spaced',
    'a,b',
    'say "hi"',
    'two\nlines',
    '',
    '中文 🀄',
    'x\u0000y\u0007z',
    'half \ud800 pair',
    '<&>]]>',
    '_x000D_',
    '_x003D_1+1',
  ],
];

async function write(format: 'csv' | 'xlsx', rows: Cell[][], headings = ['a', 'b']): Promise<string> {
  const path = join(folder, `table.${format}`);
  async function* portions() {
    for (let start = 0; start < rows.length; start += 3) yield rows.slice(start, start + 3);
  }
  await writeTable(path, format, { title: '日志 [1/2]', headings, portions: portions(), signal: new AbortController().signal });
  return path;
}
/** A reader of RFC 4180 for what our writer makes. */
const parseCsv = (text: string): string[][] =>
  [...text.slice(1).matchAll(/((?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,(?:"(?:[^"]|"")*"|[^",\r\n]*))*)\r\n/g)].map(([, line = '']) =>
    [...`${line},`.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*),/g)].map(([, field = '']) =>
      field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field,
    ),
  );

describe('a cell', () => {
  test.each(hostile)('%j is never a formula, and nothing else is changed that a file can hold', (text) => {
    const safe = safeText(text);
    expect(safe).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must be gone.
    expect(safe).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
    expect(safe.isWellFormed()).toBe(true);
    if (/^[\w 中"<]/.test(text) && text.isWellFormed() && !text.includes('\u0000')) expect(safe).toBe(text);
  });

  test('a CSV file gives back every text, number and gap', async () => {
    const rows: Cell[][] = hostile.map((text, index) => [text, index - 5]);
    const text = await readFile(await write('csv', [...rows, [null, true]]), 'utf8');
    expect(text.startsWith('\ufeff')).toBe(true);
    const parsed = parseCsv(text);
    expect(parsed).toEqual([['a', 'b'], ...rows.map(([cell, number]) => [safeText(String(cell)), String(number)]), ['', 'true']]);
  });

  test('an XLSX file holds the same as texts, and numbers stay numbers', async () => {
    const rows: Cell[][] = hostile.map((text, index) => [text, index - 5]);
    const path = await write('xlsx', [...rows, ['x'.repeat(40_000), Number.NaN], [null, false]]);
    const [sheet] = (await readXlsx(await readFile(path))).sheets;
    expect(sheet?.name).toBe('日志  1 2 ');
    const cells = sheet?.rows ?? [];
    expect(cells.slice(1, 1 + rows.length).map((row) => [row[0] ?? '', row[1]])).toEqual(
      rows.map(([cell, number]) => [safeText(String(cell)), number]),
    );
    expect(String(cells[1 + rows.length]?.[0])).toHaveLength(32_767);
    expect(cells.at(-1)?.[1]).toBe(false);
    expect(JSON.stringify(sheet)).not.toMatch(/"formula"/);
  });

  test('an empty list is a file with its headings', async () => {
    expect(await readFile(await write('csv', []), 'utf8')).toBe('\ufeffa,b\r\n');
    expect((await readXlsx(await readFile(await write('xlsx', [])))).sheets[0]?.rows).toEqual([['a', 'b']]);
  });

  test('a file that is there already is never written over, and one that is broken off says so', async () => {
    await writeFile(join(folder, 'table.csv'), 'somebody else');
    await expect(write('csv', [])).rejects.toThrow(/EEXIST/);
    const controller = new AbortController();
    async function* portions() {
      for (let index = 0; ; index += 1) {
        if (index === 3) controller.abort(new Error('enough'));
        yield [[index]];
      }
    }
    const table = { title: 'x', headings: ['a'], portions: portions(), signal: controller.signal };
    for (const format of ['csv', 'xlsx'] as const)
      await expect(writeTable(join(folder, `broken.${format}`), format, table)).rejects.toThrow();
  });
});

describe('an export of a list', () => {
  let test_app: TestApp;
  let administrator: TestUser;
  let worker: { stop: () => Promise<void> };
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  beforeAll(async () => {
    test_app = await createTestApp();
    administrator = await test_app.makeUser('administrator');
    const { pool, url, dataDir } = test_app;
    worker = startOnBus(url, (bus) => startOperations({ pool, bus, dataDir, kinds: testKinds, log }));
  });
  afterAll(async () => {
    await worker.stop();
    await test_app.close();
  });

  async function exported(input: object, by = administrator): Promise<{ row: AsyncOperation | undefined; body: Buffer }> {
    const id = await transact(test_app.db, (tx) =>
      startOperation(tx, { kind: 'numbers_export', input, actor: { user_id: by.id, impersonator: null }, language: 'en-US' }),
    );
    const row = await eventually(async () => {
      const found = (await test_app.call(administrator, 'async_operations', 'inquire', { ids: [id] })).body.content[0];
      expect(found?.status).not.toBe(1);
      return found;
    });
    if (row?.state !== 'completed') return { row, body: Buffer.alloc(0) };
    const { url } = (await test_app.call(by, 'async_operations', 'link', { id })).body;
    return { row, body: (await test_app.app.inject({ url })).rawPayload };
  }

  test('has every row once, over many portions, in CSV and XLSX', async () => {
    const csv = await exported({ filters: { size: 10_001 }, format: 'csv' });
    expect(csv.row).toMatchObject({
      done: 10_001,
      total: 10_001,
      message: '已导出 10001 行',
      file_name: expect.stringMatching(/^numbers-\d{8}-\d{6}\.csv$/),
    });
    const lines = parseCsv(csv.body.toString());
    expect(lines).toHaveLength(10_002);
    expect(lines.slice(0, 2)).toEqual([
      [expect.any(String), 'plain heading', "'=heading", 'nothing'],
      ['10001', 'row 10001', 'false', ''],
    ]);
    expect(new Set(lines.slice(1).map(([id]) => id)).size).toBe(10_001);
    const xlsx = await exported({ filters: { size: 4500 }, format: 'xlsx' });
    const sheet = (await readXlsx(xlsx.body)).sheets[0];
    expect(sheet?.rows).toHaveLength(4501);
    expect(sheet?.rows[1]?.slice(0, 3)).toEqual([4500, "'=4500", true]);
  });

  test('takes the wanted columns in their order, and none that does not exist', async () => {
    const { body } = await exported({ filters: { size: 1 }, format: 'csv', columns: ['text', 'surely_unknown', 'id'] });
    expect(parseCsv(body.toString())).toEqual([
      ['plain heading', expect.any(String)],
      ['row 1', '1'],
    ]);
  });

  test('asks for the right to it when it runs, not when it was wanted', async () => {
    const customer = await test_app.makeUser('customer');
    expect((await exported({ filters: { size: 1 }, format: 'csv' }, customer)).row).toMatchObject({
      state: 'failed',
      message: '没有权限进行此操作',
    });
  });

  test('with input of another version of the program fails in words', async () => {
    expect((await exported({ filters: { size: 'many' }, format: 'csv' })).row).toMatchObject({ state: 'failed' });
    expect((await exported({ filters: {}, format: 'docx' })).row).toMatchObject({ state: 'failed' });
  });

  test('that stands still is no reason to hold a transaction open', async () => {
    await exported({ filters: { size: 5000 }, format: 'csv' });
    const { rows } = await test_app.db.execute(
      sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    expect(rows).toEqual([]);
  });
});
