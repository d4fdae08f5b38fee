import { expect, inject, test } from 'vitest';
import { changes, tableOfRows } from './schema.ts';
import { openClickhouse, quoted } from './server.ts';

const layouts = [
  { database: 'visits', cluster: undefined },
  { database: 'visits', cluster: 'main' },
] as const;

// A cluster needs servers and a keeper, which a process does not have: its statements are read only.
test.each(layouts)('the engine understands every statement of the schema: %o', async (layout) => {
  const clickhouse = openClickhouse(`${inject('clickhouse')}/default`);
  for (const statement of [...changes.flatMap((change) => change(layout)), `ALTER TABLE ${tableOfRows(layout)} DELETE WHERE id = 1`]) {
    const [[read] = []] = await clickhouse.columns(`SELECT formatQuerySingleLine(${quoted(statement)})`);
    expect(read).toContain(layout.cluster ? 'ON CLUSTER main' : 'visit');
  }
});

test('what a statement quotes stays a text', async () => {
  const clickhouse = openClickhouse(`${inject('clickhouse')}/default`);
  for (const text of ["it's", '\\', "\\'; DROP", '\n\t']) expect(await clickhouse.columns(`SELECT ${quoted(text)}`)).toEqual([[text]]);
});

test('what the server refuses is told in its own words', async () => {
  const clickhouse = openClickhouse(`${inject('clickhouse')}/default`);
  await expect(clickhouse.columns('SELECT nothing_of_the_kind')).rejects.toThrow(/nothing_of_the_kind/);
});
