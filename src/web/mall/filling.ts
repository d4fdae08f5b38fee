import { amountOf, millionthsOf } from '../../contract/money/amounts.ts';
import type { VariantValues } from './matrix.ts';

/** The cells of a variant's line, in the order in which a copied row of a table has them. */
export const cells = ['price', 'stock', 'sku'] as const;
export type Cell = (typeof cells)[number];

const amount = /^\d{1,12}(\.\d{1,6})?$/;
const percent = /^([+-])(\d{1,4}(?:\.\d{1,2})?)%$/;
const step = /^[+-]\d{1,9}$/;
const count = /^\d{1,9}$/;
const wholeNumber = /^-?\d{1,9}$/;

/** Half a cent is rounded up; nothing costs less than nothing. */
function byPercent(price: string, sign: string, hundredths: bigint): string {
  const whole = 10_000n;
  const cent = 10_000n;
  const changed = millionthsOf(price) * (sign === '-' ? whole - hundredths : whole + hundredths);
  const cents = (changed + (whole * cent) / 2n) / (whole * cent);
  return amountOf((cents < 0n ? 0n : cents) * cent).replace(/0000$/, '');
}

/**
 * What a typed text makes of a price: `9.9` sets it, `+10%` and `-5%` change what is there, to the cent.
 * @returns undefined where the text is none of these, and the price itself where there is none to change
 */
export function fillPrice(typed: string): ((price: string) => string) | undefined {
  const text = typed.trim().replace('％', '%');
  if (amount.test(text)) return () => text;
  const [, sign = '', by = ''] = percent.exec(text) ?? [];
  if (by === '') return undefined;
  const hundredths = millionthsOf(by) / 10_000n;
  return (price) => (amount.test(price.trim()) ? byPercent(price.trim(), sign, hundredths) : price);
}

/** What a typed text makes of a stock: `20` sets it, `+5`, `-5` and `+10%` change what is there, never below 0. */
export function fillStock(typed: string): ((stock: number | null) => number) | undefined {
  const text = typed.trim().replace('％', '%');
  if (count.test(text)) return () => Number(text);
  if (step.test(text)) return (stock) => Math.max(0, (stock ?? 0) + Number(text));
  const [, sign = '', by = ''] = percent.exec(text) ?? [];
  if (by === '') return undefined;
  const factor = 1 + (sign === '-' ? -1 : 1) * (Number(by) / 100);
  return (stock) => Math.max(0, Math.round((stock ?? 0) * factor));
}

/** The rows and cells of what a spreadsheet copies; undefined for a text that belongs into one cell. */
export function copiedCells(text: string): string[][] | undefined {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n+$/, '').split('\n');
  const rows = lines.map((line) => line.split('\t').map((cell) => cell.trim()));
  return rows.length > 1 || (rows[0]?.length ?? 0) > 1 ? rows : undefined;
}

function withCell(variant: VariantValues, cell: Cell | undefined, text: string): VariantValues {
  if (cell === 'sku') return { ...variant, sku: text };
  if (cell === 'price') return { ...variant, price: text.replaceAll(',', '') };
  const number = text.replaceAll(',', '');
  // One below 0 stays for the field to refuse: emptied it would be lost without a word.
  return cell === 'stock' ? { ...variant, stock: wholeNumber.test(number) ? Number(number) : null } : variant;
}

/** Fills copied cells in from one on, downwards and to the right, as a spreadsheet does; what goes beyond the lines is left out. */
export function fillIn(variants: readonly VariantValues[], at: number, cell: Cell, copied: readonly string[][]): VariantValues[] {
  const first = cells.indexOf(cell);
  return variants.map((variant, line) =>
    (copied[line - at] ?? []).reduce((filled, text, column) => withCell(filled, cells[first + column], text), variant),
  );
}

/** How many variants a product has more, and how many of those that are stored it loses. */
export function changeOf(stored: readonly VariantValues[], present: readonly VariantValues[]): { added: number; removed: number } {
  const kept = new Set(present.flatMap(({ id }) => id ?? []));
  return {
    added: present.filter(({ id }) => id === undefined).length,
    removed: stored.filter(({ id }) => id !== undefined && !kept.has(id)).length,
  };
}
