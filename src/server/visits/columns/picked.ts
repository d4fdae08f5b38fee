import type { ByteColumn, NamedColumn, Piece, ReadPiece, WideColumn } from './layout.ts';
import { blockLength } from './layout.ts';
import { roomFor } from './rooms.ts';

/** Positions of visits of a day, the last not included. */
export type Range = readonly [first: number, end: number];

/** The columns of some visits of a day, until others are picked. Arrays are of one width, so that loops over them are compiled for one kind. */
export type Picked = {
  length: number;
  wide: (column: WideColumn) => Uint32Array;
  bytes: (column: ByteColumn) => Uint8Array;
  named: (column: NamedColumn) => { ids: Float64Array; places: Uint32Array };
};

type Pieces = { columns: Record<WideColumn | ByteColumn, Piece>; named: Record<NamedColumn, { ids: Piece; places: Piece }> };

export function pickRows(ranges: readonly Range[], { columns, named }: Pieces, read: ReadPiece): Picked {
  const length = ranges.reduce((sum, [first, end]) => sum + end - first, 0);
  const fill = <T extends Uint8Array | Uint32Array>(numbers: T, piece: Piece): T => {
    let kept = 0;
    for (const { first, end, own } of windowsOf(ranges, piece.width)) {
      const found = read(piece, first, end);
      for (const [from, to] of own) {
        numbers.set(found.subarray(from - first, to - first), kept);
        kept += to - from;
      }
    }
    return numbers;
  };
  return {
    length,
    wide: once((column) => fill(roomFor(column, length), columns[column])),
    bytes: once((column) => fill(new Uint8Array(length), columns[column])),
    named: once((column) => {
      const { ids, places } = named[column];
      return { ids: new Float64Array(read(ids, 0, ids.length)), places: fill(roomFor(column, length), places) };
    }),
  };
}

type Window = { first: number; end: number; own: Range[] };

/** Ranges that are read at once: what lies between them is not worth a look of its own. */
function windowsOf(ranges: readonly Range[], width: number): Window[] {
  const windows: Window[] = [];
  for (const range of ranges) {
    const last = windows.at(-1);
    if (last && (range[0] - last.end) * width < blockLength) {
      last.own.push(range);
      last.end = range[1];
    } else windows.push({ first: range[0], end: range[1], own: [range] });
  }
  return windows;
}

/** What was read once is not read again. */
function once<K, T>(read: (key: K) => T): (key: K) => T {
  const known = new Map<K, T>();
  return (key) => {
    const value = known.get(key) ?? read(key);
    known.set(key, value);
    return value;
  };
}
