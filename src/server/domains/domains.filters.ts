import { and, or, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { domainFilters } from '../../contract/domains/domain-list.ts';
import { blockStatus } from '../../contract/enums.ts';
import { settingsOf } from '../../contract/settings.ts';
import { suspectedSince } from '../detection/block-state.public.ts';
import type { Database } from '../kit/postgres/database.ts';
import { betweenDays, contains, equals } from '../kit/rows/list.ts';
import { setting } from '../settings/settings.table.ts';
import { isNamed, registrationExpiresAt } from './domains.public.ts';
import { domain, domain_check } from './domains.table.ts';

type Filters = Partial<{ [K in keyof typeof domainFilters]: z.output<(typeof domainFilters)[K]> }>;

const timeZoneOf = async (db: Database): Promise<string> => settingsOf(await db.select().from(setting)).time_zone;

/** As lists show it: of a blocked domain nobody suspects so any more. */
const isSuspected = sql`${suspectedSince(domain.id)} IS NOT NULL AND ${domain.block_status} IS DISTINCT FROM ${blockStatus.blocked}`;

/** The conditions of the list's filters. */
export async function domainConditions(db: Database, filters: Filters): Promise<SQL | undefined> {
  const { certificate_from: from, certificate_to: to } = filters;
  const { registration_from, registration_to } = filters;
  const { host, type, enabled, frozen, block_status, suspected, dns_state, certificate_state, wildcard, holder_id, pool } = filters;
  return and(
    or(await isNamed(db, host), contains(domain.remark, host)),
    equals(domain.type, type),
    equals(domain.enabled, enabled),
    frozen === undefined ? undefined : sql`(${domain.frozen_at} IS NOT NULL) = ${frozen}`,
    equals(domain.block_status, block_status),
    suspected === undefined ? undefined : sql`(${isSuspected}) = ${suspected}`,
    equals(domain_check.dns_state, dns_state),
    equals(domain_check.certificate_state, certificate_state),
    from || to ? betweenDays(domain_check.certificate_expires_at, { from, to }, await timeZoneOf(db)) : undefined,
    registration_from || registration_to
      ? betweenDays(registrationExpiresAt, { from: registration_from, to: registration_to }, await timeZoneOf(db))
      : undefined,
    equals(domain.wildcard, wildcard),
    equals(domain.holder_id, holder_id),
    pool === undefined ? undefined : sql`(${domain.holder_id} IS NULL) = ${pool}`,
  );
}
