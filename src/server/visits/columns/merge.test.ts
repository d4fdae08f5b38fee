import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../kit/testing/database.ts';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { loadVisits } from '../testing/loading.ts';
import { writeDay } from './day-file.ts';
import { dayOf, type Visits } from './day-of.ts';
import { namedColumns } from './layout.ts';
import { merged, storedVisits } from './merge.ts';
import { readVisits } from './read-day.ts';

const start = Date.parse('2026-03-11T00:00:00Z');
const length = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();
let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const visit = fc.record({
    at: fc.integer({ min: start, max: start + length - 1 }),
    live_code_id: fc.integer({ min: 0, max: 6 }),
    outcome: fc.constantFrom(0, 0, 0, 4),
    ip: fc.constantFrom('8.8.8.8', '9.9.9.9', '1.1.1.1', '2400:3200::1'),
    language: fc.constantFrom('', 'zh-CN', 'en', 'fr'),
    host: fc.constantFrom('a.example.com', 'b.example.com'),
  });
  await loadVisits(
    database.url,
    fc.sample(visit, { numRuns: 200, seed: 3 }).map((one) => visitOf(one)),
  );
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const read = (from: number, to: number) => readVisits(client, { kind: 'tail', from: iso(start), since: iso(from), to: iso(to) });

/** Visits one by one, with what their numbers stand for. */
function listed({ codes, visits, wide, bytes, named, addresses }: Visits) {
  const addressOf = (position: number) => addresses?.hashes[wide.visitor[position] ?? 0];
  const codeOf = (position: number) => codes.ids[codes.starts.findLastIndex((first) => first <= position)];
  return Array.from({ length: visits }, (_, position) => [
    codeOf(position),
    wide.at[position],
    addressOf(position),
    ...[bytes.slot[position], bytes.outcome[position], bytes.flags[position]],
    ...namedColumns.map((column) => named[column].ids[named[column].places[position] ?? 0]),
  ]);
}

test('what is read in two parts, the first of them from its file, is what is read at once, wherever they are parted', async () => {
  const whole = await read(start, start + length);
  expect(whole.visits).toBe(200);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: length }), async (middle) => {
      const path = `${makeTestFolder()}/day.${middle}`;
      writeDay(path, dayOf(await read(start, start + middle), []));
      const both = merged(storedVisits(path), await read(start + middle, start + length));
      expect(listed(both)).toEqual(listed(whole));
      expect(both.addresses).toEqual(whole.addresses);
      expect([both.wide.visitor, both.bytes]).toEqual([whole.wide.visitor, whole.bytes]);
    }),
    { numRuns: 20, seed: 1, examples: [[0], [length]] },
  );
});
