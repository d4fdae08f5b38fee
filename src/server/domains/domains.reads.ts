import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { blockStatus } from '../../contract/enums.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { user_account } from '../users/users.table.ts';
import { domain } from './domains.table.ts';

const live_code_count = sql<number>`(
  SELECT count(*) FROM ${live_code}
  WHERE NOT ${live_code.removed} AND (${live_code.entry_domain_id} = ${domain.id} OR ${live_code.landing_domain_id} = ${domain.id}))`.mapWith(
  Number,
);

/** A domain as the contract shows it; needs `holderJoin`. */
export const domainFields = {
  id: domain.id,
  host: domain.host,
  type: domain.type,
  holder_id: domain.holder_id,
  holder_account: sql<string | null>`${user_account.account}`,
  enabled: domain.enabled,
  block_status: domain.block_status,
  wildcard: sql<boolean>`${domain.wildcard}`,
  remark: domain.remark,
  live_code_count,
  created_at: domain.created_at,
  updated_at: domain.updated_at,
};
export const holderJoin = [user_account, eq(user_account.id, domain.holder_id)] as const;

/** Domains that codes of this owner may use: enabled, and his own or of the platform pool. */
export const usableBy = (owner_id: number): SQL | undefined =>
  and(eq(domain.enabled, true), or(eq(domain.holder_id, owner_id), isNull(domain.holder_id)));

/** Not known to be blocked. */
export const isHealthy: SQL = sql`${domain.block_status} IS DISTINCT FROM ${blockStatus.blocked}`;
