import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { domain } from '../domains/domains.table.ts';

type DomainId = AnyColumn | SQL;

const ofMonitor = (column: 'status_since' | 'suspected_since', domain_id: DomainId): SQL<string | null> =>
  sql<string | null>`(SELECT monitor.${sql.raw(column)} FROM domain_monitor AS monitor WHERE monitor.domain_id = ${domain_id})`.mapWith(
    domain.created_at,
  );

/** Since when the visits of a domain make believe that it is blocked; null: they don't. */
export const suspectedSince = (domain_id: DomainId): SQL<string | null> => ofMonitor('suspected_since', domain_id);

/**
 * What lists show of a domain's checks beside its `block_status`, one reading of an index each.
 * @param isSeen whether the caller may look at the checks themselves, as `ownMonitors` lets him; everybody may where nothing is given
 */
export const blockFields = (domain_id: DomainId, isSeen: SQL = sql`true`) => ({
  block_since: ofMonitor('status_since', domain_id),
  suspected_since: suspectedSince(domain_id),
  monitor_id: sql<
    number | null
  >`(SELECT monitor.id FROM domain_monitor AS monitor WHERE monitor.domain_id = ${domain_id} AND ${isSeen})`.mapWith(Number),
});
