import type { Option } from './options.ts';

/** A domain of a row: the registered name, and the name in its own script where it may be shown so. */
export type Hosted = { host: string; host_unicode: string | null };

/** The name as people read it, where the registered one stands nearby or only one fits. */
export const hostName = ({ host, host_unicode }: Hosted): string => host_unicode ?? host;

/** Both names in one line, so that a search finds either and nobody takes one domain for another. */
export const hostLabel = ({ host, host_unicode }: Hosted): string => (host_unicode === null ? host : `${host_unicode} · ${host}`);

/** The same of a row of which only the id may be known; empty then. */
export const knownHost = ({ host, host_unicode = null }: Partial<Hosted>): string =>
  host === undefined ? '' : hostLabel({ host, host_unicode });

/** A domain as an entry of a choice. */
export const hostOption = (row: Hosted & { id: number }): Option => ({ value: row.id, label: hostLabel(row) });

/** A link on a domain for people to read: without its scheme, the domain in its own script. What a `*` stands for stays. */
export function linkText(url: string, { host, host_unicode }: { host: string | null; host_unicode: string | null }): string {
  const text = url.replace(/^https?:\/\//, '');
  const [place = '', ...path] = text.split('/');
  const name = host?.replace('*', '') ?? '';
  if (host_unicode === null || !place.endsWith(name)) return text;
  return [place.slice(0, place.length - name.length) + host_unicode.replace('*', ''), ...path].join('/');
}
