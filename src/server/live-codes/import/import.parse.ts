import { streamXlsxRows } from 'hucre/xlsx';
import { maxImportColumns, maxImportRows } from '../../../contract/codes/code-import.ts';
import { readBitly } from './foreign/bitly.ts';
import { readYinliubao } from './foreign/yinliubao.ts';
import { ImportFault } from './import.faults.ts';
import { checkWorkbook } from './workbook-parts.ts';

/** A table as texts: the first row is its header. */
export type ParsedTable = { format: 'csv' | 'xlsx'; encoding: string; header: string[]; rows: string[][] };
const maxCell = 40_000;
/** What a table may say, each cell by itself: a text that thousands of cells share stands in the file but once. */
export const maxTextBytes = 20_000_000;

/** Reads a CSV file in any encoding that spreadsheets write, or the first sheet of a workbook; by content, whatever it is called. */
export async function parseTable(bytes: Uint8Array): Promise<ParsedTable> {
  if (isZip(bytes)) {
    checkWorkbook(bytes);
    return tableOf('xlsx', 'utf-8', await workbookRows(bytes));
  }
  // The old binary workbook and other containers: none of them is text.
  if (bytes.slice(0, 8).join(' ') === '208 207 17 224 161 177 26 225') throw new ImportFault('import.unreadable');
  const { text, encoding } = decode(bytes);
  return tableOf('csv', encoding, csvRows(text));
}

const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;

function tableOf(format: ParsedTable['format'], encoding: string, all: string[][]): ParsedTable {
  const filled = all.filter((row) => row.some((cell) => cell.trim() !== ''));
  if (filled.length < 2) throw new ImportFault('import.empty');
  if (filled.length - 1 > maxImportRows) throw new ImportFault('import.too_many_rows');
  const [header = [], ...rows] = readBitly(readYinliubao(filled));
  const width = Math.max(header.length, ...rows.slice(0, 100).map((row) => row.length));
  if (width > maxImportColumns) throw new ImportFault('import.too_many_columns');
  const ofWidth = (row: readonly string[]): string[] => Array.from({ length: width }, (_, at) => (row[at] ?? '').slice(0, maxCell));
  return { format, encoding, header: ofWidth(header).map((cell) => cell.trim().slice(0, 200)), rows: rows.map(ofWidth) };
}

async function workbookRows(bytes: Uint8Array): Promise<string[][]> {
  const rows: string[][] = [];
  let characters = 0;
  try {
    for await (const { values } of streamXlsxRows(bytes, { sheet: 0 })) {
      if (values.length > maxImportColumns * 5) throw new ImportFault('import.too_many_columns');
      const row: string[] = [];
      for (const value of values) {
        const cell = cellText(value);
        characters += cell.length;
        if (characters > maxTextBytes) throw new ImportFault('import.too_much_text');
        row.push(cell);
      }
      if (row.some((cell) => cell !== '')) rows.push(row);
      if (rows.length > maxImportRows + 1) throw new ImportFault('import.too_many_rows');
    }
  } catch (error) {
    throw error instanceof ImportFault ? error : new ImportFault('import.unreadable');
  }
  return rows;
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return unquoted(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** Exports put an apostrophe before what a spreadsheet would take for a formula. */
const unquoted = (cell: string): string => (/^'[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell);

/** UTF-8 and UTF-16 by their marks or their form; what is neither is Chinese as Windows writes it. */
export function decode(bytes: Uint8Array): { text: string; encoding: string } {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return decoded(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decoded(bytes, 'utf-16be');
  if (first === 0xef && second === 0xbb && third === 0xbf) return decoded(bytes, 'utf-8');
  const sample = bytes.subarray(0, 2000);
  const zerosAt = (parity: number) => sample.filter((byte, at) => byte === 0 && at % 2 === parity).length;
  if (sample.length > 3 && zerosAt(1) > sample.length * 0.2 && zerosAt(0) === 0) return decoded(bytes, 'utf-16le');
  if (sample.length > 3 && zerosAt(0) > sample.length * 0.2 && zerosAt(1) === 0) return decoded(bytes, 'utf-16be');
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return decoded(bytes, 'gb18030');
  }
}

function decoded(bytes: Uint8Array, encoding: string): { text: string; encoding: string } {
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

const delimiters = [',', ';', '\t', '|'] as const;

/** The delimiter that stands most often in the first line, outside of quotes. */
function delimiterOf(text: string): string {
  const line = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, 20_000))?.[0] ?? '').replace(/"(?:[^"]|"")*"/g, '');
  const number = (delimiter: string) => line.split(delimiter).length;
  return delimiters.reduce<string>((best, next) => (number(next) > number(best) ? next : best), ',');
}

/** RFC 4180, with any of the usual delimiters and line ends; a quote that never ends takes the rest of the file. */
function csvRows(text: string): string[][] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a file full of them is no text.
  const odd = text.slice(0, 5000).match(/[\u0000-\u0008\u000e-\u001f\ufffd]/g)?.length ?? 0;
  if (odd > 20) throw new ImportFault('import.unreadable');
  const separator = /^sep=(.)\r?\n/i.exec(text);
  const body = separator ? text.slice(separator[0].length) : text;
  const delimiter = separator?.[1] ?? delimiterOf(body);
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at <= body.length) {
    let cell: string;
    if (body[at] === '"') {
      let end = at + 1;
      for (;;) {
        end = body.indexOf('"', end);
        if (end < 0) end = body.length;
        if (body[end + 1] !== '"' || end >= body.length) break;
        end += 2;
      }
      cell = body.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
      const rest = nextBreak(body, at, delimiter);
      cell += body.slice(at, rest);
      at = rest;
    } else {
      const end = nextBreak(body, at, delimiter);
      cell = body.slice(at, end);
      at = end;
    }
    row.push(unquoted(cell));
    if (row.length > maxImportColumns * 5) throw new ImportFault('import.too_many_columns');
    if (body[at] === delimiter) {
      at += 1;
      continue;
    }
    at += body[at] === '\r' && body[at + 1] === '\n' ? 2 : 1;
    if (row.some((one) => one !== '')) rows.push(row);
    if (rows.length > maxImportRows + 1) throw new ImportFault('import.too_many_rows');
    row = [];
  }
  return rows;
}

function nextBreak(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === delimiter || character === '\n' || character === '\r') return at;
  }
  return text.length;
}
