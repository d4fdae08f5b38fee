import type { Tally } from './tree.ts';

export const sizeOf = (bytes: number): string => {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
};

/** One line for a step that is done: what, how many files, how much, how long. */
export const stepLine = (what: string, { files, bytes }: Tally, startedAt: number): string =>
  `  ${what.padEnd(24)}${`${files} files`.padStart(14)}${sizeOf(bytes).padStart(14)}${secondsSince(startedAt).padStart(10)}`;

/** @param startedAt of `performance.now()` */
export const secondsSince = (startedAt: number): string => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;

/** A path as it is typed into a shell. */
export const quoted = (path: string): string => (/^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
