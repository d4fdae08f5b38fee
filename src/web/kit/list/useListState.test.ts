import { expect, test } from 'vitest';
import type { Filter } from './types.ts';
import { listStateOf } from './useListState.ts';

const filters: Filter[] = [
  { kind: 'text', key: 'host', label: 'a' },
  {
    kind: 'select',
    key: 'type',
    label: 'a',
    options: [
      { value: 1, label: 'a' },
      { value: 2, label: 'b' },
    ],
  },
  { kind: 'boolean', key: 'enabled', label: 'a' },
  { kind: 'remote', key: 'holder_id', label: 'a', source: { key: 'x', load: async () => [] } },
  { kind: 'date_range', key: 'from', to: 'to', label: 'a' },
];

/** A list at an address; changes move it to the next one. */
function at(address: string) {
  const place = { params: new URLSearchParams(address), replaced: false };
  const state = () =>
    listStateOf(
      place.params,
      (change, replaces) => Object.assign(place, { params: change(place.params), replaced: replaces }),
      filters,
      ['host', 'created_at'],
      { sort: 'created_at', order: 'desc' },
    );
  return { place, state };
}

test('the address says everything the call gets, in the types of the filters', () => {
  const { state } = at(
    'host=a.b&type=2&enabled=false&holder_id=7&from=2026-01-01&to=2026-01-31&page=3&page_size=50&sort=host&order=asc&id=9',
  );
  expect(state().input).toEqual({
    host: 'a.b',
    type: 2,
    enabled: false,
    holder_id: 7,
    from: '2026-01-01',
    to: '2026-01-31',
    page: 3,
    page_size: 50,
    sort: 'host',
    order: 'asc',
  });
});

test('a mistyped address still shows a list', () => {
  const { state } = at('type=9&enabled=maybe&from=yesterday&page=-1&page_size=100000&sort=password&order=up');
  expect(state().input).toEqual({ page: 1, page_size: 200, sort: 'created_at', order: 'desc' });
});

test('a filter returns to page 1 and keeps the rest of the address', () => {
  const { place, state } = at('id=9&page=4&type=1');
  state().setFilters({ host: 'x' }, true);
  expect(place.params.toString()).toBe('id=9&type=1&host=x');
  expect(place.replaced).toBe(true);
});

test('page 1 and the usual page size leave no trace in the address', () => {
  const { place, state } = at('page=4&page_size=50');
  state().setPage(1, 20);
  expect(place.params.toString()).toBe('');
});

test('sorting returns to page 1; taking the sort away returns to the usual one', () => {
  const { place, state } = at('page=4');
  state().setSort({ sort: 'host', order: 'asc' });
  expect(place.params.toString()).toBe('sort=host&order=asc');
  state().setSort(undefined);
  expect(state().sort).toEqual({ sort: 'created_at', order: 'desc' });
});

test('clearing takes all filters, both ends of a range included, and nothing else', () => {
  const { place, state } = at('id=9&host=a&from=2026-01-01&to=2026-01-31&sort=host&order=asc&page=2');
  state().clear();
  expect(place.params.toString()).toBe('id=9&sort=host&order=asc');
});

test('where a list goes on is part of its address, and forgotten with another filter, order or size', () => {
  const { place, state } = at('host=a');
  state().setAfter('9_1_8.8.8.8', 50);
  expect(place.params.toString()).toBe('host=a&after=9_1_8.8.8.8&page_size=50');
  expect([state().after, state().pageSize]).toEqual(['9_1_8.8.8.8', 50]);
  state().setFilters({ host: 'b' });
  expect(state().after).toBeUndefined();
  state().setAfter('1', 50);
  state().setSort({ sort: 'host', order: 'asc' });
  expect(state().after).toBeUndefined();
  state().setAfter('1', 20);
  state().clear();
  expect(place.params.toString()).toBe('sort=host&order=asc');
});
