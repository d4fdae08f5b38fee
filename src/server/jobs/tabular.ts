import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { writeXlsxStream } from 'hucre/xlsx';
import type { ExportFormat } from '../../contract/system/async-operations.ts';
import { csvLine, csvMark, safeText } from '../kit/rows/csv.ts';
import type { Cell } from '../kit/rows/exports.ts';

export { safeText };

type Table = { title: string; headings: readonly string[]; portions: AsyncIterable<Cell[][]>; signal: AbortSignal };

/** Excel takes no longer text in a cell. */
const longestText = 32_767;

/** RFC 4180 in UTF-8; the byte order mark tells Excel so. */
async function* csv({ headings, portions }: Table): AsyncGenerator<string> {
  yield csvMark + csvLine(headings);
  for await (const portion of portions) yield portion.map(csvLine).join('');
}

/** Sheets of at most a million rows; more go to further ones. */
function xlsx({ title, headings, portions }: Table): Readable {
  async function* rows(): AsyncGenerator<Cell[]> {
    for await (const portion of portions) for (const row of portion) yield row.map(xlsxCell);
  }
  const columns = headings.map((header) => ({ header: safeText(header), width: 20 }));
  const name = title.replace(/[[\]:*?/\\]/g, ' ').slice(0, 25);
  // TypeScript knows two web streams, of Node and of the browser, and takes them for different ones.
  return Readable.fromWeb(writeXlsxStream(rows(), { name, columns, freezePane: { rows: 1 }, zip64: true }) as never);
}

function xlsxCell(cell: Cell): Cell {
  if (typeof cell === 'number' && !Number.isFinite(cell)) return null;
  if (typeof cell !== 'string') return cell;
  const text = safeText(cell);
  const fitting = text.length > longestText ? `${text.slice(0, longestText - 1).toWellFormed()}…` : text;
  // In this format _x003D_ is another way to write =; a text that looks so is spelled out.
  return fitting.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_');
}

/** Writes a table to a new file that only we can read; memory does not grow with its length. */
export async function writeTable(path: string, format: ExportFormat, table: Table): Promise<void> {
  const source = format === 'csv' ? Readable.from(csv(table)) : xlsx(table);
  await pipeline(source, createWriteStream(path, { mode: 0o600, flags: 'wx' }), { signal: table.signal });
}
