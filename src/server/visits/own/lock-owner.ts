import { eq } from 'drizzle-orm';
import type { Context } from '../../kit/calls/context.ts';
import { user_account } from '../../users/users.table.ts';

/** Two calls of one user never count what he has at the same time: together they would go beyond what he may have. */
export async function lockOwner({ db, actor }: Context): Promise<void> {
  await db.select({ id: user_account.id }).from(user_account).where(eq(user_account.id, actor.user_id)).for('no key update');
}
