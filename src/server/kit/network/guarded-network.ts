import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { canonicalIp, createCidrSet, specialAddresses } from './ip.ts';

/**
 * What no registry calls special, yet leads inside or nowhere: the platform address of a cloud, IPv6 that carries an IPv4 address
 * (translated, 6to4, its relay, Teredo), documentation, and all of IPv6 that was never given out for the public (outside of 2000::/3).
 */
const alsoRefused = createCidrSet([
  ...['168.63.129.16', '192.88.99.0/24', '2002::/16', '2001::/23', '3fff::/20'],
  ...['::/3', '4000::/2', '8000::/1'],
]);

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  answer: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * An address that an operator typed in leads where the server may not go. It says nothing more: what an inside name stands for, and
 * whether anything answers there, is not for those who type addresses.
 */
export class RefusedAddress extends Error {
  override name = 'RefusedAddress';
  constructor() {
    super('this address is not allowed');
  }
}

/** Which addresses the server may call on a user's word, and agents that keep to it. */
export type GuardedNetwork = {
  allows: (ip: string) => boolean;
  /** Throws where the host is an address that may not be called: addresses are never looked up, so that the agents don't see them. */
  checkHost: (url: string) => void;
  /** Agents that ask `allows` about what a name stands for at the moment of connecting: a name that changes afterwards gains nothing. */
  agents: () => { http: HttpAgent; https: HttpsAgent };
  /** The same for connections that are no HTTP, see `guardedConnect`. */
  lookup: LookupFunction;
};

/**
 * @param allowedNetworks private networks that may be called although they are private
 * @param resolve what asks for a name's addresses: the system's resolver, unless another is given
 */
export function guardNetwork(allowedNetworks: readonly string[], resolve: Resolve = lookup): GuardedNetwork {
  const allowed = createCidrSet(allowedNetworks);
  const allows = (ip: string): boolean => {
    const canonical = canonicalIp(ip);
    if (canonical === null) return false;
    return allowed.has(canonical) || !(specialAddresses.has(canonical) || alsoRefused.has(canonical));
  };

  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const open = addresses.filter(({ address }) => allows(address));
      const [first] = open;
      if (!first) return callback(new RefusedAddress(), '', 0);
      if (options.all) callback(null, open);
      else callback(null, first.address, first.family);
    });
  };

  return {
    allows,
    checkHost(url) {
      const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
      const ip = canonicalIp(host);
      if (ip !== null && !allows(ip)) throw new RefusedAddress();
    },
    agents: () => ({
      http: new HttpAgent({ lookup: guardedLookup, maxSockets: 20 }),
      https: new HttpsAgent({ lookup: guardedLookup, maxSockets: 20 }),
    }),
    lookup: guardedLookup,
  };
}
