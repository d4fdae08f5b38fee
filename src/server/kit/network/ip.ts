/**
 * Addresses: one spelling for each, fast membership in many networks, and the client behind trusted proxies.
 * An IPv4 address is a number (uint32) inside, an IPv6 address four of them, most significant first.
 */

/** The longest text worth reading: a full IPv6 address with an embedded IPv4 part (45) and a zone. */
const MAX_LENGTH = 64;
const DIGIT_0 = 48;
const DIGIT_9 = 57;
const COLON = 58;
const DOT = 46;

/** The number of a dotted-decimal IPv4 address, or -1. Leading zeros are refused, because some systems read them as octal. */
export function ipv4Number(text: string, from = 0, to = text.length): number {
  if (to - from < 7 || to - from > 15) return -1;
  let value = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let i = from; i < to; i += 1) {
    const code = text.charCodeAt(i);
    if (code >= DIGIT_0 && code <= DIGIT_9) {
      if (digits > 0 && part === 0) return -1;
      part = part * 10 + code - DIGIT_0;
      digits += 1;
      if (part > 255) return -1;
    } else if (code === DOT && digits > 0 && dots < 3) {
      value = value * 256 + part;
      part = 0;
      digits = 0;
      dots += 1;
    } else {
      return -1;
    }
  }
  return dots === 3 && digits > 0 ? value * 256 + part : -1;
}

function hexDigit(code: number): number {
  if (code >= DIGIT_0 && code <= DIGIT_9) return code - DIGIT_0;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

const groups = new Uint16Array(8);

/** Reads the groups of `text` up to `end`; answers how many stand before `::` (8 without it) and how many in all, or null. */
function readGroups(text: string, end: number): { head: number; count: number } | null {
  let count = 0;
  let head = 8;
  let i = 0;
  if (text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return null;
    head = 0;
    i = 2;
  }
  while (i < end) {
    if (count === 8) return null;
    const start = i;
    let value = 0;
    for (let digit = hexDigit(text.charCodeAt(i)); digit >= 0 && i < end; digit = hexDigit(text.charCodeAt(i))) {
      value = value * 16 + digit;
      i += 1;
      if (i - start > 4) return null;
    }
    if (i < end && text.charCodeAt(i) === DOT) {
      const embedded = count <= 6 ? ipv4Number(text, start, end) : -1;
      if (embedded < 0) return null;
      groups[count] = embedded >>> 16;
      groups[count + 1] = embedded & 0xffff;
      return { head, count: count + 2 };
    }
    if (i === start) return null;
    groups[count] = value;
    count += 1;
    if (i === end) break;
    if (text.charCodeAt(i) !== COLON || i + 1 === end) return null;
    i += 1;
    if (text.charCodeAt(i) === COLON) {
      if (head < 8) return null;
      head = count;
      i += 1;
    }
  }
  return { head, count };
}

/** Writes an IPv6 address into `words` (four uint32) and says whether `text` was one. A zone (`%eth0`) is left out. */
export function readIpv6(text: string, words: Uint32Array): boolean {
  if (text.length > MAX_LENGTH) return false;
  const zone = text.indexOf('%');
  const end = zone < 0 ? text.length : zone;
  if (end < 2) return false;
  const read = readGroups(text, end);
  if (read === null) return false;
  const { head, count } = read;
  if (head === 8 ? count !== 8 : count === 8) return false;
  const gap = 8 - count;
  const groupAt = (index: number): number => {
    if (index < head) return groups[index] ?? 0;
    return index < head + gap ? 0 : (groups[index - gap] ?? 0);
  };
  for (let word = 0; word < 4; word += 1) words[word] = ((groupAt(word * 2) << 16) | groupAt(word * 2 + 1)) >>> 0;
  return true;
}

/** The IPv4 number inside an IPv4-mapped IPv6 address (`::ffff:1.2.3.4`), or -1. */
export function mappedIpv4(words: Uint32Array): number {
  return words[0] === 0 && words[1] === 0 && words[2] === 0xffff ? (words[3] ?? 0) : -1;
}

export function ipv4Text(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
}

/** The text of RFC 5952: lower case, no leading zeros, the first longest run of two or more zero groups as `::`. */
export function ipv6Text(words: Uint32Array): string {
  const parts: number[] = [];
  for (const word of words) parts.push(word >>> 16, word & 0xffff);
  let start = 0;
  let longest = 1;
  let run = 0;
  for (let i = 0; i < 8; i += 1) {
    run = parts[i] === 0 ? run + 1 : 0;
    if (run > longest) {
      longest = run;
      start = i - run + 1;
    }
  }
  const hex = (list: number[]): string => list.map((part) => part.toString(16)).join(':');
  return longest < 2 ? hex(parts) : `${hex(parts.slice(0, start))}::${hex(parts.slice(start + longest))}`;
}

const scratch = new Uint32Array(4);

/** The one spelling of an address that is stored and compared, or null: IPv4-mapped IPv6 becomes IPv4, IPv6 is compressed and lower-case. */
export function canonicalIp(text: string): string | null {
  if (ipv4Number(text) >= 0) return text;
  if (!readIpv6(text, scratch)) return null;
  const mapped = mappedIpv4(scratch);
  return mapped >= 0 ? ipv4Text(mapped) : ipv6Text(scratch);
}

/** A network as the first and last address of its range. */
export type Network = { family: 4; start: number; end: number; prefix: number } | { family: 6; start: bigint; end: bigint; prefix: number };

export function bigIntOf(words: Uint32Array): bigint {
  let value = 0n;
  for (const word of words) value = (value << 32n) | BigInt(word);
  return value;
}

/** Writes 128 bits as four words. */
export function writeWords(value: bigint, words: Uint32Array, at: number): void {
  for (let word = 0; word < 4; word += 1) words[at + word] = Number((value >> BigInt(96 - word * 32)) & 0xffffffffn);
}

/** The range of a network or single address; null for what is neither. */
export function readNetwork(text: string): Network | null {
  const slash = text.indexOf('/');
  const address = slash < 0 ? text : text.slice(0, slash);
  const prefixText = slash < 0 ? '' : text.slice(slash + 1);
  if (slash >= 0 && !/^(0|[1-9]\d{0,2})$/.test(prefixText)) return null;

  let ipv4 = ipv4Number(address);
  let shift = 0;
  if (ipv4 < 0) {
    if (!readIpv6(address, scratch)) return null;
    ipv4 = mappedIpv4(scratch);
    shift = 96;
  }
  const width = ipv4 >= 0 && shift === 0 ? 32 : 128;
  const prefix = slash < 0 ? width : Number(prefixText);
  if (prefix > width) return null;
  if (ipv4 >= 0 && prefix >= shift) {
    const bits = prefix - shift;
    const size = 2 ** (32 - bits);
    const start = Math.floor(ipv4 / size) * size;
    return { family: 4, start, end: start + size - 1, prefix: bits };
  }
  const size = 1n << BigInt(128 - prefix);
  const start = (bigIntOf(scratch) / size) * size;
  return { family: 6, start, end: start + size - 1n, prefix };
}

/** The one spelling of a network or single address (`10.1.2.3/8` becomes `10.0.0.0/8`, `/32` and `/128` are left out), or null. */
export function canonicalCidr(text: string): string | null {
  const network = readNetwork(text);
  if (network === null) return null;
  if (network.family === 4) return network.prefix === 32 ? ipv4Text(network.start) : `${ipv4Text(network.start)}/${network.prefix}`;
  const words = new Uint32Array(4);
  writeWords(network.start, words, 0);
  return network.prefix === 128 ? ipv6Text(words) : `${ipv6Text(words)}/${network.prefix}`;
}

/** What is counted from an address is counted under this: a subscriber of IPv6 has a whole /64 to choose addresses from. */
export const networkOf = (ip: string): string => (ip.includes(':') ? (canonicalCidr(`${ip}/64`) ?? ip) : ip);

/** Many networks and single addresses, made for looking up on the hot path. IPv4 addresses match IPv4 networks only, also in their mapped form. */
export type CidrSet = {
  /** The number of entries it was made from. */
  readonly size: number;
  has(ip: string): boolean;
  hasIpv4(value: number): boolean;
  hasIpv6(words: Uint32Array): boolean;
};

type Range<T> = { start: T; end: T };

/** Sorted, with overlapping and nested ranges joined, so that one binary search decides. */
function joinRanges<T extends number | bigint>(ranges: Range<T>[]): Range<T>[] {
  ranges.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  const joined: Range<T>[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && range.start <= last.end) {
      if (range.end > last.end) last.end = range.end;
    } else {
      joined.push({ start: range.start, end: range.end });
    }
  }
  return joined;
}

/** Compares the four words of `table` from `at` with `words`: negative, zero or positive. */
export function compareWords(table: Uint32Array, at: number, words: Uint32Array): number {
  for (let word = 0; word < 4; word += 1) {
    const difference = (table[at + word] ?? 0) - (words[word] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Builds the set; entries are addresses or CIDRs of both families. An entry that is neither throws,
 * unless `onInvalid` is given: then it is told and the entry is left out.
 */
export function createCidrSet(entries: Iterable<string>, onInvalid?: (entry: string) => void): CidrSet {
  const ranges4: Range<number>[] = [];
  const ranges6: Range<bigint>[] = [];
  for (const entry of entries) {
    const network = readNetwork(entry.trim());
    if (network === null) {
      if (onInvalid === undefined) throw new RangeError(`not an address or network: ${JSON.stringify(entry.slice(0, MAX_LENGTH))}`);
      onInvalid(entry);
    } else if (network.family === 4) {
      ranges4.push(network);
    } else {
      ranges6.push(network);
    }
  }

  const joined4 = joinRanges(ranges4);
  const starts4 = Uint32Array.from(joined4, (range) => range.start);
  const ends4 = Uint32Array.from(joined4, (range) => range.end);
  const joined6 = joinRanges(ranges6);
  const starts6 = new Uint32Array(joined6.length * 4);
  const ends6 = new Uint32Array(joined6.length * 4);
  for (const [index, range] of joined6.entries()) {
    writeWords(range.start, starts6, index * 4);
    writeWords(range.end, ends6, index * 4);
  }

  const hasIpv4 = (value: number): boolean => {
    let low = 0;
    let high = starts4.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts4[middle] ?? 0) <= value) low = middle + 1;
      else high = middle;
    }
    return low > 0 && value <= (ends4[low - 1] ?? 0);
  };
  const hasIpv6 = (words: Uint32Array): boolean => {
    let low = 0;
    let high = joined6.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareWords(starts6, middle * 4, words) <= 0) low = middle + 1;
      else high = middle;
    }
    return low > 0 && compareWords(ends6, (low - 1) * 4, words) >= 0;
  };
  const has = (ip: string): boolean => {
    const value = ipv4Number(ip);
    if (value >= 0) return hasIpv4(value);
    if (!readIpv6(ip, scratch)) return false;
    const mapped = mappedIpv4(scratch);
    return mapped >= 0 ? hasIpv4(mapped) : hasIpv6(scratch);
  };
  return { size: ranges4.length + ranges6.length, has, hasIpv4, hasIpv6 };
}

/**
 * Addresses that are no public host: private, loopback, link-local, carrier NAT, documentation, benchmarking, multicast, reserved.
 * Source: the IANA special-purpose address registries (RFC 6890 and its updates).
 */
export const specialAddresses: CidrSet = createCidrSet([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24'],
  ...['192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::', '::1', '64:ff9b:1::/48', '100::/64', '2001:db8::/32', 'fc00::/7', 'fe80::/10', 'ff00::/8'],
]);

/** One entry of X-Forwarded-For; some proxies add the port (`1.2.3.4:80`, `[2001:db8::1]:80`). */
function forwardedIp(entry: string): string | null {
  if (entry.startsWith('[')) {
    const close = entry.indexOf(']');
    return /^(:\d{1,5})?$/.test(entry.slice(close + 1)) && close > 0 ? canonicalIp(entry.slice(1, close)) : null;
  }
  const colon = entry.indexOf(':');
  if (colon > 0 && entry.includes('.') && /^\d{1,5}$/.test(entry.slice(colon + 1))) return canonicalIp(entry.slice(0, colon));
  return canonicalIp(entry);
}

/**
 * The address of the visitor: the rightmost one of the chain `forwardedFor, remote` that isn't one of our proxies.
 * The header is believed only as far as proxies wrote it, so that a visitor cannot choose his address; where a proxy
 * passed on something that is no address, that proxy's own address is answered. Empty when `remote` is no address.
 */
export function clientAddress(remote: string, forwardedFor: string | undefined, proxies: CidrSet): string {
  let client = canonicalIp(remote) ?? '';
  if (forwardedFor === undefined || proxies.size === 0) return client;
  let end = forwardedFor.length;
  while (end >= 0 && proxies.has(client)) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1);
    // An entry far longer than an address is refused before any of it is copied.
    const entry = end - comma > 2 * MAX_LENGTH ? '' : forwardedFor.slice(comma + 1, end).trim();
    const ip = forwardedIp(entry);
    if (ip === null) return client;
    client = ip;
    end = comma;
  }
  return client;
}
