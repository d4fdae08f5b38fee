import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { maxPageSize } from '../../../contract/kit/page.ts';
import type { Filter, FilterValues, Sort } from './types.ts';

export const pageSizes = [20, 50, 100, maxPageSize];
const defaultPageSize = 20;

export type ListState = {
  page: number;
  pageSize: number;
  /** Where a list without page numbers goes on; undefined at its beginning. */
  after: string | undefined;
  sort: Sort | undefined;
  values: FilterValues;
  /** What the list call gets. */
  input: Record<string, string | number | boolean>;
  setPage: (page: number, pageSize: number) => void;
  setAfter: (after: string | undefined, pageSize: number) => void;
  setSort: (sort: Sort | undefined) => void;
  /** Sets filters and returns to page 1; undefined takes one away. `replaces` leaves no step for Back (while typing). */
  setFilters: (changes: Record<string, string | number | boolean | undefined>, replaces?: boolean) => void;
  clear: () => void;
  /** Filters and order as a view keeps them, and the way to those of another one. */
  query: string;
  show: (query: string) => void;
};

type SetParams = (change: (params: URLSearchParams) => URLSearchParams, replaces: boolean) => void;

/** A filter's value from the address; what the filter could not hold is ignored, so a mistyped address still shows a list. */
function readFilter(filter: Filter, params: URLSearchParams): FilterValues {
  const found: FilterValues = {};
  const raw = params.get(filter.key);
  if (filter.kind === 'date_range') {
    for (const key of [filter.key, filter.to]) {
      const day = params.get(key);
      if (day && /^\d{4}-\d{2}-\d{2}$/.test(day)) found[key] = day;
    }
  } else if (raw !== null && raw !== '') {
    if (filter.kind === 'text') found[filter.key] = raw;
    else if (filter.kind === 'boolean' && (raw === 'true' || raw === 'false')) found[filter.key] = raw === 'true';
    else if (filter.kind === 'remote') found[filter.key] = /^\d{1,15}$/.test(raw) ? Number(raw) : raw;
    else if (filter.kind === 'select') {
      const option = filter.options.find((candidate) => String(candidate.value) === raw);
      if (option) found[filter.key] = option.value;
    }
  }
  return found;
}

/** The address without the place in the list. */
function queryOf(params: URLSearchParams): string {
  const kept = new URLSearchParams(params);
  for (const key of ['page', 'after']) kept.delete(key);
  return kept.toString();
}

function positive(raw: string | null): number | undefined {
  const value = Number(raw);
  return Number.isInteger(value) && value >= 1 && value <= 1_000_000 ? value : undefined;
}

/** The state of a list from its address and the ways to change it. */
export function listStateOf(
  params: URLSearchParams,
  setParams: SetParams,
  filters: readonly Filter[],
  sortable: readonly string[],
  defaultSort?: Sort,
): ListState {
  const page = positive(params.get('page')) ?? 1;
  const pageSize = Math.min(positive(params.get('page_size')) ?? defaultPageSize, maxPageSize);
  const named = params.get('sort');
  const sort: Sort | undefined =
    named && sortable.includes(named) ? { sort: named, order: params.get('order') === 'asc' ? 'asc' : 'desc' } : defaultSort;
  const values: FilterValues = Object.assign({}, ...filters.map((filter) => readFilter(filter, params)));
  const change = (changes: Record<string, string | number | boolean | undefined>, replaces = false) =>
    setParams((present) => {
      const next = new URLSearchParams(present);
      for (const [key, value] of Object.entries(changes)) {
        if (value === undefined || value === '') next.delete(key);
        else next.set(key, String(value));
      }
      return next;
    }, replaces);
  const after = params.get('after') ?? undefined;
  // Another filter or order is another list, which begins at its beginning.
  const fromTheStart = { page: undefined, after: undefined };
  const sizeParam = (size: number) => (size === defaultPageSize ? undefined : size);
  return {
    page,
    pageSize,
    after,
    sort,
    values,
    input: { page, page_size: pageSize, ...sort, ...values },
    setPage: (to, size) => change({ page: to === 1 ? undefined : to, page_size: sizeParam(size) }),
    setAfter: (to, size) => change({ after: to, page_size: sizeParam(size) }),
    setSort: (to) => change({ sort: to?.sort, order: to?.order, ...fromTheStart }),
    setFilters: (changes, replaces) => change({ ...changes, ...fromTheStart }, replaces),
    query: queryOf(params),
    show: (query) => setParams(() => new URLSearchParams(query), false),
    clear: () => change(Object.fromEntries([...Object.keys(values), ...Object.keys(fromTheStart)].map((key) => [key, undefined]))),
  };
}

/** Filters, page and sort in the address: reload, Back and a sent link show the same list. */
export function useUrlListState(filters: readonly Filter[], sortable: readonly string[], defaultSort?: Sort): ListState {
  const [params, setSearchParams] = useSearchParams();
  return listStateOf(params, (change, replaces) => setSearchParams(change, { replace: replaces }), filters, sortable, defaultSort);
}

/** The same for a list inside a drawer or a page, which keeps its state to itself. */
export function useLocalListState(filters: readonly Filter[], sortable: readonly string[], defaultSort?: Sort): ListState {
  const [params, setParams] = useState(() => new URLSearchParams());
  return listStateOf(params, (change) => setParams(change), filters, sortable, defaultSort);
}
