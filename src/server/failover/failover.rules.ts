import { and, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { domainTypes } from '../../contract/enums.ts';
import type { Database } from '../kit/postgres/database.ts';
import { shield_rule } from './failover.table.ts';

export type DomainType = (typeof domainTypes)[number];
export type Rule = typeof shield_rule.$inferSelect;

const platformDefault = and(isNull(shield_rule.owner_id), eq(shield_rule.pool, false));

/** The rule for domains of this holder: the pool's (null), his own, or the platform's default. */
export async function ruleOf(holder_id: number | null, type: DomainType, db: Database): Promise<Rule> {
  const concerned = holder_id === null ? eq(shield_rule.pool, true) : or(eq(shield_rule.owner_id, holder_id), platformDefault);
  const [rule] = await db
    .select()
    .from(shield_rule)
    .where(and(eq(shield_rule.type, type), concerned))
    .orderBy(desc(sql`${shield_rule.owner_id} IS NOT NULL`))
    .limit(1);
  if (!rule) throw new Error('the migration makes the rules of the platform and of the pool');
  return rule;
}

/** Replacements that began within the last hour, and when there are fewer than `max` again. */
export async function usedWithin(
  { type, max, where }: { type: DomainType; max: number; where: SQL },
  db: Database,
): Promise<{ used: number; free_at: Date | null }> {
  const { rows } = await db.execute<{ used: number; free_at: Date | null }>(sql`
    SELECT count(*)::float8 AS used, (array_agg(started_at ORDER BY started_at DESC))[${max}::integer] + interval '1 hour' AS free_at
    FROM failover WHERE type = ${type} AND started_at > now() - interval '1 hour' AND ${where}`);
  const { used, free_at } = rows[0] ?? { used: 0, free_at: null };
  return { used, free_at: free_at && new Date(free_at) };
}

/** What counts against a holder's limit, the pool's own replacements too, and against that of the pool: all that led onto its domains. */
export const ofHolder = (holder_id: number | null): SQL =>
  holder_id === null ? sql`failover.onto_pool` : sql`failover.holder_id = ${holder_id}`;
