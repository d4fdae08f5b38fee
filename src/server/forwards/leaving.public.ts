import { eq, sql } from 'drizzle-orm';
import type { Context } from '../kit/calls/context.ts';
import { forward } from './forwards.table.ts';

/** Gives the forwards of a user who leaves to another one. */
export async function giveForwards(from: number, owner_id: number, { db }: Context): Promise<void> {
  await db.update(forward).set({ owner_id, updated_at: sql`now()` }).where(eq(forward.owner_id, from));
}

/** Switches the forwards of a user who leaves off: on a domain of the platform pool they would serve on. */
export async function endForwards(from: number, { db }: Context): Promise<void> {
  await db.update(forward).set({ enabled: false, updated_at: sql`now()` }).where(eq(forward.owner_id, from));
}
