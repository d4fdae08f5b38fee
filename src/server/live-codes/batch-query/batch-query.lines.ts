import { domainToASCII } from 'node:url';

/**
 * What a pasted line may name: a path on a host (a link), a host alone, a key alone, or nothing. Hosts are lower case and punycode, with
 * their port where they have one; keys are lower case, and empty where the path of a link could be none of ours.
 */
export type Query =
  | { kind: 'link'; host: string; bare: string; key: string; url: string }
  | { kind: 'host'; host: string; bare: string }
  | { kind: 'key'; key: string }
  | { kind: 'invalid' };

const keyPattern = /^[a-z0-9_-]{1,32}$/;
const hostPattern = /^(\*\.)?([^\s/@?#:*]+)(:\d{1,5})?$/u;

export function readQuery(text: string): Query {
  const line = text.trim();
  if (line.includes('\u0000')) return { kind: 'invalid' };
  const lower = line.toLowerCase();
  if (keyPattern.test(lower)) return { kind: 'key', key: lower };
  const isAddress = /^https?:\/\//i.test(line);
  if (isAddress || (line.includes('/') && line.includes('.'))) return readLink(isAddress ? line : `http://${line}`);
  return readHost(lower);
}

function readLink(text: string): Query {
  const address = URL.parse(text);
  if (address?.username !== '' || address.password !== '') return { kind: 'invalid' };
  const { host, hostname } = address;
  if (host === '') return { kind: 'invalid' };
  const key = keyOf(address.pathname);
  if (key === null) return { kind: 'invalid' };
  if (key === '') return { kind: 'host', host, bare: hostname };
  return { kind: 'link', host, bare: hostname, key: keyPattern.test(key) ? key : '', url: text };
}

/** The first part of a path, as the visit path reads it; null where it could be no key. */
function keyOf(path: string): string | null {
  const [, first = ''] = path.split('/');
  try {
    return decodeURIComponent(first).toLowerCase();
  } catch {
    return null;
  }
}

function readHost(text: string): Query {
  const [, star = '', name = '', port = ''] = hostPattern.exec(text) ?? [];
  const ascii = domainToASCII(name.replace(/\.$/, ''));
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(ascii) && ascii !== 'localhost') return { kind: 'invalid' };
  return { kind: 'host', host: `${star}${ascii}${port}`, bare: `${star}${ascii}` };
}
