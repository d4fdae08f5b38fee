import { serveTasks } from '../../kit/bounded/child.ts';
import { ImportFault } from './import.faults.ts';
import { maxTextBytes, type ParsedTable, parseTable } from './import.parse.ts';
import type { PackedTable } from './import.program.ts';

const [sampleRows, maxSampleLength] = [20, 200];

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '');

function packTable({ format, encoding, header, rows }: ParsedTable): PackedTable {
  const lines: Buffer[] = [];
  let size = 0;
  for (const row of rows) {
    const line = Buffer.from(JSON.stringify(row.map(storable)));
    size += line.length;
    if (size > maxTextBytes) throw new ImportFault('import.too_much_text');
    lines.push(Buffer.from(lines.length === 0 ? '[' : ','), line);
  }
  return {
    format,
    encoding,
    header: header.map(storable),
    rows: Buffer.concat([...lines, Buffer.from(']')]),
    row_number: rows.length,
    sample: rows.slice(0, sampleRows).map((row) => row.map((cell) => storable(cell.slice(0, maxSampleLength)))),
  };
}

serveTasks<Uint8Array, { table: PackedTable } | { code: string }>(async (bytes) => {
  try {
    return { table: packTable(await parseTable(bytes)) };
  } catch (error) {
    return { code: error instanceof ImportFault ? error.code : 'import.unreadable' };
  }
});
