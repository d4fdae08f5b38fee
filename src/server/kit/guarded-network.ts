import { type LookupAddress, lookup } from 'node:dns';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { canonicalIp, createCidrSet, specialAddresses } from './ip.ts';

/** Public by their registry, yet they lead inside: the platform address of a cloud, and IPv6 that carries an IPv4 address. */
const alsoRefused = createCidrSet(['168.63.129.16', '64:ff9b::/96', '2002::/16', '2001::/32']);

/** An address that an operator typed in leads where the server may not go. */
export class RefusedAddress extends Error {
  override name = 'RefusedAddress';
}

/** Which addresses the server may call on somebody's word, and agents that keep to it. */
export type GuardedNetwork = {
  allows: (ip: string) => boolean;
  /** Throws where the host is an address that may not be called: addresses are never looked up, so that the agents don't see them. */
  checkHost: (url: string) => void;
  /** Agents that ask `allows` about what a name stands for at the moment of connecting: a name that changes afterwards gains nothing. */
  agents: () => { http: HttpAgent; https: HttpsAgent };
};

/** @param allowedNetworks private networks that may be called although they are private */
export function guardNetwork(allowedNetworks: readonly string[]): GuardedNetwork {
  const allowed = createCidrSet(allowedNetworks);
  const allows = (ip: string): boolean => {
    const canonical = canonicalIp(ip);
    if (canonical === null) return false;
    return allowed.has(canonical) || !(specialAddresses.has(canonical) || alsoRefused.has(canonical));
  };

  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, '', 0);
      const open = addresses.filter(({ address }) => allows(address));
      const [first] = open;
      if (!first) return callback(new RefusedAddress(`${hostname} is at ${addresses[0]?.address ?? '-'}, which is not allowed`), '', 0);
      if (options.all) callback(null, open);
      else callback(null, first.address, first.family);
    });
  };

  return {
    allows,
    checkHost(url) {
      const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
      const ip = canonicalIp(host);
      if (ip !== null && !allows(ip)) throw new RefusedAddress(`${ip} is not allowed`);
    },
    agents: () => ({
      http: new HttpAgent({ lookup: guardedLookup, maxSockets: 20 }),
      https: new HttpsAgent({ lookup: guardedLookup, maxSockets: 20 }),
    }),
  };
}
