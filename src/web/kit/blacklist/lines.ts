import type { Values } from '../form/contract.ts';

/** The lines of a text box that hold something; one line may hold several, parted by commas. */
export const linesOf = (text: unknown): string[] =>
  String(text ?? '')
    .split(/[\n,;，；]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The form's text box as the contract's list; no line at all is a field that wasn't filled in. */
export function linesInput(values: Values): Values {
  const lines = linesOf(values.lines);
  return { ...values, lines: lines.length > 0 ? lines : null };
}

const address = /^(?=.*[.:])[\da-f:.]+(\/\d{1,3})?$/i;

/**
 * The addresses and networks of a file: a plain list, one with remarks after `#`, `;` or a blank, or a CSV file such as our own export,
 * whose first cell of each row is taken. Headings and remarks are left out.
 */
export const addressesOf = (file: string): string[] =>
  file
    .replace(/^\ufeff/, '')
    .split(/\r?\n|\r/)
    .map((line) => line.split(/[#;,\t ]/)[0]?.replace(/^["']|["']$/g, '') ?? '')
    .filter((text) => address.test(text));
