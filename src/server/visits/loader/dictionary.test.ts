import { describe, expect, test } from 'vitest';
import { openWorkbench } from '../testing/loading.ts';
import { createDictionary, keySeparator } from './dictionary.ts';

const texts = (limit = 100, newPerHour = 1000) =>
  createDictionary({
    table: 'visit_text',
    columns: [['text', 'text']],
    keyColumns: 1,
    entryOf: (row) => Number(row.id),
    limit,
    overflow: { key: '', newPerHour },
  });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);

describe('a dictionary', () => {
  test('numbers each text once, however many ask in whatever order, and whatever it remembers', async () => {
    const bench = await openWorkbench();
    const keys = numbered(300);
    const [small, other] = [texts(10), texts()];
    const first = await small.resolve(bench.client, keys, (text) => [text]);
    const second = await other.resolve(bench.client, keys.toReversed(), (text) => [text]);
    expect(first.size).toBe(300);
    for (const key of keys) expect(second.get(key)).toBe(first.get(key));
    expect(await bench.one('SELECT count(*)::int AS count FROM visit_text')).toEqual({ count: 300 });
    expect(await small.resolve(bench.client, keys, (text) => [text])).toEqual(first);
  });

  test('uses up no number for what is there already', async () => {
    const bench = await openWorkbench();
    for (let round = 0; round < 5; round += 1) await texts().resolve(bench.client, numbered(50), (text) => [text]);
    await texts().resolve(bench.client, ['last'], (text) => [text]);
    expect(await bench.one('SELECT max(id) AS last FROM visit_text')).toEqual({ last: 51 });
  });

  test('takes a bounded number of new texts an hour; the empty one stands for the others', async () => {
    const bench = await openWorkbench();
    const dictionary = texts(100, 20);
    const found = await dictionary.resolve(bench.client, ['', ...numbered(50)], (text) => [text]);
    expect(found.size).toBe(51);
    expect([...found.values()].filter((id) => id === found.get(''))).toHaveLength(32);
    expect(await bench.one('SELECT count(*)::int AS count FROM visit_text')).toEqual({ count: 20 });
    const again = await dictionary.resolve(bench.client, ['', 'text 3', 'another'], (text) => [text]);
    expect(again.get('text 3')).toBe(found.get('text 3'));
    expect(again.get('another')).toBe(found.get(''));
  });

  test('keeps parts of a key apart', async () => {
    const bench = await openWorkbench();
    const places = createDictionary({
      table: 'visit_place',
      columns: (['country', 'region', 'city', 'carrier'] as const).map((name) => [name, 'text'] as const),
      keyColumns: 4,
      entryOf: (row) => Number(row.id),
      limit: 10,
    });
    const keys = [
      ['a', '', 'b', ''],
      ['a', 'b', '', ''],
      ['', 'a', 'b', ''],
      ['{"', "'", '\\', ','],
    ].map((parts) => parts.join(keySeparator));
    const found = await places.resolve(bench.client, keys, (key) => key.split(keySeparator));
    expect(new Set(found.values()).size).toBe(4);
  });
});
