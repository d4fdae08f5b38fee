import { type CursorPage, maxPageSize, type Page } from '../../../../contract/kit/page.ts';
import type { Endpoint } from '../../calls/api.ts';
import type { Column } from '../types.ts';

/** First characters that make a spreadsheet read a cell as a formula, full-width forms included. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const plainNumber = /^-?\d+(\.\d+)?$/;

/** Text that a spreadsheet would run as a formula gets an apostrophe before it; figures stay figures. */
export const disarmed = (text: string): string => (formula.test(text) && !plainNumber.test(text) ? `'${text}` : text);

/** One CSV cell. */
export function csvCell(value: unknown): string {
  const safe = disarmed(value === null || value === undefined ? '' : String(value));
  return /["',;\n\r\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A CSV file as text: with a byte-order mark, so that spreadsheets read it as UTF-8, and CRLF between lines. */
export const csvFile = (lines: readonly (readonly unknown[])[]): string =>
  `\uFEFF${lines.map((line) => line.map(csvCell).join(',')).join('\r\n')}\r\n`;

const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value);

type Words = { text: (keyOrText: string) => string; time: (time: string) => string };

/** What a cell says: what `exportValue` gives is translated where it is a message key; times are the site's, yes and no are words. */
export function cellValue<Row extends object>(column: Column<Row>, row: Row, { text, time }: Words): unknown {
  const own = typeof column.exportValue === 'function';
  const value = own ? (column.exportValue as (row: Row) => unknown)(row) : (row as Record<string, unknown>)[column.key];
  if (typeof value === 'boolean') return text(value ? 'common.yes' : 'common.no');
  if (isTime(value)) return time(value);
  if (own && typeof value === 'string') return text(value);
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
}

type Progress = (rows: number, total: number) => void;

/** Reads every page of a list; the list may change meanwhile, so it goes on until a page comes back short. */
export async function readAllPages<I extends object, Row>(
  list: Endpoint<I, Page<Row>>,
  input: object,
  onProgress: Progress,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await list({ ...input, page, page_size: maxPageSize } as unknown as I, { signal });
    rows.push(...answer.content);
    onProgress(rows.length, Math.max(answer.total, rows.length));
    if (answer.content.length < answer.page_size || rows.length >= answer.total) return rows;
  }
}

/** Rows of a list without page numbers that are exported at most: nobody knows how many there are. */
export const maxCursorRows = 20_000;

/** Reads a list that goes on from row to row, to its end or to as many rows as a browser should hold. */
export async function readOn<I extends object, Row>(
  list: Endpoint<I, CursorPage<Row>>,
  input: object,
  onProgress: Progress,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: string | null | undefined; after !== null && rows.length < maxCursorRows; ) {
    const on = { ...input, page_size: maxPageSize, ...(after ? { after } : {}) };
    const answer: CursorPage<Row> = await list(on as unknown as I, { signal });
    rows.push(...answer.content);
    after = answer.next;
    onProgress(rows.length, maxCursorRows);
  }
  return rows.slice(0, maxCursorRows);
}

/** Hands a text to the browser as a file. */
export function saveFile(content: BlobPart, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
