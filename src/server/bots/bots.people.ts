import { sql } from 'drizzle-orm';
import type { Settings } from '../../contract/settings.ts';
import { type Person, readPerson } from '../kit/calls/authentication.ts';
import type { Database } from '../kit/postgres/database.ts';

/** The user of a chat with the rights he has now; undefined while he is disabled, removed or frozen, or his membership is over. */
export async function readActive(db: Database, user_id: number, { membership_grace_days }: Settings): Promise<Person | undefined> {
  const { rowCount } = await db.execute(sql`
    SELECT FROM user_account WHERE id = ${user_id} AND frozen_at IS NULL AND status = 1
      AND (member_expires_at IS NULL OR member_expires_at + make_interval(days => ${membership_grace_days}) > now())`);
  return rowCount ? readPerson(db, user_id) : undefined;
}
