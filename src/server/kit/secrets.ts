import { sql } from 'drizzle-orm';
import type { Database } from './postgres/database.ts';

/** A key of this installation that the first start made: `visit_signing` signs visit addresses, `share_password` hashes share passwords. */
export async function readSecret(db: Database, key: 'visit_signing' | 'share_password'): Promise<Buffer> {
  const { rows } = await db.execute<{ value: Buffer }>(sql`SELECT value FROM secret WHERE key = ${key}`);
  if (!rows[0]) throw new Error(`the secret ${key} is missing: the database was never seeded`);
  return rows[0].value;
}
