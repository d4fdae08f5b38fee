import type { Cell } from './exports.ts';

/**
 * A text that no spreadsheet program takes for a formula, whatever a user typed: what begins like one gets an apostrophe in front.
 * Control characters, which a spreadsheet file cannot hold, are replaced.
 */
export function safeText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced here.
  const printable = text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
  return /^[=+\-@\t\r\n＝＋－＠]/.test(printable) ? `'${printable}` : printable;
}

const field = (cell: Cell): string => {
  const text = cell === null ? '' : typeof cell === 'string' ? safeText(cell) : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A line of RFC 4180. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(field).join(',')}\r\n`;

/** Begins a CSV file: tells Excel that it is UTF-8. */
export const csvMark = '\ufeff';
