import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CursorPage, Page } from '../../../../contract/kit/page.ts';
import type { Endpoint } from '../../calls/api.ts';
import { cellValue, csvCell, csvFile, maximumCursorRows, readAllPages, readOn } from './exportCsv.ts';

const words = { text: (key: string) => `<${key}>`, time: (time: string) => `at ${time}` };

test.each(['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠a'])(
  'a cell that a spreadsheet would run is disarmed: %j',
  (text) => {
    expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
  },
);

test('figures stay figures, negative ones too', () => {
  expect(csvCell(-12.5)).toBe('-12.5');
  expect(csvCell('-12')).toBe('-12');
  expect(csvCell(0)).toBe('0');
});

test('separators, quotes and line breaks stay inside their cell', () => {
  expect(csvCell('a,b')).toBe('"a,b"');
  expect(csvCell('say "hi"')).toBe('"say ""hi"""');
  expect(csvCell('two\nlines')).toBe('"two\nlines"');
  expect(csvCell(null)).toBe('');
});

/** Reads one line of CSV the way spreadsheets do. */
function parseLine(line: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= line.length; at += 1) {
    let cell = '';
    if (line[at] === '"') {
      for (at += 1; line[at] !== '"' || line[at + 1] === '"'; at += 1) {
        if (line[at] === '"') at += 1;
        cell += line[at];
      }
      at += 1;
    } else for (; at < line.length && line[at] !== ','; at += 1) cell += line[at];
    cells.push(cell);
  }
  return cells;
}

test('any text comes back from the file as it was, but for the disarming apostrophe', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }), (texts) => {
      const line = csvFile([texts]).slice('\uFEFF'.length, -'\r\n'.length);
      expect(parseLine(line).map((cell) => cell.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, ''))).toEqual(texts);
    }),
  );
});

test('a file begins with a byte-order mark and separates lines by CRLF', () => {
  expect(
    csvFile([
      ['a', 'b'],
      [1, 2],
    ]),
  ).toBe('\uFEFFa,b\r\n1,2\r\n');
});

test("cells say what the screen says: times in the site's zone, yes and no in words, keys translated only where the column gave them", () => {
  const row = { at: '2026-03-01T12:00:00.000Z', open: true, name: 'common.yes', list: [1] };
  expect(cellValue({ key: 'at', title: '' }, row, words)).toBe('at 2026-03-01T12:00:00.000Z');
  expect(cellValue({ key: 'open', title: '' }, row, words)).toBe('<common.yes>');
  expect(cellValue({ key: 'name', title: '' }, row, words)).toBe('common.yes');
  expect(cellValue({ key: 'name', title: '', exportValue: () => 'demo.type' }, row, words)).toBe('<demo.type>');
  expect(cellValue({ key: 'list', title: '' }, row, words)).toBe('[1]');
});

type Input = { page?: number; page_size?: number; host?: string };

function listOf(total: number, seen: Input[]) {
  const answer = async (input: Input): Promise<Page<{ id: number }>> => {
    seen.push(input);
    const [page, page_size] = [input.page ?? 1, input.page_size ?? 20];
    const from = (page - 1) * page_size;
    const content = Array.from({ length: Math.max(0, Math.min(page_size, total - from)) }, (_, at) => ({ id: from + at }));
    return { content, total, page, page_size };
  };
  return answer as Endpoint<Input, Page<{ id: number }>>;
}

test('every page of the filter is read, in order, with its progress told', async () => {
  const seen: Input[] = [];
  const progress: [number, number][] = [];
  const rows = await readAllPages(
    listOf(450, seen),
    { host: 'a' },
    (done, total) => progress.push([done, total]),
    new AbortController().signal,
  );
  expect(rows.map((row) => row.id)).toEqual(Array.from({ length: 450 }, (_, at) => at));
  expect(seen).toEqual([1, 2, 3].map((page) => ({ host: 'a', page, page_size: 200 })));
  expect(progress).toEqual([
    [200, 450],
    [400, 450],
    [450, 450],
  ]);
});

test('an empty list and one of exactly whole pages end', async () => {
  const seen: Input[] = [];
  expect(await readAllPages(listOf(0, seen), {}, () => {}, new AbortController().signal)).toEqual([]);
  expect(await readAllPages(listOf(400, seen), {}, () => {}, new AbortController().signal)).toHaveLength(400);
  expect(seen).toHaveLength(3);
});

function walkOf(total: number, seen: object[]) {
  const answer = async (input: { after?: string; page_size?: number }): Promise<CursorPage<{ id: number }>> => {
    seen.push(input);
    const from = Number(input.after ?? 0);
    // Every other portion is short: its search stopped on the way.
    const size = seen.length % 2 ? (input.page_size ?? 20) : 3;
    const content = Array.from({ length: Math.min(size, total - from) }, (_, at) => ({ id: from + at }));
    return { content, next: from + content.length < total ? String(from + content.length) : null };
  };
  return answer as Endpoint<{ after?: string; page_size?: number }, CursorPage<{ id: number }>>;
}

test('a list without page numbers is read on to its end, short portions included', async () => {
  const seen: object[] = [];
  const rows = await readOn(walkOf(410, seen), { ip: '1.' }, () => {}, new AbortController().signal);
  expect(rows.map((row) => row.id)).toEqual(Array.from({ length: 410 }, (_, at) => at));
  expect(seen.slice(0, 3)).toEqual([
    { ip: '1.', page_size: 200 },
    { ip: '1.', page_size: 200, after: '200' },
    { ip: '1.', page_size: 200, after: '203' },
  ]);
});

test('an endless list ends where a browser should not hold more', async () => {
  const rows = await readOn(walkOf(1e9, []), {}, () => {}, new AbortController().signal);
  expect(rows).toHaveLength(maximumCursorRows);
});
