import { type SQL, sql } from 'drizzle-orm';
import type { DomainFault } from '../../../contract/codes/codes-without-domain.ts';
import { blockStatus } from '../../../contract/enums.ts';
import { domain } from '../../domains/domains.table.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { live_code } from '../live-codes.table.ts';

/** Domains that no visitor should be led to. They are few, and asked for first: the codes on them are then found by index. */
export type FaultyDomains = { disabled: number[]; blocked: number[] };

export async function readFaultyDomains(db: Database): Promise<FaultyDomains> {
  const rows = await db
    .select({ id: domain.id, enabled: domain.enabled })
    .from(domain)
    .where(sql`NOT ${domain.enabled} OR ${domain.block_status} = ${blockStatus.blocked}`);
  const idsOf = (enabled: boolean) => rows.filter((row) => row.enabled === enabled).map(({ id }) => id);
  return { disabled: idsOf(false), blocked: idsOf(true) };
}

/** The condition of each fault, in the order in which they are named. */
export function faultConditions({ disabled, blocked }: FaultyDomains): Record<DomainFault, SQL> {
  return {
    no_entry: sql`${live_code.entry_domain_id} IS NULL`,
    entry_disabled: isOneOf(live_code.entry_domain_id, disabled),
    entry_blocked: isOneOf(live_code.entry_domain_id, blocked),
    landing_disabled: isOneOf(live_code.landing_domain_id, disabled),
    landing_blocked: isOneOf(live_code.landing_domain_id, blocked),
  };
}

export const isFaulty = (faulty: FaultyDomains): SQL => sql`(${sql.join(Object.values(faultConditions(faulty)), sql` OR `)})`;
