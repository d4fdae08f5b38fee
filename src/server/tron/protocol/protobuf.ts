/** The part of Protocol Buffers that transactions of TRON are written in: varints and bytes with a length. */

export type Field = { number: number; value: bigint | Buffer };

const varintKind = 0;
const bytesKind = 2;
const maxVarintBytes = 10;

export function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}

/** A field as it is written; what is zero or empty is left out, as the format's third version does. */
export function field(number: number, value: bigint | Uint8Array): Buffer {
  if (typeof value === 'bigint') return value === 0n ? Buffer.alloc(0) : Buffer.concat([varint(BigInt(number << 3)), varint(value)]);
  if (value.length === 0) return Buffer.alloc(0);
  return Buffer.concat([varint(BigInt((number << 3) | bytesKind)), varint(BigInt(value.length)), value]);
}

/** @throws where the bytes are cut, or hold a kind of field that no transaction has */
export function readFields(bytes: Uint8Array): Field[] {
  const buffer = Buffer.from(bytes);
  const fields: Field[] = [];
  let at = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0; shift < maxVarintBytes; shift += 1) {
      const byte = buffer[at];
      if (byte === undefined) throw new Error('the message is cut');
      at += 1;
      value |= BigInt(byte & 0x7f) << BigInt(7 * shift);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new Error('a number is too long');
  };
  while (at < buffer.length) {
    const tag = Number(readVarint());
    const kind = tag & 7;
    if (kind === varintKind) {
      fields.push({ number: tag >>> 3, value: readVarint() });
      continue;
    }
    if (kind !== bytesKind) throw new Error(`fields of the kind ${kind} are not known`);
    const length = Number(readVarint());
    if (at + length > buffer.length) throw new Error('the message is cut');
    fields.push({ number: tag >>> 3, value: buffer.subarray(at, at + length) });
    at += length;
  }
  return fields;
}

/** One field of a message that was read: the last one, as the format says; undefined where it is missing. */
export function numberIn(fields: readonly Field[], number: number): bigint {
  const found = fields.findLast((one) => one.number === number)?.value;
  if (found !== undefined && typeof found !== 'bigint') throw new Error(`field ${number} is no number`);
  return found ?? 0n;
}

export function bytesIn(fields: readonly Field[], number: number): Buffer {
  const found = fields.findLast((one) => one.number === number)?.value;
  if (typeof found === 'bigint') throw new Error(`field ${number} is no bytes`);
  return found ?? Buffer.alloc(0);
}
