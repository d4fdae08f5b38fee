import { z } from 'zod';
import { count } from './fields.ts';

export const maximumPageSize = 200;

/**
 * The input of a list: page (from 1), page size, sort column, order, and the filters given here.
 * @param sortable columns that may be sorted by
 */
export const listInput = <const S extends readonly [string, ...string[]], F extends z.ZodRawShape>(sortable: S, filters: F) =>
  z.object({
    page: z.number().int().min(1).max(1_000_000).optional(),
    page_size: z.number().int().min(1).max(maximumPageSize).optional(),
    sort: z.enum(sortable).optional(),
    order: z.enum(['asc', 'desc']).optional(),
    ...filters,
  });

export const pageOf = <T extends z.ZodType>(row: T) => z.object({ content: z.array(row), total: count, page: count, page_size: count });

export type Page<T> = { content: T[]; total: number; page: number; page_size: number };
