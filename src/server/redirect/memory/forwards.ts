import { type ForwardPaths, type ForwardRule, forwardPaths } from '../../kit/visits/forwards.ts';
import type { KeptLink } from '../model.ts';
import type { Query } from '../rotation/leases.queries.ts';

export interface StoredForward extends ForwardRule {
  id: number;
  domain_id: number;
  status: 301 | 302 | 307;
  /** Of the one who holds the domain; forwards of the platform's domains always serve. */
  owner_is_disabled: boolean;
  owner_is_frozen: boolean;
  owner_expires_at: number | null;
}

/** A forward ready to be answered. */
export interface Forward extends StoredForward {
  /** Where it leads without anything of the visitor's; made when it is first asked for. */
  kept: KeptLink | undefined;
}

/** The forwards of each domain that has some, by its id. */
export type Forwards = ReadonlyMap<number, ForwardPaths<Forward>>;

/** Enabled forwards of domains in use. One that was made by an earlier holder of the domain serves no more. */
export const loadForwards = (query: Query): Promise<StoredForward[]> =>
  query<StoredForward>({
    name: 'load_forwards',
    text: `SELECT forward.id, forward.domain_id, forward.path, forward.url, forward.status, forward.keep_query,
        domain.holder_id IS NOT NULL AND owner.disabled AS owner_is_disabled,
        domain.holder_id IS NOT NULL AND owner.frozen_at IS NOT NULL AS owner_is_frozen,
        CASE WHEN domain.holder_id IS NOT NULL THEN (extract(epoch FROM owner.member_expires_at) * 1000)::float8 END AS owner_expires_at
      FROM forward JOIN domain ON domain.id = forward.domain_id JOIN user_account AS owner ON owner.id = forward.owner_id
      WHERE forward.enabled AND domain.enabled AND (domain.holder_id IS NULL OR domain.holder_id = forward.owner_id)
      ORDER BY forward.domain_id, forward.sort, forward.id`,
    values: [],
  });

export function createForwards(stored: readonly StoredForward[]): Forwards {
  const byDomain = Map.groupBy(
    stored.map((forward): Forward => ({ ...forward, kept: undefined })),
    ({ domain_id }) => domain_id,
  );
  return new Map([...byDomain].map(([domainId, rules]) => [domainId, forwardPaths(rules)]));
}
