/** Columns whose values are few and far apart: each has a dictionary of its numbers, and a place in it for every visit. */
export const namedColumns = ['target', 'place', 'agent', 'language', 'referer', 'host'] as const;
export type NamedColumn = (typeof namedColumns)[number];
/** `at` are milliseconds since the start of the day; `visitor` numbers a code and an address. */
export const wideColumns = ['at', 'visitor'] as const;
export type WideColumn = (typeof wideColumns)[number];
/** Below 256: `slot` is the quarter of an hour of the day, `flags` are those below. */
export const byteColumns = ['slot', 'outcome', 'flags'] as const;
export type ByteColumn = (typeof byteColumns)[number];

/** What counts by hour had of each code on the day, also of codes that keep no rows. */
export const codeSums = ['visits', 'ips', 'new_ips', 'refused'] as const;
export type CodeSum = (typeof codeSums)[number];
export const isSum = (name: string): name is CodeSum => (codeSums as readonly string[]).includes(name);

export const isFirstOfDay = 1;
export const isFirstEver = 2;
/** Passed a short code, where it is counted, too. */
export const isByShortCode = 4;

/** A quarter of an hour: every change of clocks is a multiple of it. */
export const slotLength = 900_000;

export type Numbers = Uint8Array | Uint16Array | Uint32Array;
/** Numbers as they lie in a file. */
export type Piece = { at: number; length: number; width: 1 | 2 | 4 | 8 };
/** Reads numbers of a piece from `first` on. */
export type ReadPiece = (piece: Piece, first: number, end: number) => Numbers | Float64Array;

/** What is read is checked by blocks, so that a few visits of a day are read without the rest. */
export const blockLength = 16_384;

/** Room for a number at a position, twice as much where there is none. */
export function grown(numbers: Float64Array<ArrayBuffer>, position: number): Float64Array<ArrayBuffer> {
  if (position < numbers.length) return numbers;
  const longer = new Float64Array(Math.max(position + 1, numbers.length * 2));
  longer.set(numbers);
  return longer;
}
