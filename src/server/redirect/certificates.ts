import type { Hosts } from './memory/hosts.ts';

const path = '/tls/allowed';
const maxNameLength = 253;

export const isCertificateQuestion = (url: string): boolean =>
  url.startsWith(path) && (url.length === path.length || url[path.length] === '?');

/**
 * Whether a proxy that makes certificates on demand may make one for `?domain=`: for the hosts that visits are answered on, told from
 * memory. 503 before anything is known, so that the proxy asks again.
 */
export function certificateStatus(url: string, hosts: Hosts | undefined): 200 | 404 | 503 {
  if (!hosts) return 503;
  const name = new URLSearchParams(url.slice(path.length + 1)).get('domain')?.toLowerCase() ?? '';
  // A name alone: what a client says before it has a certificate has neither port nor path.
  if (!/^[a-z0-9.-]+$/.test(name) || name.length > maxNameLength) return 404;
  return hosts.find(name) ? 200 : 404;
}
