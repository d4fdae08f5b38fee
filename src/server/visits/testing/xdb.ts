import { addressText } from '../../kit/network/ip-range.ts';

/** A segment of a list, by its last address; it begins where the one before it ends. */
export type XdbRow = readonly [last: bigint, text: string];
type Options = { structure?: 2 | 3; family?: 4 | 6; made_at?: number };

const headerBytes = 256;
const vectorBytes = 65_536 * 8;

export const lastAddress = { 4: (1n << 32n) - 1n, 6: (1n << 128n) - 1n } as const;

function addressBytes(value: bigint, family: 4 | 6): Buffer {
  const bytes = Buffer.alloc(family === 4 ? 4 : 16);
  if (family === 4) bytes.writeUInt32LE(Number(value));
  else {
    bytes.writeBigUInt64BE(value >> 64n, 0);
    bytes.writeBigUInt64BE(value & 0xffffffffffffffffn, 8);
  }
  return bytes;
}

/** An xdb file as ip2region's maker writes it: each text once, the speed-up index by the first two bytes, the segments. */
export function xdbFile(rows: readonly XdbRow[], { structure = 3, family = 4, made_at = Date.UTC(2026, 4, 6) }: Options = {}): Buffer {
  const head = Buffer.alloc(headerBytes + vectorBytes);
  const texts = [...new Set(rows.map(([, text]) => text))];
  const places = new Map<string, { at: number; length: number }>();
  let at = head.length;
  for (const text of texts) {
    const length = Buffer.byteLength(text);
    places.set(text, { at, length });
    at += length;
  }
  const size = family === 4 ? 14 : 38;
  let start = 0n;
  const entries = rows.map(([last, text], row) => {
    const tail = Buffer.alloc(6);
    tail.writeUInt16LE(places.get(text)?.length ?? 0, 0);
    tail.writeUInt32LE(places.get(text)?.at ?? 0, 2);
    const entry = Buffer.concat([addressBytes(start, family), addressBytes(last, family), tail]);
    const shift = family === 4 ? 16n : 112n;
    for (let cell = Number(start >> shift); cell <= Number(last >> shift); cell += 1) {
      const cellAt = headerBytes + cell * 8;
      if (head.readUInt32LE(cellAt) === 0) head.writeUInt32LE(at + row * size, cellAt);
      head.writeUInt32LE(at + (row + 1) * size, cellAt + 4);
    }
    start = last + 1n;
    return entry;
  });
  head.writeUInt16LE(structure, 0);
  head.writeUInt16LE(1, 2);
  head.writeUInt32LE(made_at / 1000, 4);
  head.writeUInt32LE(at, 8);
  head.writeUInt32LE(at + (rows.length - 1) * size, 12);
  if (structure === 3) {
    head.writeUInt16LE(family, 16);
    head.writeUInt16LE(4, 18);
  }
  return Buffer.concat([head, ...texts.map((text) => Buffer.from(text)), ...entries]);
}

/** The segment that holds an address, by a plain scan. */
export const scanned = (rows: readonly XdbRow[], address: bigint): string => rows.find(([last]) => address <= last)?.[1] ?? '';

export const ipOf = (family: 4 | 6, address: bigint): string => addressText(family, address);
