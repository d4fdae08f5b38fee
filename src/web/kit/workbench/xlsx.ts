import { writeXlsx } from 'hucre/xlsx';
import { disarmed } from '../list/export/exportCsv.ts';

type Sheet = { name: string; rows: readonly (readonly (string | number)[])[] };

/** A workbook of plain tables; this module and its library are loaded when one is saved. */
export async function workbook(sheets: readonly Sheet[]): Promise<BlobPart> {
  const file = await writeXlsx({
    sheets: sheets.map(({ name, rows }) => ({
      name: name.replace(/[[\]:*?/\\]/g, ' ').slice(0, 25),
      freezePane: { rows: 1 },
      rows: rows.map((row) => row.map((cell) => (typeof cell === 'string' ? disarmed(cell) : cell))),
    })),
  });
  return file as BlobPart;
}
