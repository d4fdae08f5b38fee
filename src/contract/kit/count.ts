/** As it is, or as it is shown: 1 of `1`; of `1,200` and `1.2k` only that it is some number. */
const numberOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d/.test(value) ? Number(value) : undefined;
};
const known = (number: number | undefined): number | undefined => (Number.isFinite(number) ? number : undefined);

/** The number that the form of a text goes by, of what fills its gaps: its `count` or `number`, else the only one there is. */
export function countOf(gaps: Readonly<Record<string, unknown>>): number | undefined {
  for (const name of ['count', 'number']) if (gaps[name] !== undefined) return known(numberOf(gaps[name]));
  const numbers = Object.values(gaps).flatMap((value) => numberOf(value) ?? []);
  return numbers.length === 1 ? known(numbers[0]) : undefined;
}
