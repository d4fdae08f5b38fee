import { eq, sql } from 'drizzle-orm';
import type { Context } from '../kit/calls/context.ts';
import { short_code } from './short-codes.table.ts';

/** Gives the short codes of a user who leaves to another one, those that lead to addresses of their own as well. */
export async function giveShortCodes(from: number, owner_id: number, { db }: Context): Promise<void> {
  await db.update(short_code).set({ owner_id, updated_at: sql`now()` }).where(eq(short_code.owner_id, from));
}
