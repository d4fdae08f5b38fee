import { unionOf } from './addresses.ts';
import { narrow, openDay } from './day-file.ts';
import type { Visits } from './day-of.ts';
import { byteColumns, type NamedColumn, type Numbers, namedColumns } from './layout.ts';

/**
 * The visits that the file of a part or a tail has.
 * @throws Error where there is none, or it is damaged
 */
export function storedVisits(path: string): Visits {
  const file = openDay(path);
  try {
    const [picked, addresses] = [file.pick([[0, file.visits]]), file.addresses()];
    const copy = (numbers: Uint32Array): Numbers => narrow(Uint32Array.from(numbers));
    return {
      visits: file.visits,
      codes: file.codes(),
      wide: { at: copy(picked.wide('at')), visitor: copy(picked.wide('visitor')) },
      bytes: { slot: picked.bytes('slot'), outcome: picked.bytes('outcome'), flags: picked.bytes('flags') },
      named: Object.fromEntries(
        namedColumns.map((column) => {
          const { ids, places } = picked.named(column);
          return [column, { ids, places: copy(places) }];
        }),
      ) as Visits['named'],
      addresses: addresses && { codes: addresses.codes, starts: addresses.starts, hashes: addresses.read(0, addresses.length) },
    };
  } finally {
    file.close();
  }
}

/** Visits of a code, and of which of two they are. */
type Run = { isLater: boolean; first: number; end: number };

/** By code, and of each code the earlier visits first. */
function runsOf(earlier: Visits, later: Visits): { codes: Visits['codes']; runs: Run[] } {
  const all = [earlier, later].flatMap(({ codes: { ids, starts }, visits }, number) =>
    Array.from(ids, (code, place) => ({ code, isLater: number === 1, first: starts[place] ?? 0, end: starts[place + 1] ?? visits })),
  );
  const runs = all.sort((one, other) => one.code - other.code || Number(one.isLater) - Number(other.isLater));
  const [ids, starts]: [number[], number[]] = [[], []];
  let before = 0;
  for (const { code, first, end } of runs) {
    if (code !== ids.at(-1)) {
      ids.push(code);
      starts.push(before);
    }
    before += end - first;
  }
  return { codes: { ids: Float64Array.from(ids), starts: Uint32Array.from(starts) }, runs };
}

function joined<T extends Uint8Array | Uint32Array>(
  into: T,
  runs: readonly Run[],
  earlier: ArrayLike<number>,
  later: ArrayLike<number>,
): T {
  let kept = 0;
  for (const { isLater, first, end } of runs) {
    const from = isLater ? later : earlier;
    for (let position = first; position < end; position += 1) into[kept++] = from[position] as number;
  }
  return into;
}

/** Numbers in place of those that stand for them. */
function renumbered(numbers: Numbers, by: Uint32Array): Uint32Array {
  const found = new Uint32Array(numbers.length);
  for (let position = 0; position < numbers.length; position += 1) found[position] = by[numbers[position] as number] as number;
  return found;
}

/** One dictionary for two, and the places of the second's ids in it. */
function dictionaryOf(ids: Float64Array, others: Float64Array): { ids: Float64Array; ofOthers: Uint32Array } {
  const places = new Map(Array.from(ids, (id, place) => [id, place]));
  for (const id of others) if (!places.has(id)) places.set(id, places.size);
  return { ids: Float64Array.from(places.keys()), ofOthers: Uint32Array.from(others, (id) => places.get(id) ?? 0) };
}

/**
 * The visits of a part or a tail, and those that came after it on the same day.
 * @throws Error where either does not tell its addresses
 */
export function merged(earlier: Visits, later: Visits): Visits {
  if (!earlier.addresses || !later.addresses) throw new Error('visits of a day that is over do not go on');
  const { codes, runs } = runsOf(earlier, later);
  const visits = earlier.visits + later.visits;
  const join = (own: Numbers, others: Numbers) => narrow(joined(new Uint32Array(visits), runs, own, others));
  const { addresses, ofOne, ofOther } = unionOf(earlier.addresses, later.addresses);
  const named = namedColumns.map((column): [NamedColumn, Visits['named'][NamedColumn]] => {
    const [own, others] = [earlier.named[column], later.named[column]];
    const { ids, ofOthers } = dictionaryOf(own.ids, others.ids);
    return [column, { ids, places: join(own.places, renumbered(others.places, ofOthers)) }];
  });
  return {
    ...{ visits, codes, addresses },
    wide: {
      at: join(earlier.wide.at, later.wide.at),
      visitor: join(renumbered(earlier.wide.visitor, ofOne), renumbered(later.wide.visitor, ofOther)),
    },
    bytes: Object.fromEntries(
      byteColumns.map((column) => [column, joined(new Uint8Array(visits), runs, earlier.bytes[column], later.bytes[column])]),
    ) as Visits['bytes'],
    named: Object.fromEntries(named) as Visits['named'],
  };
}
