import type { BoundedProgram } from '../../kit/bounded/program.ts';
import type { ParsedTable } from './import.parse.ts';

/** A table as it is stored and shown. */
export type PackedTable = Pick<ParsedTable, 'format' | 'encoding' | 'header'> & {
  /** All rows as JSON in UTF-8: only the database reads them. */
  rows: Uint8Array;
  row_number: number;
  /** The first rows, each cell cut. */
  sample: string[][];
};

export const importProgram: BoundedProgram<Uint8Array, { table: PackedTable } | { code: string }> = {
  file: new URL('./import.worker.ts', import.meta.url),
  heapMegabytes: 256,
};
