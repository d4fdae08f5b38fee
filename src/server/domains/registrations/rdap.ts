import { z } from 'zod';
import type { RegistrationFault } from '../../../contract/domains/domain-check.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { type GuardedAnswer, guardedRequest } from '../../kit/network/guarded-client.ts';
import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';

const timeoutMilliseconds = 15_000;
const maxBytes = 256 * 1024;
/** From the service that knows the registries to the registry, which may have moved. */
const redirects = 5;
/** Dates beyond are nobody's registration. */
const years = { first: 1985, last: 2200 };

/** An answer of a registry as RFC 9083 has it, as far as we ask; what else is in it, or malformed, spoils nothing. */
const rdapDomain = z.object({
  objectClassName: z.literal('domain'),
  ldhName: z.string().optional().catch(undefined),
  events: z.array(z.object({ eventAction: z.string(), eventDate: z.string() }).catch({ eventAction: '', eventDate: '' })).default([]),
});

export type Reading = { expires_at: string } | { fault: RegistrationFault };
type Means = { network: GuardedNetwork; rdap_url: string; signal?: AbortSignal };

/** Asks until when a name is registered. Whatever happens is a reading; only who breaks it off is told by a throw. */
export async function readRegistration(name: string, { network, rdap_url, signal }: Means): Promise<Reading> {
  try {
    const answer = await guardedRequest(network, {
      url: rdap_url.replaceAll('{domain}', encodeURIComponent(name)),
      headers: { accept: 'application/rdap+json, application/json' },
      timeout_ms: timeoutMilliseconds,
      maximum_bytes: maxBytes,
      redirects,
      ...(signal ? { signal } : {}),
    });
    return readingOf(name, answer);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return { fault: error.code === 'outgoing.too_large' || error.code === 'outgoing.unreadable' ? 'unreadable' : 'unreachable' };
  }
}

function readingOf(name: string, { status, body }: GuardedAnswer): Reading {
  if (status === 404) return { fault: 'not_found' };
  if (status === 429) return { fault: 'limited' };
  if (status !== 200) return { fault: 'unreachable' };
  const read = rdapDomain.safeParse(jsonOf(body));
  if (!read.success || (read.data.ldhName ?? name).toLowerCase().replace(/\.$/, '') !== name) return { fault: 'unreadable' };
  const ends = read.data.events.filter(({ eventAction }) => eventAction === 'expiration').map(({ eventDate }) => new Date(eventDate));
  const end = ends.find((at) => at.getUTCFullYear() >= years.first && at.getUTCFullYear() < years.last);
  return end ? { expires_at: end.toISOString() } : { fault: 'no_date' };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
