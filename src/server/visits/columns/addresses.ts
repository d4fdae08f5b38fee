/** Tells addresses of one code apart, as a whole number that JavaScript has without loss; `ip` names a column. */
export const addressHash = (ip: string): string => `(hashinetextended(${ip}, 0) >> 11 & ${Number.MAX_SAFE_INTEGER})`;

/** The addresses of a part or a tail by their numbers, in order of code and hash; 0 is none. */
export type Addresses = { codes: Float64Array; hashes: Float64Array };
/** Addresses that came after what a day has files of, and the step of their first visit there. */
export type Later = Addresses & { steps: Uint16Array };

const noAddresses: Addresses = { codes: new Float64Array(1), hashes: new Float64Array(1) };

const order = (one: Addresses, place: number, other: Addresses, otherPlace: number): number =>
  (one.codes[place] as number) - (other.codes[otherPlace] as number) ||
  (one.hashes[place] as number) - (other.hashes[otherPlace] as number);

/** The number of an address, 0 where it is not there. */
function numberOf(addresses: Addresses, later: Later, index: number): number {
  let [low, high] = [1, addresses.codes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order(addresses, middle, later, index) < 0) low = middle + 1;
    else high = middle;
  }
  return low < addresses.codes.length && order(addresses, low, later, index) === 0 ? low : 0;
}

/** Who came to a day, by number: those of its part first, and then those who came to its tail alone. */
export type Visitors = { addresses: Addresses; tail: Addresses; numbersOfTail: Uint32Array };

/** Numbers for all addresses of a part and a tail, either of which may be missing. */
export function visitorsOf(addresses: Addresses = noAddresses, tail: Addresses = noAddresses): Visitors {
  const numbers = new Uint32Array(tail.codes.length);
  const end = addresses.codes.length;
  let [place, next] = [1, end];
  for (let own = 1; own < numbers.length; own += 1) {
    while (place < end && order(addresses, place, tail, own) < 0) place += 1;
    const isKnown = place < end && order(addresses, place, tail, own) === 0;
    numbers[own] = isKnown ? place : next;
    next += isKnown ? 0 : 1;
  }
  return { addresses, tail, numbersOfTail: numbers };
}

/** Adds those to the addresses of steps that are not among those seen, of whom there is a mark for each number. */
export function addLater(ips: Uint32Array, later: Later, { addresses, tail, numbersOfTail }: Visitors, seen: Uint8Array): void {
  for (const [index, step] of later.steps.entries()) {
    const number = numberOf(addresses, later, index) || (numbersOfTail[numberOf(tail, later, index)] ?? 0);
    // 0 is nobody's number.
    ips[step] = (ips[step] as number) + 1 - (seen[number] ?? 0);
  }
}

/** All addresses of two parts in their order, and what numbers those of each have there. */
export function unionOf(one: Addresses, other: Addresses): { addresses: Addresses; ofOne: Uint32Array; ofOther: Uint32Array } {
  const [end, otherEnd] = [one.codes.length, other.codes.length];
  const [ofOne, ofOther] = [new Uint32Array(end), new Uint32Array(otherEnd)];
  const [codes, hashes] = [new Float64Array(end + otherEnd - 1), new Float64Array(end + otherEnd - 1)];
  let [place, otherPlace, number] = [1, 1, 1];
  while (place < end || otherPlace < otherEnd) {
    const which = place === end ? 1 : otherPlace === otherEnd ? -1 : order(one, place, other, otherPlace);
    const [from, at] = which > 0 ? [other, otherPlace] : [one, place];
    codes[number] = from.codes[at] as number;
    hashes[number] = from.hashes[at] as number;
    if (which <= 0) ofOne[place++] = number;
    if (which >= 0) ofOther[otherPlace++] = number;
    number += 1;
  }
  return { addresses: { codes: codes.slice(0, number), hashes: hashes.slice(0, number) }, ofOne, ofOther };
}
