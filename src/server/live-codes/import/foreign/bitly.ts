import { guessColumns } from '../import.fields.ts';

const shortLink = /^(?:https?:\/\/)?[^\s/]+\.[^\s/]+\/([^\s/?#]+)\/?$/i;

/** A table of Bitly, which writes short links as a whole, with keys in their place; any other table as it is. */
export function readBitly([header = [], ...rows]: string[][]): string[][] {
  const { source, columns } = guessColumns(header);
  const keys = source === 'bitly' ? columns.indexOf('file_name') : -1;
  const keyOf = (cell: string): string => shortLink.exec(cell.trim())?.[1] ?? cell;
  return [header, ...(keys < 0 ? rows : rows.map((row) => row.map((cell, at) => (at === keys ? keyOf(cell) : cell))))];
}
