import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { grantedOutcomes, outcomes } from '../../../contract/enums.ts';
import { mayHaveHours, momentText, unpacked } from '../statistics/hour-counts.ts';
import { addressesOf, addressHash } from './addresses.ts';
import type { DayTask } from './columns.ts';
import { narrow } from './day-file.ts';
import type { SumsOfCode, Visits } from './day-of.ts';
import { grown, isByShortCode, isFirstEver, isFirstOfDay, type NamedColumn, namedColumns, slotLength } from './layout.ts';

const passed = outcomes.indexOf('passed');
const granted = grantedOutcomes.map((outcome) => outcomes.indexOf(outcome));

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
    bytes: () => Uint8Array.from(numbers.subarray(0, length)),
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
      numbers = grown(numbers, position);
      numbers[position] = number;
      if (position >= length) length = position + 1;
    },
    done: () => numbers.slice(0, length),
  };
}

const columns = ['at', 'visitor', 'outcome', 'flags', 'code', ...namedColumns, 'hash'] as const;
const ofNames = columns.indexOf('code') + 1;

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

type Asked = Pick<DayTask, 'kind' | 'from' | 'to' | 'since'>;

const isWithin = (column: string, [from, to]: readonly [string, string]) => `${column} >= ${from} AND ${column} < ${to}`;

/** What counts by hour have of each code on a day of the site, or in its first hours. */
export async function readSums(client: pg.ClientBase, { from, to }: Asked): Promise<SumsOfCode[]> {
  const moments = [momentText(Date.parse(from)), momentText(Date.parse(to))] as const;
  const within = isWithin('hour', moments);
  const { rows } = await client.query<SumsOfCode>(
    `SELECT live_code_id::float8 AS code, coalesce(sum(visits) FILTER (WHERE outcome = ${passed}), 0)::float8 AS visits, sum(ips)::float8 AS ips,
      sum(new_ips)::float8 AS new_ips, coalesce(sum(visits) FILTER (WHERE outcome NOT IN (${granted.join(', ')})), 0)::float8 AS refused
     FROM (
        SELECT live_code_id, outcome, visits, ips, new_ips FROM visit_hour WHERE ${within} AND live_code_id > 0
        UNION ALL SELECT live_code_id, outcome, visits, ips, new_ips
        FROM (${unpacked('visit_hour', `visit_hour_packed AS packed WHERE ${mayHaveHours(...moments)}`)}) AS counts WHERE ${within}
      ) AS counts GROUP BY 1`,
  );
  return rows;
}

/** Reads a day of the site, its first hours, or what came `since` then, from the rows, as the client's transaction sees them. */
export async function readVisits(client: pg.ClientBase, { kind, from, to, since = from }: Asked): Promise<Visits> {
  const [start, moments] = [momentText(Date.parse(from)), [momentText(Date.parse(since)), momentText(Date.parse(to))] as const];
  const goesOn = kind !== 'day';
  const named = Object.fromEntries(namedColumns.map((column) => [column, createNamed()])) as Record<
    NamedColumn,
    ReturnType<typeof createNamed>
  >;
  const [at, slot, visitor, outcome, flags] = [createGrowing(), createGrowing(), createGrowing(), createGrowing(), createGrowing()];
  const [ids, starts]: [number[], number[]] = [[], []];
  const addresses = { codes: createPlaced(), hashes: createPlaced() };
  let visits = 0;
  const stream = client.query(
    copyTo(`COPY (
      SELECT (extract(epoch FROM visit.at - ${start}) * 1000)::bigint, dense_rank() OVER (ORDER BY coalesce(live_code_id, 0), ${addressHash('ip')}, ip), outcome,
        unique_ip::integer * ${isFirstOfDay} + first_visit::integer * ${isFirstEver} + (coalesce(short_code_id, 0) > 0)::integer * ${isByShortCode},
        coalesce(live_code_id, 0), coalesce(target_id, 0), place_id, agent_id, coalesce(language_id, 0), coalesce(referer_id, 0), host_id,
        ${goesOn ? addressHash('ip') : '0'}
      FROM visit WHERE ${isWithin('visit.at', moments)} ORDER BY coalesce(live_code_id, 0), visit.at, visit.id) TO STDOUT`),
  );
  await readRows(stream, (row) => {
    const [moment = 0, who = 0, what = 0, how = 0, code = 0] = row;
    if (code !== ids.at(-1)) {
      ids.push(code);
      starts.push(visits);
    }
    visits += 1;
    at.push(moment);
    slot.push(Math.floor(moment / slotLength));
    visitor.push(who);
    outcome.push(what);
    flags.push(how);
    for (const [index, column] of namedColumns.entries()) named[column].push(row[ofNames + index] ?? 0);
    if (goesOn) {
      addresses.codes.put(who, code);
      addresses.hashes.put(who, row[ofNames + namedColumns.length] ?? 0);
    }
  });
  return {
    visits,
    codes: { ids: Float64Array.from(ids), starts: Uint32Array.from(starts) },
    wide: { at: at.done(), visitor: visitor.done() },
    bytes: { slot: slot.bytes(), outcome: outcome.bytes(), flags: flags.bytes() },
    named: Object.fromEntries(namedColumns.map((column) => [column, named[column].done()])) as Visits['named'],
    addresses: goesOn ? addressesOf(addresses.codes.done(), addresses.hashes.done()) : undefined,
  };
}
