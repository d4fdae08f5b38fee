import { asc, sql } from 'drizzle-orm';
import type { ShortCode } from '../../contract/links/short-code.ts';
import type { Context } from '../kit/calls/context.ts';
import { emitEvents } from '../kit/messages/events.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { readShortCodes, told } from '../short-codes/short-codes.public.ts';
import { short_code } from '../short-codes/short-codes.table.ts';

export type LinkTeller = Pick<Context, 'db' | 'now' | 'settings'>;

/** The short links that lead to these codes. */
async function linksTo(code_ids: readonly number[], context: LinkTeller): Promise<ShortCode[]> {
  const { db } = context;
  const rows = await db
    .select({ id: short_code.id })
    .from(short_code)
    .where(isOneOf(short_code.live_code_id, code_ids))
    .orderBy(asc(short_code.id))
    .for('update');
  return readShortCodes(
    rows.map(({ id }) => id),
    context,
  );
}

/** Gives short links to the owners that the codes have now: a link belongs to the owner of what it leads to. The former owner loses it. */
export async function takeLinksAlong(code_ids: readonly number[], owner_id: number, context: LinkTeller): Promise<void> {
  const { db } = context;
  const links = (await linksTo(code_ids, context)).filter((link) => link.owner_id !== owner_id);
  const ids = links.map(({ id }) => id);
  await db.update(short_code).set({ owner_id, updated_at: sql`now()` }).where(isOneOf(short_code.id, ids));
  await emitEvents(
    db,
    links.flatMap((link) => [
      { type: 'short_code.removed' as const, owner_id: link.owner_id, data: told(link) },
      { type: 'short_code.changed' as const, owner_id, data: told(link) },
    ]),
  );
}

/** Tells of the short links that end with these codes; to be called before they are deleted. */
export async function tellOfEndingLinks(code_ids: readonly number[], context: LinkTeller): Promise<void> {
  const links = await linksTo(code_ids, context);
  await emitEvents(
    context.db,
    links.map((link) => ({ type: 'short_code.removed', owner_id: link.owner_id, data: told(link) })),
  );
}

/** Puts short links on another domain, and tells of their new addresses. */
export async function moveLinks(ids: readonly number[], domain_id: number, context: LinkTeller): Promise<void> {
  const { db } = context;
  const before = new Map((await readShortCodes(ids, context)).map(({ id, short_url }) => [id, short_url]));
  await db.update(short_code).set({ domain_id, updated_at: sql`now()` }).where(isOneOf(short_code.id, ids));
  const after = await readShortCodes(ids, context);
  await emitEvents(
    db,
    after.map((link) => ({ type: 'short_code.changed', owner_id: link.owner_id, data: { ...told(link), before: before.get(link.id) } })),
  );
}
