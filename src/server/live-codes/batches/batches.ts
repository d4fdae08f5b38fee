import { and, asc, eq, isNull, or, sql } from 'drizzle-orm';
import type { VersionAction } from '../../../contract/codes/code-version.ts';
import type { qrCodeList } from '../../../contract/codes/qr-code-list.ts';
import type { ParsedInputOf } from '../../../contract/kit/call.ts';
import { refuseRisk } from '../../domains/domains.public.ts';
import type { Context } from '../../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../../kit/calls/errors.ts';
import { emitEvents } from '../../kit/messages/events.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { refuseOverQuota } from '../../orders/quotas.public.ts';
import { tellOfEndingLinks } from '../live-codes.links.ts';
import { checkDomains, checkFallback, checkGroup, refuseCodesOverQuota, refuseFrozen } from '../live-codes.rules.ts';
import { type StoredCode, storedCode } from '../live-codes.snippets.ts';
import { live_code, live_code_target, live_code_total, target_press_total, target_total } from '../live-codes.table.ts';
import { nextVersion, withVersions } from '../versions/versions.ts';

type Calls = (typeof qrCodeList)['calls'];
type Column = Exclude<keyof typeof live_code.$inferInsert, 'id' | 'owner_id'>;
export type Changes = Partial<Pick<typeof live_code.$inferInsert, Column>>;
export type LockedCode = { id: number; owner_id: number } & Record<string, unknown>;
/** `change_id` undoes the change as a whole; null where it changed nothing. */
export type Affected = { affected: number; change_id: string | null };

/** Locks a code that the caller may change; 404 where there is none. */
export async function lockCode(id: number, { db, scope }: Context): Promise<StoredCode> {
  const [code] = await db
    .select(storedCode)
    .from(live_code)
    .where(and(eq(live_code.id, id), scope.changes(live_code.owner_id)))
    .for('update');
  if (!code) throw notFound();
  return code;
}

const columnsOf = (changes: Changes) => Object.keys(changes) as Column[];

/** What stays possible with a code that is beyond its owner's quota: it can be stopped, moved away, and kept answering on another domain. */
const freeColumns: readonly Column[] = [
  ...(['open', 'entry_domain_id', 'landing_domain_id', 'group_id', 'internal_group_id'] as const),
  ...(['removed', 'removed_at', 'removed_by'] as const),
];

/**
 * The codes of these ids that the caller may change, with what the changes would overwrite. They are locked in the order of their ids,
 * so that two batches never wait for each other. 409 where one of them is beyond its owner's quota; without columns other tables change.
 */
export async function lockLiveCodes(ids: readonly number[], changes: Changes, removed: boolean, context: Context): Promise<LockedCode[]> {
  const { db, scope } = context;
  const overwritten = Object.fromEntries(columnsOf(changes).map((column) => [column, live_code[column]]));
  const codes = await db
    .select({ ...overwritten, id: live_code.id, owner_id: live_code.owner_id })
    .from(live_code)
    .where(and(isOneOf(live_code.id, ids), eq(live_code.removed, removed), scope.changes(live_code.owner_id)))
    .orderBy(asc(live_code.id))
    .for('update');
  const isFree = columnsOf(changes).length > 0 && columnsOf(changes).every((column) => freeColumns.includes(column));
  if (!isFree)
    await refuseCodesOverQuota(
      codes.map(({ id }) => id),
      context,
    );
  return codes;
}

/** Puts the same values on all these locked codes; the audit row keeps what the changed ones had before. */
export async function changeAll(
  codes: readonly LockedCode[],
  changes: Changes,
  action: VersionAction,
  context: Context,
): Promise<Affected> {
  const differing = codes.filter((code) => columnsOf(changes).some((column) => code[column] !== changes[column]));
  const ids = differing.map(({ id }) => id);
  const { change_id } = await withVersions(context, ids, action, () =>
    context.db
      .update(live_code)
      .set({ ...changes, ...nextVersion })
      .where(isOneOf(live_code.id, ids)),
  );
  context.audit({ before: differing.map(({ owner_id, ...before }) => before), after: changes });
  return { affected: codes.length, change_id };
}

export async function changeLiveCodes(ids: readonly number[], changes: Changes, context: Context): Promise<Affected> {
  if (Object.keys(changes).length === 0) throw invalidField('changes', 'required');
  await checkFallback(changes.fallback_url, context.db, 'changes.fallback_url');
  const codes = await lockLiveCodes(ids, changes, false, context);
  if (changes.open) {
    await refuseFrozen(
      codes.map(({ id }) => id),
      context,
    );
  }
  return changeAll(codes, changes, 'changed', context);
}

/** Opens or closes the caller's codes on a domain, those that differ. */
export async function openOnDomain(
  { domain_id, open }: ParsedInputOf<Calls['update_open_on_domain']>,
  context: Context,
): Promise<Affected> {
  const { db, scope } = context;
  const isOnDomain = or(eq(live_code.entry_domain_id, domain_id), eq(live_code.landing_domain_id, domain_id));
  const codes = await db
    .select({ id: live_code.id })
    .from(live_code)
    .where(
      and(
        isOnDomain,
        eq(live_code.open, !open),
        eq(live_code.removed, false),
        open && !scope.all ? isNull(live_code.frozen_at) : undefined,
        scope.changes(live_code.owner_id),
      ),
    );
  return changeLiveCodes(
    codes.map(({ id }) => id),
    { open },
    context,
  );
}

export async function changeDomains(
  { ids, accept_risk, ...choice }: ParsedInputOf<Calls['change_domain_name']>,
  context: Context,
): Promise<Affected> {
  if (choice.entry_domain_id === undefined && choice.landing_domain_id === undefined)
    throw invalidField('entry_domain_id', 'nothing_chosen');
  const codes = await lockLiveCodes(ids, choice, false, context);
  const owners = codes.length > 0 ? codes.map((code) => code.owner_id) : [context.scope.owner_id];
  await checkDomains(choice, [...new Set(owners)], context.db);
  if (!accept_risk) {
    await refuseRisk('entry_domain_id', choice.entry_domain_id, context);
    await refuseRisk('landing_domain_id', choice.landing_domain_id, context);
  }
  return changeAll(codes, choice, 'domain_changed', context);
}

/** Puts codes into a group of their owner; null takes them out of theirs. */
export async function moveToGroup(
  { ids, group_id }: { ids: readonly number[]; group_id: number | null },
  context: Context,
): Promise<Affected> {
  const codes = await lockLiveCodes(ids, { group_id }, false, context);
  const owners = codes.length > 0 ? codes.map((code) => code.owner_id) : [context.scope.owner_id];
  await checkGroup(group_id, [...new Set(owners)], context.db);
  return changeAll(codes, { group_id }, 'grouped', context);
}

/** Of owners whose codes became more. */
async function refuseMoreOverQuota(codes: readonly LockedCode[], db: Database): Promise<void> {
  const owners = new Map<number, number>();
  for (const { owner_id } of codes) owners.set(owner_id, (owners.get(owner_id) ?? 0) + 1);
  for (const [owner_id, number] of [...owners].sort(([one], [other]) => one - other))
    await refuseOverQuota(db, owner_id, 'live_codes', number);
}

/** Moves codes to the recycle bin or back. */
export async function changeRemoved({ ids, removed }: ParsedInputOf<Calls['update_remove']>, context: Context): Promise<Affected> {
  const changes = removed
    ? { removed, removed_at: context.now.toISOString(), removed_by: context.actor.user_id }
    : { removed, removed_at: null, removed_by: null };
  const codes = await lockLiveCodes(ids, changes, !removed, context);
  const done = await changeAll(codes, changes, removed ? 'removed' : 'restored', context);
  if (!removed) await refuseMoreOverQuota(codes, context.db);
  return done;
}

/** Deletes a code of the recycle bin, its targets and its totals; what it was visited stays in the statistics until its retention ends. */
export async function deleteLiveCode({ id, name }: ParsedInputOf<Calls['remove']>, context: Context): Promise<{ affected: number }> {
  const { db } = context;
  const code = await lockCode(id, context);
  if (!code.removed) throw new AppError(409, 'live_code.not_removed');
  await refuseFrozen([id], context);
  if (code.name !== name) throw invalidField('name', 'does_not_match');
  for (const totals of [target_press_total, target_total])
    await db.execute(
      sql`DELETE FROM ${totals} WHERE target_id IN (SELECT target.id FROM ${live_code_target} AS target WHERE target.live_code_id = ${id})`,
    );
  await tellOfEndingLinks([id], context);
  await db.delete(live_code_total).where(eq(live_code_total.live_code_id, id));
  await db.delete(live_code).where(eq(live_code.id, id));
  await emitEvents(db, [
    { type: 'code.removed', owner_id: code.owner_id, data: { id, file_name: code.file_name, name: code.name, action: 'deleted' } },
  ]);
  context.audit({ before: { id, name: code.name, file_name: code.file_name, owner_id: code.owner_id } });
  return { affected: 1 };
}
