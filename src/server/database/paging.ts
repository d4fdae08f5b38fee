import type { Page } from '../../contract/kit/page.ts';

/** A page of rows that were read whole, because the server tells no fewer. */
export function pageOfAll<T>(
  rows: readonly T[],
  { page = 1, page_size = 20 }: { page?: number | undefined; page_size?: number | undefined },
): Page<T> {
  return { content: rows.slice((page - 1) * page_size, page * page_size), total: rows.length, page, page_size };
}
