import type { InputOf } from '../../../contract/kit/call.ts';
import type { ipCorrection } from '../../../contract/visits/ip-correction.ts';

export type CorrectionLine = InputOf<(typeof ipCorrection)['calls']['import']>['lines'][number];
export const lineColumns = ['range', 'country', 'region', 'city', 'carrier', 'remark', 'enabled'] as const;
export type LineColumn = (typeof lineColumns)[number];

/** The cells of a CSV file; separated by comma, semicolon or tab, whichever its first line has. */
export function csvCells(text: string): string[][] {
  const content = text.replace(/^\uFEFF/, '');
  const [head = ''] = content.split(/\r?\n/, 1);
  const separator = [',', '\t', ';'].find((one) => head.includes(one)) ?? ',';
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < content.length; at += 1) {
    const character = content[at] ?? '';
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (content[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === '') isQuoted = true;
    else if (character === separator || character === '\n') {
      row.push(cell.trim());
      cell = '';
      if (character === '\n') {
        rows.push(row);
        row = [];
      }
    } else cell += character;
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell.trim()]);
  return rows.filter((cells) => cells.some((one) => one !== ''));
}

/**
 * The lines of a file as an export writes it, told by the names of its columns in any order; null where a column is missing that each
 * correction needs.
 * @param columnOf the column that a name stands for, in whatever language
 * @param isOff whether a cell says that the correction is not in force
 */
export function correctionLines(
  text: string,
  columnOf: (name: string) => LineColumn | undefined,
  isOff: (cell: string) => boolean,
): CorrectionLine[] | null {
  const [head = [], ...rows] = csvCells(text);
  const columns = head.map((name) => columnOf(name.toLowerCase()));
  if (!columns.includes('range') || !columns.includes('country')) return null;
  return rows.map((cells) => {
    // A leading apostrophe keeps spreadsheets from reading a cell as a formula.
    const cellOf = (column: LineColumn) => (cells[columns.indexOf(column)] ?? '').replace(/^'/, '');
    return {
      range: cellOf('range').slice(0, 100),
      country: cellOf('country').slice(0, 64),
      region: cellOf('region').slice(0, 64),
      city: cellOf('city').slice(0, 64),
      carrier: cellOf('carrier').slice(0, 64),
      remark: cellOf('remark').slice(0, 200),
      enabled: !isOff(cellOf('enabled').toLowerCase()),
    };
  });
}
