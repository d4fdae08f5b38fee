export type PictureKind = 'jpg' | 'png' | 'webp' | 'gif';
export type PictureHeader = {
  kind: PictureKind;
  width: number;
  height: number;
  channels: number;
  sampleBytes: number;
  isProgressive: boolean;
};

type Size = { width: number; height: number };

const eightBit = { channels: 4, sampleBytes: 1, isProgressive: false };

/** The kind of picture by its first bytes; what the sender calls it is not asked. */
function kindOf(bytes: Buffer): PictureKind | undefined {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpg';
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'png';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp';
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return 'gif';
  return undefined;
}

/** What a picture says of itself before its pixels; undefined where it is none. Reads some bytes and decodes nothing. */
export function readPictureHeader(bytes: Buffer): PictureHeader | undefined {
  const kind = kindOf(bytes);
  try {
    if (kind === 'png') return pngHeader(bytes);
    if (kind === 'jpg') return jpegHeader(bytes);
    const size = kind === 'webp' ? webpSize(bytes) : kind === 'gif' ? gifSize(bytes) : undefined;
    return kind && size && size.width > 0 && size.height > 0 ? { kind, ...size, ...eightBit } : undefined;
  } catch (error) {
    // Cut off in its header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Channels by the colour type of PNG; palettes become colours. */
const pngChannels: Record<number, number> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };

function pngHeader(bytes: Buffer): PictureHeader | undefined {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const channels = pngChannels[bytes.readUInt8(25)];
  if (bytes.toString('latin1', 12, 16) !== 'IHDR' || !channels || width === 0 || height === 0) return undefined;
  const transparency = channels % 2 === 1 && hasTransparency(bytes) ? 1 : 0;
  return {
    kind: 'png',
    width,
    height,
    channels: channels + transparency,
    sampleBytes: bytes.readUInt8(24) === 16 ? 2 : 1,
    isProgressive: false,
  };
}

/** Whether a chunk before the pixels gives them transparency. */
function hasTransparency(bytes: Buffer): boolean {
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (name === 'tRNS') return true;
    if (name === 'IDAT') return false;
  }
  return false;
}

/** Walks over the segments to the frame's header (SOF0–15, but for the three of them that mean something else). */
function jpegHeader(bytes: Buffer): PictureHeader | undefined {
  let at = 2;
  for (;;) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      if (width === 0 || height === 0) return undefined;
      return { kind: 'jpg', width, height, channels: bytes.readUInt8(at + 9), sampleBytes: 1, isProgressive: marker % 4 === 2 };
    }
    const standsAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += standsAlone ? 2 : 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
}

/** The screen and the first frame, which is the one that is kept: either may be the larger. */
function gifSize(bytes: Buffer): Size | undefined {
  const [width, height, flags] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8), bytes.readUInt8(10)];
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  while (bytes.readUInt8(at) === 0x21) {
    at += 2;
    while (bytes.readUInt8(at) !== 0) at += 1 + bytes.readUInt8(at);
    at += 1;
  }
  if (bytes.readUInt8(at) !== 0x2c) return undefined;
  const [left, top, ownWidth, ownHeight] = [1, 3, 5, 7].map((offset) => bytes.readUInt16LE(at + offset));
  return { width: Math.max(width, (left ?? 0) + (ownWidth ?? 0)), height: Math.max(height, (top ?? 0) + (ownHeight ?? 0)) };
}

/** The largest of the canvas and of all that stands in it, animated or not. */
function webpSize(bytes: Buffer): Size {
  const size = { width: 0, height: 0 };
  const grow = (width: number, height: number): void => {
    size.width = Math.max(size.width, width);
    size.height = Math.max(size.height, height);
  };
  for (let at = 12; at + 8 <= bytes.length; ) {
    const [name, length, from] = [bytes.toString('latin1', at, at + 4), bytes.readUInt32LE(at + 4), at + 8];
    if (name === 'VP8X') grow(bytes.readUIntLE(from + 4, 3) + 1, bytes.readUIntLE(from + 7, 3) + 1);
    else if (name === 'VP8L') grow((bytes.readUInt32LE(from + 1) & 0x3fff) + 1, ((bytes.readUInt32LE(from + 1) >> 14) & 0x3fff) + 1);
    else if (name === 'VP8 ') grow(bytes.readUInt16LE(from + 6) & 0x3fff, bytes.readUInt16LE(from + 8) & 0x3fff);
    // A frame is a place, a size, and chunks of its own.
    at = name === 'ANMF' ? from + 16 : from + length + (length % 2);
  }
  return size;
}
