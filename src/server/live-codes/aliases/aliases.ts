import { and, eq } from 'drizzle-orm';
import { maxAliases, type VisitsByKey } from '../../../contract/codes/alias.ts';
import type { qrCodeList } from '../../../contract/codes/qr-code-list.ts';
import type { OutputOf, ParsedInputOf } from '../../../contract/kit/call.ts';
import type { Context } from '../../kit/calls/context.ts';
import { AppError, mapUniqueViolation, notFound } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { rangeCounts, type SiteTime, visitsByAlias } from '../../visits/visits.public.ts';
import { readAliases, requireFigures } from '../live-codes.public.ts';
import { checkFileName, refuseFrozen } from '../live-codes.rules.ts';
import { settingsOver } from '../live-codes.settings.ts';
import { live_code_key } from '../live-codes.table.ts';
import { lockLiveCode, newFileName } from '../live-codes.writes.ts';

type Calls = (typeof qrCodeList)['calls'];
type Aliases = OutputOf<Calls['add_alias']>;

const isAliasOf = (id: number) => and(eq(live_code_key.live_code_id, id), eq(live_code_key.own, false));
const isAlias = (id: number, alias_id: number) => and(isAliasOf(id), eq(live_code_key.id, alias_id));

export async function addAlias({ id, key, remark = '' }: ParsedInputOf<Calls['add_alias']>, context: Context): Promise<Aliases> {
  const { db } = context;
  await lockLiveCode(id, context);
  if (key !== undefined) checkFileName(key, 'key');
  if ((await db.$count(live_code_key, isAliasOf(id))) >= maxAliases)
    throw new AppError(409, 'live_code.too_many_aliases', { params: { maximum: maxAliases } });
  const [added] = await db
    .insert(live_code_key)
    .values({ live_code_id: id, key: key ?? newFileName(), remark })
    .returning()
    .catch(mapUniqueViolation({ live_code_key_key_key: 'key' }));
  context.audit({ after: added });
  return readAliases(id, context);
}

export async function updateAlias({ id, alias_id, remark }: ParsedInputOf<Calls['update_alias']>, context: Context): Promise<Aliases> {
  await lockLiveCode(id, context);
  const [before] = await context.db.select().from(live_code_key).where(isAlias(id, alias_id));
  if (!before) throw notFound();
  await context.db.update(live_code_key).set({ remark }).where(isAlias(id, alias_id));
  context.audit({ before, after: { ...before, remark } });
  return readAliases(id, context);
}

export async function removeAlias({ id, alias_id }: ParsedInputOf<Calls['remove_alias']>, context: Context): Promise<Aliases> {
  await lockLiveCode(id, context);
  // Its addresses stay frozen, too: an alias that is taken off is free for others.
  await refuseFrozen([id], context);
  const [before] = await context.db.delete(live_code_key).where(isAlias(id, alias_id)).returning();
  if (!before) throw notFound();
  context.audit({ before });
  return readAliases(id, context);
}

export async function visitsByKey({ id, from, to }: ParsedInputOf<Calls['visits_by_key']>, context: Context): Promise<VisitsByKey> {
  const { db, now } = context;
  await requireFigures(id, context);
  const time = { now, time_zone: (await settingsOver(db)).time_zone };
  const { visits } = await rangeCounts(db, id, { from, to }, time);
  return splitByKey(db, { id, visits }, { from, to }, time);
}

/** A code's visits of these days by key; what no alias counts came by its own. Whether the caller may see it must be settled before. */
export async function splitByKey(
  db: Database,
  { id, visits }: { id: number; visits: number },
  days: { from: string | null; to: string | null },
  time: SiteTime,
): Promise<VisitsByKey> {
  const byAlias = await visitsByAlias(db, id, days, time);
  const rows = await db
    .select({ id: live_code_key.id, key: live_code_key.key, remark: live_code_key.remark })
    .from(live_code_key)
    .where(isAliasOf(id))
    .orderBy(live_code_key.id);
  const aliases = rows.map((row) => ({ ...row, visits: byAlias.get(row.id) ?? 0 }));
  const sum = (counts: Iterable<number>) => [...counts].reduce((total, visits) => total + visits, 0);
  const present = sum(aliases.map(({ visits }) => visits));
  const further = sum(byAlias.values());
  return { own: visits - further, aliases, removed: further - present };
}
