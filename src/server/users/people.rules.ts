import { and, asc, eq, ne, sql } from 'drizzle-orm';
import { disabledStatus, userStatus, type userStatuses } from '../../contract/enums.ts';
import type { Context } from '../kit/calls/context.ts';
import { AppError, notFound } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { isWithin } from '../roles/roles.public.ts';
import { role } from '../roles/roles.table.ts';
import { type PeopleList, peopleOf } from './users.list.ts';
import { user_account } from './users.table.ts';

const lockedFields = {
  id: user_account.id,
  account: user_account.account,
  name: user_account.name,
  phone: user_account.phone,
  remark: user_account.remark,
  role_id: user_account.role_id,
  superior_id: user_account.superior_id,
  invitation_code: user_account.invitation_code,
  share_ratio: user_account.share_ratio,
  member_expires_at: user_account.member_expires_at,
  disabled: user_account.disabled,
};
export type LockedUser = { [K in keyof typeof lockedFields]: (typeof user_account.$inferSelect)[K] };

/** Managing others is for administrators, whatever nodes an administrator gave to a role of customers. */
export function refuseCustomers({ scope }: Context): void {
  if (!scope.all) throw new AppError(403, 'forbidden');
}

/**
 * The users of these ids in one list, locked in the order of their ids; removed ones only where they are meant. Refused as a whole where one of them may do what the caller may
 * not: who could give a super administrator a password would be one.
 */
export async function lockPeople(
  people: PeopleList,
  ids: readonly number[],
  context: Context,
  status: (typeof userStatuses)[number] = userStatus.present,
): Promise<LockedUser[]> {
  refuseCustomers(context);
  const { db, scope, actor } = context;
  const locked = await db
    .select(lockedFields)
    .from(user_account)
    .where(and(isOneOf(user_account.id, ids), eq(user_account.status, status), peopleOf(people, scope)))
    .orderBy(asc(user_account.id))
    // Not against key shares: rows that only refer to the user need not wait.
    .for('no key update');
  const roleIds = [...new Set(locked.map(({ role_id }) => role_id))];
  const roles = await db.select({ id: role.id, kind: role.kind }).from(role).where(isOneOf(role.id, roleIds));
  for (const found of roles) if (!(await isWithin(db, actor, found))) throw new AppError(403, 'user.beyond_own');
  return locked;
}

export async function lockPerson(people: PeopleList, id: number, context: Context): Promise<LockedUser> {
  const [locked] = await lockPeople(people, [id], context);
  if (!locked) throw notFound();
  return locked;
}

/** Nobody takes away his own role or access, by mistake or under a threat. */
export function refuseOneself(users: readonly { id: number }[], { actor }: Context): void {
  if (users.some(({ id }) => id === actor.user_id)) throw new AppError(403, 'user.oneself');
}

/**
 * Called before users lose the super administrator's role or their access. The role's row is locked, so that of two who take it from
 * each other the second one sees what the first one did.
 */
export async function keepSuperAdministrator(tx: Database, leaving: readonly { id: number; role_id: number }[]): Promise<void> {
  const [superRole] = await tx.select({ id: role.id }).from(role).where(eq(role.kind, 'super'));
  if (!superRole || !leaving.some(({ role_id }) => role_id === superRole.id)) return;
  await tx.select({ id: role.id }).from(role).where(eq(role.id, superRole.id)).for('no key update');
  const ids = leaving.map(({ id }) => id);
  const others = and(
    eq(user_account.role_id, superRole.id),
    eq(user_account.disabled, disabledStatus.no),
    sql`NOT ${isOneOf(user_account.id, ids)}`,
  );
  if ((await tx.$count(user_account, others)) === 0) throw new AppError(409, 'user.last_super');
}

/** The condition for "everybody of this list whom the caller may manage, but himself", for calls that name nobody. */
export async function everybodyElse(people: PeopleList, context: Context) {
  refuseCustomers(context);
  const { db, actor, scope } = context;
  const roles = await db.select({ id: role.id, kind: role.kind }).from(role);
  const within: number[] = [];
  for (const found of roles) if (await isWithin(db, actor, found)) within.push(found.id);
  return and(
    peopleOf(people, scope),
    eq(user_account.status, userStatus.present),
    isOneOf(user_account.role_id, within),
    ne(user_account.id, actor.user_id),
  );
}
