import type { Column, Density } from '../types.ts';

/** What a user arranged in one list. `order` and `hidden` name columns; columns that came later keep their own place. */
export type Arrangement = { order: string[]; hidden: string[]; density: Density };

const densities: readonly Density[] = ['small', 'medium', 'large'];
/** On a screen of a desk rows are low unless the user wants them higher; fingers need room. */
const isWide = (): boolean => typeof window !== 'undefined' && window.matchMedia('(min-width: 1200px) and (pointer: fine)').matches;
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Reads a stored arrangement; whatever doesn't fit falls back to the list's own. */
export function readArrangement(stored: unknown, columns: readonly Pick<Column<never>, 'key' | 'hiddenByDefault'>[]): Arrangement {
  const kept = (stored && typeof stored === 'object' ? stored : {}) as Partial<Record<keyof Arrangement, unknown>>;
  const own = columns.map((column) => column.key);
  const order = isTexts(kept.order) ? kept.order.filter((key) => own.includes(key)) : [];
  // A new column stands after the one it follows in the list's own order.
  for (const [at, key] of own.entries())
    if (!order.includes(key)) order.splice(at === 0 ? 0 : order.indexOf(own[at - 1] ?? '') + 1, 0, key);
  return {
    order,
    hidden: isTexts(kept.hidden) ? kept.hidden : columns.filter((column) => column.hiddenByDefault).map((column) => column.key),
    density: densities.find((density) => density === kept.density) ?? (isWide() ? 'small' : 'medium'),
  };
}

/** The columns as this user arranged them. */
export function arrange<C extends { key: string }>(columns: readonly C[], { order, hidden }: Arrangement): C[] {
  return columns.filter((column) => !hidden.includes(column.key)).sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
}
