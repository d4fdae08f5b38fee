import { checkHost } from '../../domains/checks.public.ts';
import type { Scope } from '../../kit/calls/context.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { guardedUrl } from '../../kit/network/guarded-client.ts';

export type Address = { url: string; host: string } | { fault: 'invalid_url' | 'development_host' };

const maxUrl = 2000;

/** An address as people paste it, with or without its scheme. Hosts for trying the product out are administrators' alone. */
export function readAddress(text: string, { all }: Pick<Scope, 'all'>): Address {
  const trimmed = text.trim().replace(/[,;，；。]+$/u, '');
  const typed = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (trimmed === '' || typed.length > maxUrl || /[\s\p{Cc}]/u.test(typed)) return { fault: 'invalid_url' };
  let url: URL;
  try {
    url = guardedUrl(typed);
  } catch (error) {
    if (error instanceof AppError) return { fault: 'invalid_url' };
    throw error;
  }
  const checked = checkHost(url.host, { allowsDevelopment: true });
  if ('fault' in checked) return { fault: 'invalid_url' };
  const isDevelopment = 'fault' in checkHost(url.hostname, { allowsDevelopment: false });
  return isDevelopment && !all ? { fault: 'development_host' } : { url: url.href, host: checked.host };
}

/**
 * What is asked about beside an address: of one with a path the root of its host, of a registered domain the link of its most visited code.
 * A link can be blocked while its domain is not. Null: nothing else.
 * @param printed the key of that code
 */
export function besideOf(url: string, printed: string | null): string | null {
  const { origin, pathname, search } = new URL(url);
  if (pathname !== '/' || search !== '') return `${origin}/`;
  return printed === null ? null : `${origin}/${printed}`;
}

/** The address at which a registered host is asked about. */
export const addressOf = (host: string, scheme: string): string => `${scheme}://${host.replace(/^\*\./, 'www.')}/`;
