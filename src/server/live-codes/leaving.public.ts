import { and, asc, eq } from 'drizzle-orm';
import type { Context } from '../kit/calls/context.ts';
import { changeRemoved } from './batches/batches.ts';
import { transferLiveCodes } from './batches/transfer.ts';
import { live_code } from './live-codes.table.ts';

async function codesOf(owner_id: number, { db }: Context): Promise<number[]> {
  const codes = await db
    .select({ id: live_code.id })
    .from(live_code)
    .where(and(eq(live_code.owner_id, owner_id), eq(live_code.removed, false)))
    .orderBy(asc(live_code.id));
  return codes.map(({ id }) => id);
}

/** Gives all codes in use of a user who leaves to another one; on domains that this one may not use they get others, if he has any. */
export async function giveCodes(from: number, owner_id: number, context: Context): Promise<void> {
  await transferLiveCodes({ ids: await codesOf(from, context), owner_id, domains: 'replace' }, context);
}

/** Moves all codes in use of a user who leaves to the recycle bin, from which they can be restored. */
export async function putCodesAway(from: number, context: Context): Promise<void> {
  await changeRemoved({ ids: await codesOf(from, context), removed: true }, context);
}
