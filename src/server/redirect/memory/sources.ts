import type { Query } from '../rotation/leases.queries.ts';

/** A host whose visitors an owner's codes refuse. */
export interface BlockedSource {
  owner_id: number;
  host: string;
}

export interface Sources {
  size: number;
  /** Whether this owner's codes refuse visits that a page at this address referred; a host stands for its subdomains too. */
  refuse(ownerId: number, referer: string): boolean;
}

export const loadBlockedSources = (query: Query): Promise<BlockedSource[]> =>
  query<BlockedSource>({
    name: 'load_blocked_sources',
    text: `SELECT owner_id, host FROM visit_source_rule WHERE action = 'block' ORDER BY id`,
    values: [],
  });

const hostPattern = /^https?:\/\/([^/?#:@]+)/i;

export function createSources(rules: readonly BlockedSource[]): Sources {
  const byOwner = new Map<number, Set<string>>();
  for (const { owner_id, host } of rules) {
    const hosts = byOwner.get(owner_id);
    if (hosts) hosts.add(host);
    else byOwner.set(owner_id, new Set([host]));
  }
  return {
    size: rules.length,
    refuse(ownerId, referer) {
      const hosts = referer === '' ? undefined : byOwner.get(ownerId);
      let host = hosts && hostPattern.exec(referer)?.[1]?.toLowerCase();
      while (hosts && host) {
        if (hosts.has(host)) return true;
        const dot = host.indexOf('.');
        host = dot < 0 ? undefined : host.slice(dot + 1);
      }
      return false;
    },
  };
}
