import { sql } from 'drizzle-orm';
import type { Database } from '../kit/postgres/database.ts';

/** The super administrators who can act: who is told of what concerns the platform, such as its pool of domains. */
export async function platformOwners(db: Database): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT user_account.id FROM user_account JOIN role ON role.id = user_account.role_id
    WHERE role.kind = 'super' AND user_account.status = 1 AND NOT user_account.disabled ORDER BY user_account.id`);
  return rows.map(({ id }) => id);
}
