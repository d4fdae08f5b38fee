import { z } from 'zod';
import { count } from './fields.ts';

export const maxPageSize = 200;

/**
 * The input of a list: page (from 1), page size, sort column, order, and the filters given here.
 * @param sortable columns that may be sorted by
 */
export const listInput = <const S extends readonly [string, ...string[]], F extends z.ZodRawShape>(sortable: S, filters: F) =>
  z.object({
    page: z.number().int().min(1).max(1_000_000).optional(),
    page_size: z.number().int().min(1).max(maxPageSize).optional(),
    sort: z.enum(sortable).optional(),
    order: z.enum(['asc', 'desc']).optional(),
    ...filters,
  });

export const pageOf = <T extends z.ZodType>(row: T) => z.object({ content: z.array(row), total: count, page: count, page_size: count });

export type Page<T> = { content: T[]; total: number; page: number; page_size: number };

/**
 * The input of a list that is too long to be counted or leafed through by page numbers: `after` is the `next` of the answer before,
 * which holds for the same sort and filters only.
 */
export const cursorInput = <const S extends readonly [string, ...string[]], F extends z.ZodRawShape>(sortable: S, filters: F) =>
  listInput(sortable, filters)
    .omit({ page: true })
    .extend({ after: z.string().max(200).optional() });

/** `next` is null on the last page. A page can be short, even empty, and yet have a next one: the search stopped to answer in time. */
export const cursorPageOf = <T extends z.ZodType>(row: T) => z.object({ content: z.array(row), next: z.string().nullable() });

export type CursorPage<T> = { content: T[]; next: string | null };
