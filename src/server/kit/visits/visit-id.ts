import { createHmac, hash } from 'node:crypto';

/** Where the record of a visit lies: the segment's source and number, and the offset in it. */
export interface VisitPosition {
  source: string;
  number: number;
  offset: number;
}

/** The block is four words: two of the source's hash, the segment's number and the offset. */
const words = 4;
const idLength = Math.ceil((words * 4 * 4) / 3);
/** XXTEA's constant, and its rounds for four words. */
const delta = 0x9e3779b9 | 0;
const rounds = 6 + 52 / words;

const keyOf = (signingKey: Buffer): Int32Array => {
  const bytes = createHmac('sha256', signingKey).update('visit id').digest();
  return Int32Array.from({ length: words }, (_, index) => bytes.readInt32LE(index * 4));
};

const sourceWords = (source: string): [number, number] => {
  const bytes = Buffer.from(hash('sha256', source, 'hex'), 'hex');
  return [bytes.readInt32LE(0), bytes.readInt32LE(4)];
};

const mix = (key: Int32Array, y: number, z: number, sum: number, index: number): number =>
  ((((z >>> 5) ^ (y << 2)) + ((y >>> 3) ^ (z << 4))) ^ ((sum ^ y) + ((key[(index & 3) ^ ((sum >>> 2) & 3)] ?? 0) ^ z))) | 0;

/**
 * Makes the ids that visitors are told: positions in the journal through XXTEA (Wheeler and Needham, 1998), base64url. Unique as positions
 * are, and telling nothing without the site's key of visits. A cipher of `node:crypto` takes four times as long for one block.
 */
export function createVisitIds(source: string): (signingKey: Buffer, number: number, offset: number) => string {
  const [first, second] = sourceWords(source);
  const block = Buffer.alloc(words * 4);
  let keptFor: Buffer | undefined;
  let key: Int32Array = new Int32Array(words);
  return (signingKey, number, offset) => {
    if (keptFor !== signingKey) {
      keptFor = signingKey;
      key = keyOf(signingKey);
    }
    let a = first;
    let b = second;
    let c = number;
    let d = offset;
    let sum = 0;
    for (let round = 1; round <= rounds; round += 1) {
      sum = (sum + delta) | 0;
      a = (a + mix(key, b, d, sum, 0)) | 0;
      b = (b + mix(key, c, a, sum, 1)) | 0;
      c = (c + mix(key, d, b, sum, 2)) | 0;
      d = (d + mix(key, a, c, sum, 3)) | 0;
    }
    block.writeInt32LE(a, 0);
    block.writeInt32LE(b, 4);
    block.writeInt32LE(c, 8);
    block.writeInt32LE(d, 12);
    return block.toString('base64url');
  };
}

/** Reads the ids that these sources made; undefined for any other text. */
export function createVisitIdReader(signingKey: Buffer, sources: Iterable<string>): (id: string) => VisitPosition | undefined {
  const key = keyOf(signingKey);
  const known = new Map([...sources].map((source) => [sourceWords(source).join(), source]));
  return (id) => {
    const block = Buffer.from(id, 'base64url');
    if (id.length !== idLength || block.length !== words * 4) return undefined;
    let [a, b, c, d] = [block.readInt32LE(0), block.readInt32LE(4), block.readInt32LE(8), block.readInt32LE(12)];
    for (let round = rounds; round > 0; round -= 1) {
      const sum = Math.imul(round, delta);
      d = (d - mix(key, a, c, sum, 3)) | 0;
      c = (c - mix(key, d, b, sum, 2)) | 0;
      b = (b - mix(key, c, a, sum, 1)) | 0;
      a = (a - mix(key, b, d, sum, 0)) | 0;
    }
    const source = known.get([a, b].join());
    return source === undefined ? undefined : { source, number: c >>> 0, offset: d >>> 0 };
  };
}
