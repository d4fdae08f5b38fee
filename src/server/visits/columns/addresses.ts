/** Tells addresses of one code apart, as a whole number that JavaScript has without loss; `ip` names a column. */
export const addressHash = (ip: string): string => `(hashinetextended(${ip}, 0) >> 11 & ${Number.MAX_SAFE_INTEGER})`;

/** The addresses of a part or a tail as hashes, by code and in order; the number of each is its position, and 0 nobody's. */
export type Addresses = { codes: Float64Array; starts: Uint32Array; hashes: Float64Array };
/** The same in a file. */
export type StoredAddresses = Omit<Addresses, 'hashes'> & { length: number; read: (first: number, end: number) => Float64Array };
/** Addresses that came after what a day has files of, and the step of their first visit there. */
export type Later = { codes: Float64Array; hashes: Float64Array; steps: Uint16Array };

/** The hashes of a code, and the number of the first of them. */
type OfCode = { first: number; hashes: Float64Array };
type ByCode = ReadonlyMap<number, OfCode>;
const none: OfCode = { first: 0, hashes: new Float64Array() };

/** Addresses from numbers on, each with its code. */
export function addressesOf(codeOfNumber: Float64Array, hashes: Float64Array): Addresses {
  const [codes, starts]: [number[], number[]] = [[], []];
  for (let number = 1; number < codeOfNumber.length; number += 1) {
    const code = codeOfNumber[number] as number;
    if (codes.length > 0 && code === codes.at(-1)) continue;
    codes.push(code);
    starts.push(number);
  }
  return { codes: Float64Array.from(codes), starts: Uint32Array.from(starts), hashes };
}

/** Reads the addresses of the codes that have a mark, or of all; those of neighbours at once. */
export function readAddresses(stored: StoredAddresses | undefined, marks: Uint8Array | undefined): ByCode {
  const found = new Map<number, OfCode>();
  if (!stored) return found;
  const { codes, starts, length, read } = stored;
  const isAsked = (place: number) => place < codes.length && (!marks || marks[codes[place] as number] === 1);
  for (let place = 0; place < codes.length; place += 1) {
    if (!isAsked(place)) continue;
    const begin = place;
    while (isAsked(place + 1)) place += 1;
    const [from, hashes] = [starts[begin] as number, read(starts[begin] as number, starts[place + 1] ?? length)];
    for (let one = begin; one <= place; one += 1) {
      const [first, end] = [starts[one] as number, starts[one + 1] ?? length];
      found.set(codes[one] as number, { first, hashes: hashes.subarray(first - from, end - from) });
    }
  }
  return found;
}

/** The same by number; those of other codes are left out. */
export function hashesOf(stored: StoredAddresses | undefined, marks: Uint8Array | undefined): Float64Array {
  const hashes = new Float64Array(stored?.length ?? 0);
  for (const { first, hashes: own } of readAddresses(stored, marks).values()) hashes.set(own, first);
  return hashes;
}

/** The number of an address, 0 where it is not there. */
function numberOf(addresses: ByCode, code: number, hash: number): number {
  const { first, hashes } = addresses.get(code) ?? none;
  let [low, high] = [0, hashes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hashes[middle] as number) < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash ? first + low : 0;
}

/** Who came to a day, by number: those of its part first, and then those who came to its tail alone. */
export type Visitors = { part: ByCode; tail: ByCode; numbersOfTail: Uint32Array };

/** Numbers for the addresses of a part, which has some as large as `ofPart`, and of a tail. */
export function visitorsOf(part: ByCode, tail: ByCode, { ofPart, ofTail }: { ofPart: number; ofTail: number }): Visitors {
  const numbers = new Uint32Array(ofTail);
  let next = ofPart;
  for (const [code, { first, hashes }] of tail) {
    const known = part.get(code) ?? none;
    let place = 0;
    for (let own = 0; own < hashes.length; own += 1) {
      const hash = hashes[own] as number;
      while (place < known.hashes.length && (known.hashes[place] as number) < hash) place += 1;
      const isKnown = known.hashes[place] === hash;
      numbers[first + own] = isKnown ? known.first + place : next;
      next += isKnown ? 0 : 1;
    }
  }
  return { part, tail, numbersOfTail: numbers };
}

/** Adds those to the addresses of steps that are not among those seen, of whom there is a mark for each number. */
export function addLater(
  ips: Uint32Array,
  { codes, hashes, steps }: Later,
  { part, tail, numbersOfTail }: Visitors,
  seen: Uint8Array,
): void {
  for (let index = 0; index < steps.length; index += 1) {
    const [code, hash, step] = [codes[index] as number, hashes[index] as number, steps[index] as number];
    const number = numberOf(part, code, hash) || (numbersOfTail[numberOf(tail, code, hash)] ?? 0);
    // 0 is nobody's number.
    ips[step] = (ips[step] as number) + 1 - (seen[number] ?? 0);
  }
}

const rangesOf = ({ codes, starts, hashes }: Addresses) =>
  new Map(Array.from(codes, (code, place) => [code, [starts[place] ?? 0, starts[place + 1] ?? hashes.length] as const]));

/** All addresses of two parts in their order, and what numbers those of each have there. */
export function unionOf(one: Addresses, other: Addresses): { addresses: Addresses; ofOne: Uint32Array; ofOther: Uint32Array } {
  const [ofOne, ofOther] = [new Uint32Array(one.hashes.length), new Uint32Array(other.hashes.length)];
  const [ranges, otherRanges] = [rangesOf(one), rangesOf(other)];
  const codes = Float64Array.from(new Set([...one.codes, ...other.codes])).sort();
  const [starts, hashes] = [new Uint32Array(codes.length), new Float64Array(ofOne.length + ofOther.length)];
  let number = 1;
  for (const [at, code] of codes.entries()) {
    starts[at] = number;
    let [place, end] = ranges.get(code) ?? [0, 0];
    let [otherPlace, otherEnd] = otherRanges.get(code) ?? [0, 0];
    while (place < end || otherPlace < otherEnd) {
      const own = one.hashes[place] as number;
      const others = other.hashes[otherPlace] as number;
      const isOwn = place < end && (otherPlace === otherEnd || own <= others);
      const isOthers = otherPlace < otherEnd && (place === end || others <= own);
      hashes[number] = isOwn ? own : others;
      if (isOwn) ofOne[place++] = number;
      if (isOthers) ofOther[otherPlace++] = number;
      number += 1;
    }
  }
  return { addresses: { codes, starts, hashes: hashes.slice(0, number) }, ofOne, ofOther };
}
