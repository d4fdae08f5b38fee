import { type AnyColumn, and, asc, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { riskOf } from '../../contract/domains/domain-check.ts';
import type { DomainOption } from '../../contract/domains/domain-list.ts';
import { blockStatus, domainType } from '../../contract/enums.ts';
import type { Settings } from '../../contract/settings.ts';
import { visitSettingDefaults } from '../../contract/settings.visits.ts';
import { blockFields } from '../detection/block-state.public.ts';
import type { Context, Scope } from '../kit/calls/context.ts';
import { invalidField } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { contains, isOneOf } from '../kit/rows/list.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { user_account } from '../users/users.table.ts';
import { asRegistered, inOwnScript, isAscii, shownHost } from './domains.names.ts';
import { domain, domain_check, domain_registration } from './domains.table.ts';

export { asRegistered, readableHost, shownHost } from './domains.names.ts';

/** The platform's entry domain, on which every code answers: the first that is enabled, those that are not blocked before others. */
export async function platformEntryHost(db: Database): Promise<string | null> {
  const [found] = await db
    .select({ host: domain.host })
    .from(domain)
    .where(
      and(
        eq(domain.type, domainType.entry),
        isNull(domain.holder_id),
        domain.enabled,
        isNull(domain.frozen_at),
        sql`NOT ${domain.wildcard}`,
      ),
    )
    .orderBy(sql`${domain.block_status} IS NOT DISTINCT FROM ${blockStatus.blocked}`, domain.id)
    .limit(1);
  return found?.host ?? null;
}

/** A column of hosts as people read them; null where `shownHost` is. */
export const unicodeOf = (host: AnyColumn): SQL<string | null> => sql<string | null>`${host}`.mapWith(shownHost);

// A domain is of one type, and a code names it in the column of that type: nothing is counted twice. Each count is read off an index.
const live_code_count = sql<number>`(
  (SELECT count(*) FROM ${live_code} WHERE ${live_code.entry_domain_id} = ${domain.id} AND NOT ${live_code.removed})
  + (SELECT count(*) FROM ${live_code} WHERE ${live_code.landing_domain_id} = ${domain.id} AND NOT ${live_code.removed}))`.mapWith(Number);

/** What was typed says when the registration ends where the registry never did, or has said nothing since then. */
const isRegistrationTyped = sql`coalesce(${domain_check.registration_typed} IS NOT NULL AND (${domain_registration.expires_at} IS NULL
  OR ${domain_registration.fault} IS NOT NULL AND ${domain_check.registration_typed_at} > ${domain_registration.found_at}), false)`;
/** When the registration of a domain's name ends; needs `domain_check` and `registrationJoin`. */
export const registrationExpiresAt = sql<string | null>`CASE WHEN ${isRegistrationTyped} THEN ${domain_check.registration_typed}
  ELSE ${domain_registration.expires_at} END`.mapWith(domain_registration.expires_at);
export const registrationJoin = [domain_registration, eq(domain_registration.name, domain_check.registered_name)] as const;

/** A domain as the contract shows it; needs `domainJoins`. */
export const domainFields = {
  id: domain.id,
  host: domain.host,
  host_unicode: unicodeOf(domain.host),
  type: domain.type,
  holder_id: domain.holder_id,
  holder_account: sql<string | null>`${user_account.account}`,
  enabled: domain.enabled,
  block_status: domain.block_status,
  ...blockFields(domain.id),
  frozen_at: domain.frozen_at,
  frozen_reason: domain.frozen_reason,
  wildcard: sql<boolean>`${domain.wildcard}`,
  remark: domain.remark,
  live_code_count,
  short_code_count: sql<number>`(SELECT count(*) FROM short_code WHERE short_code.domain_id = ${domain.id})`.mapWith(Number),
  dns_state: domain_check.dns_state,
  certificate_state: domain_check.certificate_state,
  certificate_expires_at: domain_check.certificate_expires_at,
  registration_expires_at: registrationExpiresAt,
  registration_source: sql<'rdap' | 'typed' | null>`CASE WHEN ${isRegistrationTyped} THEN 'typed'
    WHEN ${domain_registration.expires_at} IS NOT NULL THEN 'rdap' END`,
  registration_typed: domain_check.registration_typed,
  checked_at: domain_check.checked_at,
  created_at: domain.created_at,
  updated_at: domain.updated_at,
};
/** The same for a caller, who is led to the checks of his own domains alone: an agent only sees his customers'. */
export const domainFieldsFor = ({ changes }: Scope) => ({ ...domainFields, ...blockFields(domain.id, changes(domain.holder_id)) });
export const domainJoins = [
  [user_account, eq(user_account.id, domain.holder_id)],
  [domain_check, eq(domain_check.domain_id, domain.id)],
  registrationJoin,
] as const;

/**
 * The domains whose name holds the text, in either script; no condition without a text. Names in other scripts are read to be compared: a
 * part of one has no part of its punycode.
 */
export async function isNamed(db: Database, text: string | undefined): Promise<SQL | undefined> {
  const wanted = text?.trim() ?? '';
  if (isAscii(wanted)) return contains(domain.host, wanted);
  const foreign = await db.select({ id: domain.id, host: domain.host }).from(domain).where(contains(domain.host, 'xn--'));
  const readable = inOwnScript(wanted);
  const ids = foreign.filter(({ host }) => inOwnScript(host).includes(readable)).map(({ id }) => id);
  return or(contains(domain.host, asRegistered(wanted)), isOneOf(domain.id, ids));
}

/** Domains that codes of this owner may use: enabled, not frozen, and his own or of the platform pool. */
export const usableBy = (owner_id: number): SQL | undefined =>
  and(eq(domain.enabled, true), isNull(domain.frozen_at), or(eq(domain.holder_id, owner_id), isNull(domain.holder_id)));

/** Not known to lead to another site; needs `domain_check`. */
export const leadsHere: SQL = sql`coalesce(${domain_check.dns_state}, 'unknown') NOT IN ('elsewhere', 'nothing')`;

/** Not known to be blocked. */
export const isHealthy: SQL = sql`${domain.block_status} IS DISTINCT FROM ${blockStatus.blocked}`;

/** Browsers are not known to warn of its certificate, if links have one at all; needs `domain_check`. */
export const isCertified: SQL = sql`(coalesce((SELECT value #>> '{}' FROM setting WHERE key = 'visit_scheme'), ${visitSettingDefaults.visit_scheme}) = 'http'
  OR coalesce(${domain_check.certificate_state} = 'valid' AND coalesce(${domain_check.certificate_expires_at} > now(), true), true))`;

/** What is known to be wrong with a domain, for a choice among some: those that nothing is wrong with come first. */
export async function domainOptions(
  where: SQL | undefined,
  { db, scheme, limit }: { db: Database; scheme: Settings['visit_scheme']; limit: number },
): Promise<DomainOption[]> {
  const { id, host, host_unicode, enabled, block_status, suspected_since, holder_id } = domainFields;
  const { dns_state, certificate_state, certificate_expires_at } = domainFields;
  const rows = await db
    .select({
      ...{ id, host, host_unicode, type: domain.type, enabled, block_status, suspected_since, holder_id },
      ...{ dns_state, certificate_state, certificate_expires_at },
    })
    .from(domain)
    .leftJoin(domain_check, eq(domain_check.domain_id, domain.id))
    .where(where)
    .orderBy(
      ...[desc(isHealthy), desc(leadsHere), desc(isCertified), sql`${suspected_since} IS NOT NULL`],
      ...[sql`${domain.holder_id} IS NULL`, asc(domain.host)],
    )
    .limit(limit);
  return rows.map((row) => ({ ...row, risk: riskOf(row, scheme) ?? null }));
}

/** 400 beside the field unless the domain has no known risk. */
export async function refuseRisk(
  field: string,
  id: number | null | undefined,
  { db, settings }: Pick<Context, 'db' | 'settings'>,
): Promise<void> {
  if (id === null || id === undefined) return;
  const { visit_scheme: scheme } = await settings();
  const [found] = await domainOptions(eq(domain.id, id), { db, scheme, limit: 1 });
  if (found?.risk) throw invalidField(field, `risky_domain_${found.risk}`);
}
