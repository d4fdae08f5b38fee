import { expect, test } from 'vitest';
import { fitColumns, withRoomForHead, withRoomForWords } from './fitColumns.ts';

const column = (key: string, width?: number, fixed?: 'start' | 'end') => ({ key, ...(width && { width }), ...(fixed && { fixed }) });
const keys = (columns: readonly { key: string }[]) => columns.map(({ key }) => key);

test('columns stand side by side as far as there is room, the first before the later', () => {
  const columns = [column('name', 200), column('open', 80), column('visits', 100), column('remark', 300), column('created', 120)];
  const { shown, rest } = fitColumns(columns, 400);
  expect([keys(shown), keys(rest)]).toEqual([
    ['name', 'open', 'visits'],
    ['remark', 'created'],
  ]);
});

test('a narrow column takes the room that a wider one does not fit into', () => {
  expect(keys(fitColumns([column('name', 200), column('remark', 300), column('created', 120)], 350).shown)).toEqual(['name', 'created']);
});

test('the first column and fixed ones stand where there is no room at all; a column without a width has the usual one', () => {
  const columns = [column('name'), column('open', 80), column('state', 80, 'end')];
  expect(keys(fitColumns(columns, 0).shown)).toEqual(['name', 'state']);
  expect(keys(fitColumns(columns, 320).shown)).toEqual(['name', 'open', 'state']);
});

test('a head’s longest word is not cut, beside the sorter where there is one; Chinese breaks anywhere', () => {
  expect(withRoomForHead(column('name', 90), 'Recommended products').width).toBeGreaterThan(120);
  expect(withRoomForHead({ ...column('name', 90), sortable: true }, 'Purchases').width).toBeGreaterThan(120);
  expect(withRoomForHead(column('name', 200), 'Recommended')).toEqual(column('name', 200));
  expect(withRoomForHead(column('name', 90), '推荐位与排行榜的位置').width).toBe(90);
});

test('a column of states is as wide as the longest one shown, and leaves room for the others', () => {
  expect(withRoomForWords(column('state', 100), 120).width).toBeGreaterThan(120);
  expect(withRoomForWords(column('state', 100), 60)).toEqual(column('state', 100));
  expect(withRoomForWords(column('state', 100), 0)).toEqual(column('state', 100));
  expect(withRoomForWords(column('state', 100), 9000).width).toBeLessThan(200);
});
