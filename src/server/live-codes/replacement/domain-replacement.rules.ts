import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { domainType } from '../../../contract/enums.ts';
import { domain } from '../../domains/domains.table.ts';
import type { Scope } from '../../kit/calls/context.ts';
import { invalidField } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';

type Domain = { id: number; host: string; type: 1 | 2 | 3; holder_id: number | null };
/** One domain and the one that takes its place. */
export type Pair = { from: Domain; to: Domain };

const fields = { id: domain.id, host: domain.host, type: domain.type, holder_id: domain.holder_id };

/**
 * Both domains, locked against change: what is replaced must be one that the caller sees or the platform's, and what takes its place one
 * that is enabled, of the same type, and his to use.
 */
export async function readPair(
  { from_domain_id, to_domain_id }: { from_domain_id: number; to_domain_id: number },
  { db, scope }: { db: Database; scope: Scope },
): Promise<Pair> {
  const seen = scope.sees(domain.holder_id);
  const usable = scope.changes(domain.holder_id);
  const orPool = (condition: SQL | undefined) => condition && or(condition, isNull(domain.holder_id));
  const read = async (id: number, condition: SQL | undefined) =>
    (
      await db
        .select({ ...fields, enabled: domain.enabled })
        .from(domain)
        .where(and(eq(domain.id, id), orPool(condition)))
        .for('share')
    )[0];
  if (from_domain_id === to_domain_id) throw invalidField('to_domain_id', 'same_domain');
  const from = await read(from_domain_id, seen);
  if (!from) throw invalidField('from_domain_id', 'unknown_domain');
  const to = await read(to_domain_id, usable);
  if (!to?.enabled || to.type !== from.type) throw invalidField('to_domain_id', 'unknown_domain');
  return { from, to };
}

/** The codes that name a domain of this type: their table, and the column that does. */
export const codesOf = (type: Domain['type']): { table: SQL; column: SQL } => ({
  table: type === domainType.short ? sql`short_code` : sql`live_code`,
  column: { 1: sql`code.entry_domain_id`, 2: sql`code.landing_domain_id`, 3: sql`code.domain_id` }[type],
});

/** Codes whose owner may use this domain: it is the platform's, or his. */
export const mayUse = ({ holder_id }: Pick<Domain, 'holder_id'>): SQL =>
  holder_id === null ? sql`true` : sql`code.owner_id = ${holder_id}`;

/** Short codes whose path is free on the new domain. */
export const isFree = (to_domain_id: number): SQL =>
  sql`NOT EXISTS (SELECT FROM short_code AS other WHERE other.domain_id = ${to_domain_id} AND other.short = code.short)`;
