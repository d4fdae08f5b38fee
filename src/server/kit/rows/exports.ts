import type { SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type { Access } from '../../../contract/kit/call.ts';
import type { OperationJob } from '../jobs/operations.ts';
import { type CountedRows, countRows } from './list.ts';

export type Cell = string | number | boolean | null;
/** The lines of so many rows of the list: one each, where the export says nothing else. */
export type Portion = { rows: number; lines: Cell[][] };

/** A list that can be exported as a whole: it is read portion by portion, however long it is. */
export type ExportSource = {
  /** Its operation is `{name}_export`, its file `{name}-{time}`. */
  name: string;
  access: Access;
  columns: readonly ExportColumn[];
  open: (filters: unknown, job: OperationJob) => Promise<{ total: number; portions: AsyncIterable<Portion> }>;
};
export type ExportColumn = { key: string /** A message key. */; title: string };

type Definition<F extends z.ZodType, R> = {
  name: string;
  access: Access;
  /** The filters of the list, as its call takes them. */
  filters: F;
  columns: readonly (ExportColumn & { cell: (row: R, job: OperationJob) => Cell })[];
  /** The rows that fit, with the joins that the conditions need: what is counted, and what `rows` reads. */
  select: (filters: z.output<F>, job: OperationJob) => Promise<CountedRows>;
  /**
   * The rows that follow this one in an order that no two rows share; the first ones where none is given. Fewer than the limit where they
   * are large; none at the end.
   */
  rows: (where: SQL | undefined, job: OperationJob, page: { after: R | undefined; limit: number }) => Promise<R[]>;
  /** What a row becomes that is several lines of the file. */
  lines?: (row: R, job: OperationJob) => R[];
};

const rowsAtOnce = 2000;

/**
 * Makes an export of a list's reading function. Each portion is a query of its own that begins after the last row: no transaction stays
 * open for minutes, and rows that are added meanwhile neither shift nor repeat others.
 */
export function exportSource<F extends z.ZodType, R>(definition: Definition<F, R>): ExportSource {
  const { name, access, columns, select, rows, lines = (row) => [row] } = definition;

  async function* portions(where: SQL | undefined, job: OperationJob): AsyncGenerator<Portion> {
    let after: R | undefined;
    for (;;) {
      job.signal.throwIfAborted();
      const portion = await rows(where, job, { after, limit: rowsAtOnce });
      if (portion.length === 0) return;
      const read = portion.flatMap((row) => lines(row, job));
      yield { rows: portion.length, lines: read.map((row) => columns.map((column) => column.cell(row, job))) };
      after = portion.at(-1);
    }
  }

  return {
    name,
    access,
    columns: columns.map(({ key, title }) => ({ key, title })),
    async open(stored, job) {
      const selected = await select(definition.filters.parse(stored), job);
      return { total: await countRows(job.db, selected), portions: portions(selected.where, job) };
    },
  };
}
