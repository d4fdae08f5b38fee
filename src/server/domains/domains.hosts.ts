import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const maxHostLength = 253;
/** Browsers leave these ports out of the Host header where the scheme implies them. */
const impliedPorts = new Set([80, 443]);

export type HostCheck = { host: string } | { fault: 'invalid_host' | 'public_suffix' | 'development_host' };

/**
 * A host name as it is registered: lower case, punycode, an optional `*.` in front. It must lie below a public suffix; `localhost`, IP
 * addresses and ports are for trying the product out, and only users who may register development hosts may use them.
 */
export function checkHost(text: string, { allowsDevelopment }: { allowsDevelopment: boolean }): HostCheck {
  const [, star = '', name = '', port] = /^(\*\.)?([^\s:*/?#@\\]+?)\.?(?::(\d{1,5}))?$/u.exec(text.trim().toLowerCase()) ?? [];
  const ascii = domainToASCII(name);
  const portNumber = port === undefined ? undefined : Number(port);
  if (ascii === '' || ascii.length > maxHostLength || portNumber === 0 || (portNumber ?? 0) > 65_535) return { fault: 'invalid_host' };
  const shownPort = portNumber === undefined || impliedPorts.has(portNumber) ? '' : `:${portNumber}`;
  const host = `${star}${ascii}${shownPort}`;

  const isDevelopmentName = isIP(ascii) !== 0 || ascii === 'localhost' || ascii.endsWith('.localhost');
  if (isIP(ascii) !== 0 && star) return { fault: 'invalid_host' };
  if (!ascii.split('.').every((part) => label.test(part)) || !isPunycode(ascii)) return { fault: 'invalid_host' };
  if (!isDevelopmentName) {
    const { domain, isIcann, isPrivate } = parse(ascii, { allowPrivateDomains: true });
    if (!isIcann && !isPrivate) return { fault: 'invalid_host' };
    if (domain === null) return { fault: 'public_suffix' };
  }
  if ((isDevelopmentName || shownPort) && !allowsDevelopment) return { fault: 'development_host' };
  return { host };
}

/** Whether labels that begin as punycode are such: a browser opens no other. */
const isPunycode = (ascii: string): boolean => {
  if (!ascii.includes('xn--')) return true;
  const unicode = domainToUnicode(ascii);
  return !/(^|\.)xn--/.test(unicode) && domainToASCII(unicode) === ascii;
};

/** The wildcard names that would serve this host too: `*.b.com` and `*.com` for `a.b.com`. */
export function wildcardsOver(host: string): string[] {
  const labels = host.replace(/^\*\./, '').split('.');
  return labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`);
}
