import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { outcomes } from '../../../contract/enums.ts';
import { type Day, isByShortCode, isFirstEver, isFirstOfDay, type NamedColumn, namedColumns, narrow } from './day-file.ts';
import { type Addresses, addressHash } from './parts.ts';

const passed = outcomes.indexOf('passed');

/** Numbers that grow as they come. */
function createGrowing() {
  let numbers = new Uint32Array(4_096);
  let length = 0;
  let largest = 0;
  return {
    push(number: number): void {
      if (length === numbers.length) {
        const longer = new Uint32Array(length * 2);
        longer.set(numbers);
        numbers = longer;
      }
      numbers[length++] = number;
      if (number > largest) largest = number;
    },
    done: () => narrow(numbers.slice(0, length), largest),
    largest: () => largest,
  };
}

function createNamed() {
  const known = new Map<number, number>();
  const places = createGrowing();
  return {
    push(id: number): number {
      let place = known.get(id);
      if (place === undefined) {
        place = known.size;
        known.set(id, place);
      }
      places.push(place);
      return place;
    },
    done: () => ({ ids: Float64Array.from(known.keys()), places: places.done() }),
  };
}

/** Numbers by position, that grow with the positions. */
function createPlaced() {
  let numbers = new Float64Array(4_096);
  let length = 1;
  return {
    put(position: number, number: number): void {
      if (position >= numbers.length) {
        const longer = new Float64Array(Math.max(position + 1, numbers.length * 2));
        longer.set(numbers);
        numbers = longer;
      }
      numbers[position] = number;
      if (position >= length) length = position + 1;
    },
    done: () => numbers.slice(0, length),
  };
}

const columns = ['at', 'visitor', 'outcome', 'flags', ...namedColumns, 'hash'] as const;

/** Rows of numbers as COPY writes them, whose pieces end anywhere. */
async function readRows(stream: AsyncIterable<Buffer>, take: (row: Float64Array) => void): Promise<void> {
  const row = new Float64Array(columns.length);
  let column = 0;
  let number = 0;
  for await (const piece of stream) {
    for (let index = 0; index < piece.length; index += 1) {
      const byte = piece[index] ?? 0;
      if (byte >= 48) {
        number = number * 10 + byte - 48;
        continue;
      }
      row[column++] = number;
      number = 0;
      if (byte !== 10) continue;
      take(row);
      column = 0;
    }
  }
}

type Asked = { from: string; to: string; isPart: boolean };

/** Reads a day of the site, or its first hours, from the rows, as the client's transaction sees them. */
export async function readDay(client: pg.ClientBase, { from, to, isPart }: Asked): Promise<Day> {
  const moments = [from, to].map((moment) => `'${new Date(moment).toISOString()}'::timestamptz`);
  const within = (column: string) => `${column} >= ${moments[0]} AND ${column} < ${moments[1]}`;
  const named = Object.fromEntries(namedColumns.map((column) => [column, createNamed()])) as Record<
    NamedColumn,
    ReturnType<typeof createNamed>
  >;
  const [at, visitor, outcome, flags] = [createGrowing(), createGrowing(), createGrowing(), createGrowing()];
  /** Visits that passed by code. */
  const kept = new Map<number, number>();
  const addresses = { codes: createPlaced(), hashes: createPlaced() };
  let visits = 0;
  const stream = client.query(
    copyTo(`COPY (
      SELECT (extract(epoch FROM visit.at - ${moments[0]}) * 1000)::bigint, dense_rank() OVER (ORDER BY coalesce(live_code_id, 0), ${addressHash('ip')}, ip), outcome,
        unique_ip::integer * ${isFirstOfDay} + first_visit::integer * ${isFirstEver} + (coalesce(short_code_id, 0) > 0)::integer * ${isByShortCode},
        coalesce(live_code_id, 0), coalesce(target_id, 0), place_id, agent_id, coalesce(language_id, 0), coalesce(referer_id, 0), host_id,
        ${isPart ? addressHash('ip') : '0'}
      FROM visit WHERE ${within('visit.at')} ORDER BY visit.at, visit.id) TO STDOUT`),
  );
  await readRows(stream, (row) => {
    visits += 1;
    at.push(row[0] ?? 0);
    visitor.push(row[1] ?? 0);
    outcome.push(row[2] ?? 0);
    flags.push(row[3] ?? 0);
    for (const [index, column] of namedColumns.entries()) named[column].push(row[4 + index] ?? 0);
    if (isPart) {
      addresses.codes.put(row[1] ?? 0, row[4] ?? 0);
      addresses.hashes.put(row[1] ?? 0, row[4 + namedColumns.length] ?? 0);
    }
    if (row[2] === passed) kept.set(row[4] ?? 0, (kept.get(row[4] ?? 0) ?? 0) + 1);
  });
  const { rows } = await client.query<{ code: number; visits: number }>(
    `SELECT live_code_id::float8 AS code, sum(visits)::float8 AS visits FROM visit_hour WHERE ${within('hour')} AND outcome = ${passed} AND live_code_id > 0 GROUP BY 1`,
  );
  const incomplete = rows.filter(({ code, visits: counted }) => kept.get(code) !== counted).map(({ code }) => code);
  return {
    visits,
    plain: { at: at.done(), outcome: outcome.done(), flags: flags.done(), visitor: visitor.done() },
    named: Object.fromEntries(namedColumns.map((column) => [column, named[column].done()])) as Day['named'],
    incomplete: Float64Array.from(incomplete),
    addresses: isPart ? ({ codes: addresses.codes.done(), hashes: addresses.hashes.done() } satisfies Addresses) : undefined,
  };
}
