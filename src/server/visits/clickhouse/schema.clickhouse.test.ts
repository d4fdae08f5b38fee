import { readFileSync } from 'node:fs';
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

test('the engine takes the age that deploy/clickhouse.xml sets for each of its own logs', async () => {
  const clickhouse = openClickhouse(`${inject('clickhouse')}/default`);
  const settings = readFileSync(new URL('../../../../deploy/clickhouse.xml', import.meta.url), 'utf8');
  const ages = [...settings.matchAll(/<(\w+_log)>(?:\s*<level>\w+<\/level>)?\s*<ttl>([^<]+)<\/ttl>\s*<\/\1>/g)];
  expect(ages.length).toBe(settings.match(/<ttl>/g)?.length);
  for (const [, log, age] of ages) {
    await clickhouse.run(
      `CREATE TABLE aged_${log} (event_date Date, event_time DateTime) ENGINE = MergeTree ORDER BY event_time TTL ${age}`,
    );
    await clickhouse.run(`INSERT INTO aged_${log} VALUES ('2020-01-01', '2020-01-01 00:00:00'), (today(), now())`);
    await clickhouse.run(`OPTIMIZE TABLE aged_${log} FINAL`);
    expect(await clickhouse.columns(`SELECT count() FROM aged_${log}`)).toEqual([[1]]);
    await clickhouse.run(`DROP TABLE aged_${log}`);
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
