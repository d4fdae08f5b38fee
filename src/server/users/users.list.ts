import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type RoleKind, userStatus } from '../../contract/enums.ts';
import type { ParsedInputOf } from '../../contract/kit/call.ts';
import type { Page } from '../../contract/kit/page.ts';
import type { User, userList } from '../../contract/people/user-list.ts';
import { usableTokensOf } from '../kit/calls/api-tokens.ts';
import type { Context } from '../kit/calls/context.ts';
import { notFound } from '../kit/calls/errors.ts';
import { betweenDays, contains, equals, list } from '../kit/rows/list.ts';
import { amountSql, availableSql } from '../ledger/ledger.public.ts';
import { role } from '../roles/roles.table.ts';
import { second_factor, session, user_account } from './users.table.ts';

/** The two lists of people: each with its own screen, and its own permissions. */
export const listedKinds = {
  user_list: ['customer', 'agent'],
  administrators: ['super', 'administrator'],
} as const satisfies Record<string, readonly RoleKind[]>;
export type PeopleList = keyof typeof listedKinds;

const superior = alias(user_account, 'superior');

/** A session that an administrator opened as the user says nothing about where the user is. */
const ownSessions = sql`${session.user_id} = ${user_account.id} AND ${session.impersonator_session_id} IS NULL AND ${session.expires_at} > now()`;
const isOnline = sql<boolean>`EXISTS (SELECT FROM ${session} WHERE ${ownSessions} AND ${session.used_at} > now() - interval '2 minutes')`;
const lastUse = sql`(SELECT max(${session.used_at}) FROM ${session} WHERE ${ownSessions})`;
const available = availableSql(sql`${user_account.id}`);
export const isExpired = sql<boolean>`coalesce(${user_account.member_expires_at} <= now(), false)`;

const fieldsOf = (online_detection: boolean) => ({
  id: user_account.id,
  account: user_account.account,
  name: user_account.name,
  phone: user_account.phone,
  remark: user_account.remark,
  role_id: user_account.role_id,
  role_name: role.name,
  role_kind: role.kind,
  superior_id: user_account.superior_id,
  superior_account: sql<string | null>`${superior.account}`,
  invitation_code: user_account.invitation_code,
  balance: amountSql(available),
  share_ratio: sql<number>`${user_account.share_ratio}::float8 / 100`,
  member_expires_at: user_account.member_expires_at,
  expired: isExpired,
  online_status: online_detection ? sql<1 | 2 | null>`CASE WHEN ${isOnline} THEN 2 ELSE 1 END` : sql<1 | 2 | null>`NULL::int`,
  online_status_at: sql<string | null>`coalesce(${lastUse}, ${user_account.login_at})`.mapWith(session.used_at),
  disabled: user_account.disabled,
  frozen_at: user_account.frozen_at,
  frozen_reason: user_account.frozen_reason,
  status: user_account.status,
  removed_at: user_account.removed_at,
  removed_by_account: sql<string | null>`(SELECT account FROM user_account AS remover WHERE remover.id = ${user_account.removed_by})`,
  second_factor: sql<boolean>`EXISTS (SELECT FROM ${second_factor} WHERE ${second_factor.user_id} = ${user_account.id} AND ${second_factor.secret} IS NOT NULL)`,
  api_token_number: usableTokensOf(sql`user_account.id`),
  register_ip: user_account.register_ip,
  login_ip: user_account.login_ip,
  login_at: user_account.login_at,
  created_at: user_account.created_at,
  updated_at: user_account.updated_at,
});

const roleJoin = [role, sql`${role.id} = ${user_account.role_id}`] as const;
const superiorJoin = [superior, sql`${superior.id} = ${user_account.superior_id}`] as const;

/** The users of one list that the caller may see. The condition on roles is one on the user's own row, so that it needs no join. */
export const peopleOf = (people: PeopleList, scope: Context['scope']): SQL | undefined =>
  and(sql`${user_account.role_id} IN (SELECT id FROM role WHERE kind IN ${listedKinds[people]})`, scope.sees(user_account.id));

type ListInput = ParsedInputOf<(typeof userList)['calls']['inquire']>;

export async function listPeople(people: PeopleList, input: ListInput, { db, scope, settings }: Context): Promise<Page<User>> {
  const { online_detection, time_zone } = await settings();
  const page = await list(db, input, {
    fields: { id: user_account.id },
    from: user_account,
    joins: input.sort === 'role_name' ? [roleJoin] : [],
    where: and(
      peopleOf(people, scope),
      contains([user_account.account, user_account.name, user_account.phone, user_account.remark], input.search),
      equals(user_account.role_id, input.role_id),
      equals(user_account.superior_id, input.superior_id),
      equals(user_account.invitation_code, input.invitation_code),
      eq(user_account.status, input.status ?? userStatus.present),
      equals(user_account.disabled, input.disabled),
      input.frozen === undefined ? undefined : sql`(${user_account.frozen_at} IS NOT NULL) = ${input.frozen}`,
      input.expired === undefined ? undefined : sql`${isExpired} = ${input.expired}`,
      input.online_status === undefined ? undefined : sql`${isOnline} = ${input.online_status === 2}`,
      betweenDays(user_account.member_expires_at, { from: input.expires_from, to: input.expires_to }, time_zone),
      betweenDays(user_account.created_at, { from: input.created_from, to: input.created_to }, time_zone),
    ),
    sorts: { ...user_account, role_name: role.name, balance: available },
    key: user_account.id,
  });
  const ids = page.content.map(({ id }) => id);
  return { ...page, content: await readUsers(ids, online_detection, db) };
}

/** Customers and agents that are there. */
export const presentUsers = (scope: Context['scope']): SQL | undefined =>
  and(peopleOf('user_list', scope), eq(user_account.status, userStatus.present));

/** How many those are, and those of them who made a call in the last two minutes: null while that is not looked at. */
export async function countUsers({ db, scope, settings }: Context): Promise<{ total: number; online: number | null }> {
  const { online_detection } = await settings();
  const present = presentUsers(scope);
  const total = await db.$count(user_account, present);
  return { total, online: online_detection ? await db.$count(user_account, and(present, isOnline)) : null };
}

/** The users of these ids, in their order. */
async function readUsers(ids: readonly number[], online_detection: boolean, db: Context['db']): Promise<User[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select(fieldsOf(online_detection))
    .from(user_account)
    .innerJoin(role, eq(role.id, user_account.role_id))
    .leftJoin(...superiorJoin)
    .where(inArray(user_account.id, [...ids]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function readUser(id: number, { db, settings }: Context): Promise<User> {
  const [found] = await readUsers([id], (await settings()).online_detection, db);
  if (!found) throw notFound();
  return found;
}
