/** As it is, or as it is shown: `1`, but not `1.2k`. */
const numberOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : undefined;
};

/** The number that the form of a text goes by, of what fills its gaps: its `count` or `number`, else the only one there is. */
export function countOf(gaps: Readonly<Record<string, unknown>>): number | undefined {
  for (const name of ['count', 'number']) if (gaps[name] !== undefined) return numberOf(gaps[name]);
  const numbers = Object.values(gaps).flatMap((value) => numberOf(value) ?? []);
  return numbers.length === 1 ? numbers[0] : undefined;
}
