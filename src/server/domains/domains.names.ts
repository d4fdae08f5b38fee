import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';

/** Scripts that are written together; any other mixture within a label is taken for a disguise. */
const families = [
  /^[\p{sc=Latin}\p{N}-]+$/u,
  /^[\p{sc=Han}\p{sc=Bopomofo}\p{sc=Latin}\p{N}-]+$/u,
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Latin}\p{N}ー-]+$/u,
  /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Latin}\p{N}-]+$/u,
  ...[
    'Cyrillic',
    'Greek',
    'Armenian',
    'Georgian',
    'Hebrew',
    'Arabic',
    'Thai',
    'Devanagari',
    'Bengali',
    'Tamil',
    'Telugu',
    'Khmer',
    'Lao',
  ].map((script) => new RegExp(`^[\\p{sc=${script}}\\p{M}0-9-]+$`, 'u')),
];

/** Labels made of nothing but letters that look like Latin ones: `аррӏе` is not `apple`. */
const looksLatin = /^[асԁеһіјӏорԛѕԝхуъьгѵѡбтпкмнвοανυτικρεγωσχᴏʟıɡɑ0-9-]+$/u;

export const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

function isHonest(label: string): boolean {
  if (isAscii(label)) return true;
  // Forms such as ligatures and full-width letters never remain after the mapping; what is left of them isn't shown.
  if (label !== label.normalize('NFKC')) return false;
  return families.some((family) => family.test(label)) && !looksLatin.test(label);
}

/**
 * A registered host in its own script, as people read it; null where it is plain ASCII, and where a label mixes scripts or could be taken
 * for another name: those are shown as punycode only.
 */
export function shownHost(host: string): string | null {
  if (!host.includes('xn--')) return null;
  const { star, name, port } = partsOf(host);
  const unicode = domainToUnicode(name);
  if (unicode === '' || unicode === name || unicode.split('.').some((label) => label.startsWith('xn--'))) return null;
  return unicode.split('.').every(isHonest) ? `${star}${unicode}${port}` : null;
}

/** A registered host for texts: in its own script where it may be shown so. */
export const readableHost = (host: string): string => shownHost(host) ?? host;

/** A host that a user typed, as it would be registered. */
export function asRegistered(text: string): string {
  const { star, name, port } = partsOf(text.trim().toLowerCase());
  return `${star}${isAscii(name) ? name : domainToASCII(name) || name}${port}`;
}

/** A name, or a part of one, in its own script, whether or not it may be shown so. */
export function inOwnScript(text: string): string {
  const name = nameOf(text.toLowerCase());
  return domainToUnicode(name) || name;
}

/** The name below which its owner registered it, such as `example.co.uk`: the zone that its records stand in. */
export function zoneOf(host: string): string {
  const name = nameOf(host);
  // Suffixes such as `eu.org` are private and hand out whole zones, as registries do.
  return parse(name, { allowPrivateDomains: true }).domain ?? name;
}

/** The registered name that a host stands below; null for hosts that stand in no public DNS. */
export function registeredNameOf(host: string): string | null {
  const name = nameOf(host);
  return isDevelopmentName(name) || name.includes(':') ? null : zoneOf(name);
}

function partsOf(host: string): { star: string; name: string; port: string } {
  const [, star = '', name = '', port = ''] = /^(\*\.)?(.*?)(:\d+)?$/su.exec(host) ?? [];
  return { star, name, port };
}

/** The name alone, without `*.` and port. */
export const nameOf = (host: string): string => partsOf(host).name;

/** Hosts for trying the product out: they stand in no public DNS. */
export const isDevelopmentName = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || /^\d+\.\d+\.\d+\.\d+$/.test(name);
