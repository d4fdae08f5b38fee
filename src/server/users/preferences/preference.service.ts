import { and, eq, sql } from 'drizzle-orm';
import type { preference } from '../../../contract/people/preference.ts';
import type { Service } from '../../kit/calls/context.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { user_preference } from '../users.table.ts';

const maxPreferences = 500;

export const preferenceService: Service<typeof preference> = {
  async inquire(_input, { db, actor }) {
    const rows = await db.select().from(user_preference).where(eq(user_preference.user_id, actor.user_id));
    return { preferences: Object.fromEntries(rows.map((row) => [row.key, row.value as null])) };
  },

  async update({ key, value }, { db, actor }) {
    if (value === null) {
      await db.delete(user_preference).where(and(eq(user_preference.user_id, actor.user_id), eq(user_preference.key, key)));
      return {};
    }
    const count = await db.$count(user_preference, eq(user_preference.user_id, actor.user_id));
    if (count >= maxPreferences) throw new AppError(409, 'preference.too_many');
    await db
      .insert(user_preference)
      .values({ user_id: actor.user_id, key, value })
      .onConflictDoUpdate({ target: [user_preference.user_id, user_preference.key], set: { value: sql`excluded.value` } });
    return {};
  },
};
