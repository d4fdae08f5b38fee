import { inflateRawSync } from 'node:zlib';
import { ImportFault } from './import.faults.ts';

/** What a workbook may be when it is unpacked. */
const maxUnpackedBytes = 100_000_000;
const maxParts = 2_000;
/** A cell of a spreadsheet has 32,767 characters at most, and no tag comes near it: what a reader of markup does with more grows by its square. */
const maxRunBytes = 200_000;

const [tagBegin, tagEnd] = [0x3c, 0x3e];
const stored = 0;
const deflated = 8;

type Part = { method: number; packed: number; unpacked: number; offset: number };

/**
 * Refuses a workbook that would cost far more to read than it is: by what its directory says it unpacks to, and by tags and texts longer than
 * any spreadsheet writes, before a reader sees them.
 * @throws ImportFault
 */
export function checkWorkbook(bytes: Uint8Array): void {
  const parts = partsOf(bytes);
  if (parts.length === 0) throw new ImportFault('import.unreadable');
  const unpacked = parts.reduce((sum, part) => sum + part.unpacked, 0);
  if (unpacked > maxUnpackedBytes || parts.length > maxParts) throw new ImportFault('import.too_large');
  for (const part of parts) if (hasLongRun(contentOf(bytes, part))) throw new ImportFault('import.too_demanding');
}

/** The entries of the archive's directory. */
function partsOf(bytes: Uint8Array): Part[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Part[] = [];
  for (let at = 0; at + 46 <= bytes.length; at += 1) {
    if (view.getUint32(at, true) !== 0x02014b50) continue;
    const [unpacked = 0, packed = 0, offset = 0] = largeNumbers(
      view,
      at,
      [24, 20, 42].map((field) => view.getUint32(at + field, true)),
    );
    parts.push({ method: view.getUint16(at + 10, true), unpacked, packed, offset });
    at += 45 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return parts;
}

/** Those that 32 bits don't hold stand in the extra field of 64 bits, in this order. */
function largeNumbers(view: DataView, at: number, numbers: number[]): number[] {
  let field = at + 46 + view.getUint16(at + 28, true);
  const end = Math.min(field + view.getUint16(at + 30, true), view.byteLength);
  for (; field + 4 <= end; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== 1) continue;
    let next = field + 4;
    return numbers.map((number) => {
      if (number !== 0xffffffff || next + 8 > end) return number;
      next += 8;
      return Number(view.getBigUint64(next - 8, true));
    });
  }
  return numbers;
}

/** What a part unpacks to, no more than its directory says. */
function contentOf(bytes: Uint8Array, { method, packed, unpacked, offset }: Part): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (offset + 30 > bytes.length) throw new ImportFault('import.unreadable');
  const begin = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  const content = bytes.subarray(begin, begin + packed);
  if (method === stored || content.length === 0) return content;
  if (method !== deflated) throw new ImportFault('import.unreadable');
  try {
    return inflateRawSync(content, { maxOutputLength: Math.max(1, unpacked) });
  } catch {
    throw new ImportFault('import.unreadable');
  }
}

/** Only markup is looked at: pictures in a workbook are read by nobody. */
function hasLongRun(content: Uint8Array): boolean {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  // A mark of the encoding may stand before the first tag.
  if (!text.subarray(0, 8).includes(tagBegin)) return false;
  for (let at = 0; at < text.length; ) {
    const begin = indexOr(text, tagBegin, at);
    if (begin - at > maxRunBytes) return true;
    const end = indexOr(text, tagEnd, begin);
    if (end - begin > maxRunBytes) return true;
    at = end + 1;
  }
  return false;
}

function indexOr(text: Buffer, byte: number, from: number): number {
  const at = text.indexOf(byte, from);
  return at < 0 ? text.length : at;
}
