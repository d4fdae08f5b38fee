import { asc, eq, sql } from 'drizzle-orm';
import type { Context } from '../kit/calls/context.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { tellFormerHolders, tellOfDomains } from './domains.events.ts';
import { refuseBeyondQuota } from './domains.quota.ts';
import { domain } from './domains.table.ts';

/**
 * Gives the domains of a user who leaves to another one, or to the platform pool (null). What stands on them follows by its own rules: codes
 * that go to the same user stay on them.
 */
export async function giveDomains(from: number, holder_id: number | null, context: Context): Promise<void> {
  const { db, audit } = context;
  const rows = await db
    .select({ id: domain.id, host: domain.host, type: domain.type, holder_id: domain.holder_id, enabled: domain.enabled })
    .from(domain)
    .where(eq(domain.holder_id, from))
    .orderBy(asc(domain.id))
    .for('update');
  if (rows.length === 0) return;
  await refuseBeyondQuota(holder_id, rows.length, db);
  const ids = rows.map(({ id }) => id);
  await db.update(domain).set({ holder_id, updated_at: sql`now()` }).where(isOneOf(domain.id, ids));
  audit({ before: { domains: rows.map(({ id, host }) => ({ id, host })) }, after: { holder_id } });
  await tellFormerHolders(rows, context);
  await tellOfDomains(
    'domain.changed',
    rows.map((row) => ({ ...row, holder_id })),
    context,
  );
}
