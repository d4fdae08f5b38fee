import { eq, type SQL, sql } from 'drizzle-orm';
import { disabledStatus } from '../../contract/enums.ts';
import { givenPasswordFault, normalAccount, registrationFault } from '../../contract/people/registration.ts';
import type { User } from '../../contract/people/user-list.ts';
import { revokeTokensOf } from '../kit/calls/api-tokens.ts';
import type { Context } from '../kit/calls/context.ts';
import { plainPasswords } from '../kit/calls/sealing.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { brokenRule, refuseCommonPassword } from './login/credentials.ts';
import { forgetFailures } from './login/login-limits.ts';
import { hashPassword } from './login/passwords.ts';
import { endSessions, endSessionsWhere } from './login/sessions.ts';
import { insertUser } from './new-user.ts';
import { everybodyElse, keepSuperAdministrator, type LockedUser, lockPeople, lockPerson, refuseOneself } from './people.rules.ts';
import { type PeopleList, readUser } from './users.list.ts';
import { second_factor, user_account } from './users.table.ts';

type Changes = Partial<Omit<LockedUser, 'id' | 'account'>>;
type Affected = { affected: number };

const changedNow = { updated_at: sql`now()` };

/** Puts the same values on these locked users; the audit row keeps what each had before. */
export async function changeUsers(users: readonly LockedUser[], changes: Changes, { db, audit }: Context): Promise<Affected> {
  const columns = Object.keys(changes) as (keyof Changes)[];
  const before = users.map((user) => ({
    id: user.id,
    account: user.account,
    ...Object.fromEntries(columns.map((key) => [key, user[key]])),
  }));
  const ids = users.map(({ id }) => id);
  await db
    .update(user_account)
    .set({ ...changes, ...changedNow })
    .where(isOneOf(user_account.id, ids));
  audit({ before, after: changes });
  return { affected: users.length };
}

/** Changes one locked user and answers him; fields that are not given stay. */
export async function changeUser(user: LockedUser, changes: Changes, context: Context): Promise<User> {
  await context.db
    .update(user_account)
    .set({ ...changes, ...changedNow })
    .where(eq(user_account.id, user.id));
  context.audit(changesBetween(user, { ...user, ...changes }));
  return readUser(user.id, context);
}

/** Moves users to a role that was found grantable; their sessions end, for another role is another person. */
export async function moveToRole(users: readonly LockedUser[], role_id: number, context: Context): Promise<Affected> {
  const moving = users.filter((user) => user.role_id !== role_id);
  refuseOneself(moving, context);
  await keepSuperAdministrator(context.db, moving);
  await endSessions(
    context.db,
    moving.map(({ id }) => id),
  );
  return changeUsers(moving, { role_id }, context);
}

type NewPerson = Pick<User, 'role_id'> &
  Partial<Pick<LockedUser, 'name' | 'phone' | 'remark' | 'superior_id' | 'share_ratio' | 'member_expires_at'>>;
type Credentials = { account: string; password: string; encrypted?: boolean };

/** Makes a user by the rules of registration. `share_ratio` is in basis points. */
export async function addPerson(
  people: PeopleList,
  credentials: Credentials,
  { share_ratio, ...fields }: NewPerson,
  context: Context,
): Promise<User> {
  const { password } = plainPasswords(credentials, ['password'], `${people}/add`, context);
  const fault = registrationFault({ account: credentials.account, password });
  if (fault) throw brokenRule(fault);
  refuseCommonPassword('password', password);
  const { default_share_ratio } = await context.settings();
  const id = await insertUser(context.db, {
    ...fields,
    account: normalAccount(credentials.account),
    password_hash: await hashPassword(password),
    share_ratio: share_ratio ?? Math.round(default_share_ratio * 100),
  });
  context.audit({ after: { id, ...fields } });
  return readUser(id, context);
}

type NewPassword = { id: number; password: string; encrypted?: boolean; revoke_api_tokens?: boolean };

/** So many of the tokens that were revoked are named in the log. */
const namedTokens = 100;

/** Where it is wanted, ends the API tokens of users, too; the audit row says which, or that they were left. */
export async function revokeTokens(user_ids: readonly number[] | SQL, isWanted: boolean, { db, audit }: Context): Promise<void> {
  const revoked = isWanted ? await revokeTokensOf(db, user_ids) : [];
  const api_tokens = { number: revoked.length, tokens: revoked.slice(0, namedTokens) };
  audit({ ...(isWanted ? { before: { api_tokens } } : {}), after: { revoke_api_tokens: isWanted } });
}

/** The calls that are the same for customers and for administrators, each on its own list of people. */
export const sharedCalls = (people: PeopleList) => ({
  async update_password(input: NewPassword, context: Context): Promise<Affected> {
    const { password } = plainPasswords(input, ['password'], `${people}/update_password`, context);
    const user = await lockPerson(people, input.id, context);
    refuseOneself([user], context);
    const fault = givenPasswordFault({ account: user.account, password });
    if (fault) throw brokenRule(fault);
    refuseCommonPassword('password', password);
    const password_hash = await hashPassword(password);
    await context.db
      .update(user_account)
      .set({ password_hash, ...changedNow })
      .where(eq(user_account.id, user.id));
    await endSessions(context.db, [user.id]);
    await forgetFailures(context.db, user.account);
    // The former password may have been a stranger's, and with it the tokens that he made.
    await revokeTokens([user.id], input.revoke_api_tokens ?? true, context);
    return { affected: 1 };
  },

  async remove_second_factor({ id }: { id: number }, context: Context): Promise<Affected> {
    const user = await lockPerson(people, id, context);
    refuseOneself([user], context);
    const removed = await context.db.delete(second_factor).where(eq(second_factor.user_id, user.id)).returning();
    await endSessions(context.db, [user.id]);
    return { affected: removed.length };
  },

  async update_disabled({ ids, disabled }: { ids: number[]; disabled: 1 | 2 }, context: Context): Promise<Affected> {
    const users = (await lockPeople(people, ids, context)).filter((user) => user.disabled !== disabled);
    if (disabled === disabledStatus.yes) {
      refuseOneself(users, context);
      await keepSuperAdministrator(context.db, users);
      await endSessions(
        context.db,
        users.map(({ id }) => id),
      );
    }
    return changeUsers(users, { disabled }, context);
  },

  async force_refresh(
    { ids, revoke_api_tokens = false }: { ids: number[]; revoke_api_tokens?: boolean },
    context: Context,
  ): Promise<Affected> {
    const users = await lockPeople(people, ids, context);
    const userIds = users.map(({ id }) => id);
    const affected = await endSessions(context.db, userIds, context.actor.session_id);
    await revokeTokens(userIds, revoke_api_tokens, context);
    return { affected };
  },

  async force_refresh_all({ revoke_api_tokens = false }: { revoke_api_tokens?: boolean }, context: Context): Promise<Affected> {
    const users = await everybodyElse(people, context);
    const affected = await endSessionsWhere(context.db, users);
    const ids = context.db.select({ id: user_account.id }).from(user_account).where(users);
    await revokeTokens(sql`${ids}`, revoke_api_tokens, context);
    return { affected };
  },
});
