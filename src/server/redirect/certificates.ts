import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../kit/files.ts';
import type { Hosts } from './memory/hosts.ts';
import { createLruCache } from './memory/lru-cache.ts';

const path = '/tls/allowed';
const maxNameLength = 253;
/** New names that a registered domain may have in an hour: authorities give it some dozens a week, and an account some hundreds an hour. */
export const newNamesAnHour = 10;
const hour = 3_600_000;
const rememberedNames = 20_000;

export const isCertificateQuestion = (url: string): boolean =>
  url.startsWith(path) && (url.length === path.length || url[path.length] === '?');

type Status = 200 | 404 | 429 | 503;

interface Options {
  dataDir: string;
  /** Undefined before anything is known. */
  hosts: () => Hosts | undefined;
  now?: () => number;
}

/**
 * Tells a proxy that makes certificates on demand whether it may make one for `?domain=`: for the hosts that visits are answered on, told
 * from memory. 503 before anything is known, so that the proxy asks again; 429 where a registered domain has had its new names of this
 * hour. What had one before keeps it, also over a restart: the proxy asks again when it renews.
 */
export function createCertificates({ dataDir, hosts, now = Date.now }: Options) {
  const names = rememberNames(join(dataDir, 'redirect', 'certificates'));
  const begun = new Map<string, number[]>();
  let before: ReadonlySet<string> | undefined;
  const isKnown = (name: string): boolean => before?.has(name) || names.has(name);

  function isDue(registered: string): boolean {
    const moments = (begun.get(registered) ?? []).filter((moment) => moment > now() - hour);
    if (moments.length >= newNamesAnHour) return false;
    begun.set(registered, [...moments, now()]);
    return true;
  }

  return async function statusOf(url: string): Promise<Status> {
    const known = hosts();
    if (!known) return 503;
    // What was registered before this process began is nothing new.
    before ??= new Set(known.all().map(({ host }) => host));
    const name = new URLSearchParams(url.slice(path.length + 1)).get('domain')?.toLowerCase() ?? '';
    // A name alone: what a client says before it has a certificate has neither port nor path.
    if (!/^[a-z0-9.-]+$/.test(name) || name.length > maxNameLength || !known.find(name)) return 404;
    if (isKnown(name)) return 200;
    // Its list is large, and most hosts are asked by no proxy.
    const { getDomain } = await import('tldts');
    if (isKnown(name)) return 200;
    if (!isDue(getDomain(name, { allowPrivateDomains: true }) ?? name)) return 429;
    names.keep(name);
    return 200;
  };
}

/** Names that were allowed, in a file that the processes of a host share: each reads it when it begins. */
function rememberNames(file: string) {
  const cache = createLruCache<true>(rememberedNames);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const newest = lines.slice(-rememberedNames / 2);
  if (newest.length < lines.length) replaceFile(file, `${newest.join('\n')}\n`, 0o600);
  for (const name of newest) cache.set(name, true);
  return {
    has: (name: string): boolean => cache.get(name) !== undefined,
    keep(name: string): void {
      cache.set(name, true);
      mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, `${name}\n`, { mode: 0o600 });
    },
  };
}
