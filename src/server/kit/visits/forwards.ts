/** A forward's rule: `/exact`, `/below/*`, or `/*` for the whole host. */
export interface ForwardRule {
  path: string;
  /** Where to; `{rest}` stands for what `*` stood for. */
  url: string;
  keep_query: boolean;
}

export const restMark = '{rest}';

/** The rules of one host, found by path: an exact one goes before the longest that matches a beginning. */
export interface ForwardPaths<R> {
  find(path: string): { rule: R; rest: string } | undefined;
}

const maxListedLength = 63;

/** Tells most paths that are none of these apart by length and second letter: each visit of a code asks, and its path was never hashed. */
function createSieve(paths: Iterable<string>): (path: string) => boolean {
  const letters = new Uint32Array(maxListedLength + 1);
  const place = (path: string) => Math.min(path.length, maxListedLength);
  const bit = (path: string) => 1 << (path.charCodeAt(1) & 31);
  for (const path of paths) letters[place(path)] = (letters[place(path)] ?? 0) | bit(path);
  return (path) => ((letters[place(path)] ?? 0) & bit(path)) !== 0;
}

/** Paths that are the visit path's own are never forwarded: `/~…`, which holds its pictures and beacons. */
const isOwn = (path: string): boolean => path.startsWith('/~');

export function forwardPaths<R extends { path: string }>(rules: readonly R[]): ForwardPaths<R> {
  const exact = new Map<string, R>();
  const below: { start: string; rule: R }[] = [];
  for (const rule of rules) {
    if (rule.path.endsWith('/*')) below.push({ start: rule.path.slice(0, -1), rule });
    else exact.set(rule.path, rule);
  }
  const mayBeExact = createSieve(exact.keys());
  below.sort((a, b) => b.start.length - a.start.length);
  return {
    find(path) {
      if (isOwn(path)) return undefined;
      const rule = mayBeExact(path) ? exact.get(path) : undefined;
      if (rule) return { rule, rest: '' };
      for (const { start, rule: candidate } of below) {
        // `/below/*` also serves `/below`, as an owner would type it.
        if (path.startsWith(start)) return { rule: candidate, rest: path.slice(start.length) };
        if (path.length === start.length - 1 && start.startsWith(path)) return { rule: candidate, rest: '' };
      }
      return undefined;
    },
  };
}

/** An address as a header line holds it: names in punycode, other letters as percent escapes. */
export function asciiUrl(url: string): string {
  if (!/[^\x21-\x7e]/.test(url)) return url;
  const parsed = /^https?:/i.test(url) ? URL.parse(url) : null;
  return (parsed?.href ?? url).replace(/[^\x21-\x7e]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

/** A part of a request's address, of which node:http makes one character a byte. */
const asciiPart = (part: string): string =>
  part.replace(/[^\x21-\x7e]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** What `*` stood for, as one value of a query: it can neither add parameters nor end the query. */
const asValue = (rest: string): string => rest.replace(/[&=+#?]/g, (character) => encodeURIComponent(character));

/** The address that a rule leads to. The visitor's query is appended where the rule keeps it. */
export function forwardAddress({ url, keep_query }: Omit<ForwardRule, 'path'>, matched: string, asked: string): string {
  const [rest, query] = [asciiPart(matched), asciiPart(asked)];
  const hash = url.indexOf('#');
  const [address, fragment] = hash < 0 ? [url, ''] : [url.slice(0, hash), url.slice(hash)];
  const mark = address.indexOf('?');
  const filled =
    mark < 0
      ? address.replaceAll(restMark, () => rest)
      : address.slice(0, mark).replaceAll(restMark, () => rest) + address.slice(mark).replaceAll(restMark, () => asValue(rest));
  const end = fragment.replaceAll(restMark, () => rest);
  if (!keep_query || query === '') return asciiUrl(filled + end);
  return asciiUrl(`${filled}${mark < 0 ? '?' : filled.endsWith('?') || filled.endsWith('&') ? '' : '&'}${query}${end}`);
}

/** Whether what `*` stood for can only become part of a path, query or fragment, so that nobody but the operator chooses the host. */
export const isSafeTemplate = (url: string): boolean => /^https?:\/\/[^/?#{}\\]+[/?#]/i.test(url);
