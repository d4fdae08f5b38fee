import { eq, type SQL, sql } from 'drizzle-orm';
import type { Scope } from '../kit/calls/context.ts';
import { user_account } from '../users/users.table.ts';
import { unicodeOf } from './domains.public.ts';
import { domain_replacement } from './replacements.table.ts';

/** A replacement as the contract shows it; needs `replacedByJoin`. */
export const replacementFields = {
  id: domain_replacement.id,
  from_domain_id: domain_replacement.from_domain_id,
  from_host: domain_replacement.from_host,
  from_host_unicode: unicodeOf(domain_replacement.from_host),
  to_domain_id: domain_replacement.to_domain_id,
  to_host: domain_replacement.to_host,
  to_host_unicode: unicodeOf(domain_replacement.to_host),
  type: domain_replacement.type,
  live_codes: domain_replacement.live_codes,
  short_codes: domain_replacement.short_codes,
  forwards: domain_replacement.forwards,
  created_by_account: sql<string | null>`${user_account.account}`,
  created_at: domain_replacement.created_at,
  undone_at: domain_replacement.undone_at,
  undone_codes: domain_replacement.undone_codes,
  undoable: sql<boolean>`(${domain_replacement.undone_at} IS NULL AND ${domain_replacement.from_domain_id} IS NOT NULL
    AND ${domain_replacement.to_domain_id} IS NOT NULL)`,
};
export const replacedByJoin = [user_account, eq(user_account.id, domain_replacement.created_by)] as const;

/** Replacements that touched codes, and nobody's but those for which the scope allows it. */
export function concernsOnly(condition: Scope['sees' | 'changes']): SQL {
  const allowed = condition(sql`owner.id`) ?? sql`true`;
  return sql`${domain_replacement.owner_ids} <> '{}' AND NOT EXISTS (
    SELECT FROM unnest(${domain_replacement.owner_ids}) AS owner (id) WHERE NOT (${allowed}))`;
}
