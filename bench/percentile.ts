/** The smallest value that so large a part of all reach or stay below; 0 where there is none. */
export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.max(0, Math.ceil(values.length * part) - 1)] ?? 0;

export const median = (values: readonly number[]): number => percentile(values, 0.5);
