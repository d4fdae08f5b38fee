import { bigIntOf, canonicalCidr, canonicalIp, ipv4Number, ipv4Text, ipv6Text, readIpv6, readNetwork, writeWords } from './ip.ts';

/** Addresses from the first to the last one, both as numbers of their family. */
export type IpRange = { family: 4 | 6; first: bigint; last: bigint };

const words = new Uint32Array(4);

function addressOf(text: string): { family: 4 | 6; value: bigint } | null {
  const ip = canonicalIp(text);
  if (ip === null) return null;
  const ipv4 = ipv4Number(ip);
  if (ipv4 >= 0) return { family: 4, value: BigInt(ipv4) };
  return readIpv6(ip, words) ? { family: 6, value: bigIntOf(words) } : null;
}

/** Reads an address, a network (`10.0.0.0/8`) or a first and last address (`1.2.3.0-1.2.3.99`) of one family. */
export function readIpRange(text: string): IpRange | null {
  const trimmed = text.trim();
  const hyphen = trimmed.indexOf('-');
  if (hyphen < 0) {
    const network = readNetwork(trimmed);
    return network && { family: network.family, first: BigInt(network.start), last: BigInt(network.end) };
  }
  const [first, last] = [addressOf(trimmed.slice(0, hyphen).trim()), addressOf(trimmed.slice(hyphen + 1).trim())];
  if (first === null || last === null || first.family !== last.family || first.value > last.value) return null;
  return { family: first.family, first: first.value, last: last.value };
}

/** The one spelling of an address that is given as a number. */
export function addressText(family: 4 | 6, value: bigint): string {
  if (family === 4) return ipv4Text(Number(value));
  writeWords(value, words, 0);
  return ipv6Text(words);
}

/** The one spelling of a range: as a network where it is one. */
export function ipRangeText({ family, first, last }: IpRange): string {
  const size = last - first + 1n;
  const bits = size.toString(2).length - 1;
  const text = addressText(family, first);
  if (size === 1n << BigInt(bits) && first % size === 0n) {
    const cidr = canonicalCidr(`${text}/${(family === 4 ? 32 : 128) - bits}`);
    if (cidr !== null) return cidr;
  }
  return `${text}-${addressText(family, last)}`;
}
