import { sql } from 'drizzle-orm';
import type { Database } from '../../kit/postgres/database.ts';

type Design = Record<string, import('zod').z.core.util.JSONType>;

/** The design that a user's new codes get; null is the plain one. */
export async function chosenDesign(db: Database, user_id: number): Promise<Design | null> {
  const { rows } = await db.execute<{ design: Design }>(sql`
    SELECT design FROM user_preference JOIN qr_design ON to_jsonb(qr_design.id) = user_preference.value
    WHERE user_preference.user_id = ${user_id} AND key = 'qr_design.chosen' AND (qr_design.owner_id = ${user_id} OR qr_design.shared)`);
  return rows[0]?.design ?? null;
}
