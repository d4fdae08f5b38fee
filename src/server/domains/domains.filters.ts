import { and, or, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { domainFilters } from '../../contract/domains/domain-list.ts';
import type { Database } from '../kit/postgres/database.ts';
import { contains, equals } from '../kit/rows/list.ts';
import { isNamed } from './domains.public.ts';
import { domain, domain_check } from './domains.table.ts';

type Filters = Partial<{ [K in keyof typeof domainFilters]: z.output<(typeof domainFilters)[K]> }>;

/** The conditions of the list's filters. */
export async function domainConditions(db: Database, filters: Filters): Promise<SQL | undefined> {
  const { host, type, enabled, block_status, dns_state, certificate_state, wildcard, holder_id, pool } = filters;
  return and(
    or(await isNamed(db, host), contains(domain.remark, host)),
    equals(domain.type, type),
    equals(domain.enabled, enabled),
    equals(domain.block_status, block_status),
    equals(domain_check.dns_state, dns_state),
    equals(domain_check.certificate_state, certificate_state),
    equals(domain.wildcard, wildcard),
    equals(domain.holder_id, holder_id),
    pool === undefined ? undefined : sql`(${domain.holder_id} IS NULL) = ${pool}`,
  );
}
