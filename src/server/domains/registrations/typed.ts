import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../kit/postgres/database.ts';
import { registeredNameOf } from '../domains.names.ts';
import { domain_check } from '../domains.table.ts';

type Hosts = { id: number; before: string; after: string };
type Typed = { registration_typed: string | null };

/**
 * Writes what was typed of a domain's registration; undefined changes nothing. What was typed of one registered name is not said of
 * another, also where a form sent it along.
 */
export async function typedAfter(
  { id, before: oldHost, after: newHost }: Hosts,
  given: string | null | undefined,
  db: Database,
): Promise<{ before: Typed; after: Typed }> {
  const [check] = await db.select({ typed: domain_check.registration_typed }).from(domain_check).where(eq(domain_check.domain_id, id));
  const before = check?.typed ?? null;
  const wanted = given === undefined ? before : given && new Date(given).toISOString();
  const after = wanted === before && registeredNameOf(oldHost) !== registeredNameOf(newHost) ? null : wanted;
  if (after !== before)
    await db
      .update(domain_check)
      .set({ registration_typed: after, registration_typed_at: after && sql`now()` })
      .where(eq(domain_check.domain_id, id));
  return { before: { registration_typed: before }, after: { registration_typed: after } };
}
