import { eq, sql } from 'drizzle-orm';
import { disabledStatus, userStatus } from '../../contract/enums.ts';
import type { ParsedInputOf } from '../../contract/kit/call.ts';
import type { Removal, userList } from '../../contract/people/user-list.ts';
import { giveDomains } from '../domains/leaving.public.ts';
import { endForwards, giveForwards } from '../forwards/leaving.public.ts';
import { usableTokensOf } from '../kit/calls/api-tokens.ts';
import type { Context } from '../kit/calls/context.ts';
import { AppError, invalidField } from '../kit/calls/errors.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { amountSql, wealthSql } from '../ledger/ledger.public.ts';
import { giveCodes, putCodesAway } from '../live-codes/leaving.public.ts';
import { giveShortCodes } from '../short-codes/leaving.public.ts';
import { endSessions } from './login/sessions.ts';
import { keepSuperAdministrator, lockPeople, lockPerson, refuseOneself } from './people.rules.ts';
import { revokeTokens } from './people.writes.ts';
import type { PeopleList } from './users.list.ts';
import { user_account } from './users.table.ts';

type Affected = { affected: number };
type Remove = ParsedInputOf<(typeof userList)['calls']['remove']>;

/** Gives all that is in use to another user; domains go along, or to the platform pool. */
async function giveAll(from: number, to: number, domains: 'user' | 'pool', context: Context): Promise<void> {
  // The domains first: codes that follow their domains to the same user stay on them.
  await giveDomains(from, domains === 'user' ? to : null, context);
  await giveCodes(from, to, context);
  await giveShortCodes(from, to, context);
  if (domains === 'user') await giveForwards(from, to, context);
  else await endForwards(from, context);
}

/** Moves the codes to the recycle bin, and the domains to the platform pool. */
async function putAway(from: number, context: Context): Promise<void> {
  await putCodesAway(from, context);
  await endForwards(from, context);
  await giveDomains(from, null, context);
}

/** What of a user's somebody has to decide about before he is removed. */
async function readRemoval(people: PeopleList, id: number, context: Context): Promise<Removal> {
  await lockPerson(people, id, context);
  const { rows } = await context.db.execute<Removal>(sql`
    SELECT user_account.id::float8 AS id, account, ${amountSql(wealthSql(sql`user_account.id`))} AS balance,
      (SELECT count(*) FROM live_code WHERE owner_id = user_account.id AND NOT removed)::float8 AS live_codes,
      (SELECT count(*) FROM live_code WHERE owner_id = user_account.id AND removed)::float8 AS removed_codes,
      (SELECT count(*) FROM domain WHERE holder_id = user_account.id)::float8 AS domains,
      (SELECT count(*) FROM short_code WHERE owner_id = user_account.id)::float8 AS short_codes,
      (SELECT count(*) FROM user_account AS customer WHERE customer.superior_id = user_account.id AND customer.status = ${userStatus.present})::float8 AS customers,
      (SELECT account FROM user_account AS superior WHERE superior.id = user_account.superior_id) AS superior_account,
      ${usableTokensOf(sql`user_account.id`)} AS api_token_number
    FROM user_account WHERE user_account.id = ${id}`);
  const [found] = rows;
  if (!found) throw new Error(`the locked user ${id} is gone`);
  return found;
}

async function refuseUnknownHeir(id: number, to_user_id: number, { db }: Context): Promise<void> {
  const [heir] = await db
    .select({ id: user_account.id })
    .from(user_account)
    .where(sql`${user_account.id} = ${to_user_id} AND ${user_account.id} <> ${id} AND NOT disabled`)
    .for('key share');
  if (!heir) throw invalidField('to_user_id', 'unknown_user');
}

/** Removes a user: he is gone from the lists and cannot log in; his account stays taken, and logs go on naming him. */
async function removePerson(people: PeopleList, input: Remove, context: Context): Promise<Affected> {
  const { db, actor, audit } = context;
  const { id, codes, to_user_id } = input;
  const parts: object[] = [];
  // One row of the log tells all: each part adds its own.
  const collecting = { ...context, audit: (part: object) => void parts.push(part) };
  const user = await lockPerson(people, id, context);
  refuseOneself([user], context);
  await keepSuperAdministrator(db, [user]);
  const left = await readRemoval(people, id, context);
  if (Number(left.balance) !== 0) throw new AppError(409, 'user.has_balance', { params: { account: user.account, balance: left.balance } });
  if (codes === 'transfer') {
    if (to_user_id === undefined) throw invalidField('to_user_id', 'required');
    await refuseUnknownHeir(id, to_user_id, context);
    await giveAll(id, to_user_id, input.domains ?? 'user', collecting);
  } else await putAway(id, collecting);
  await db.update(user_account).set({ superior_id: user.superior_id, updated_at: sql`now()` }).where(eq(user_account.superior_id, id));
  await endSessions(db, [id]);
  await revokeTokens([id], true, collecting);
  await db
    .update(user_account)
    .set({
      status: userStatus.removed,
      removed_at: sql`now()`,
      removed_by: actor.user_id,
      was_disabled: user.disabled === disabledStatus.yes,
      disabled: disabledStatus.yes,
      updated_at: sql`now()`,
    })
    .where(eq(user_account.id, id));
  audit({ before: { ...left, superior_id: user.superior_id }, after: { status: userStatus.removed, parts } });
  return { affected: 1 };
}

/** Restores removed users as they were; what went to others stays theirs, and removed codes wait in the recycle bin. */
async function restorePeople(people: PeopleList, ids: readonly number[], context: Context): Promise<Affected> {
  const users = await lockPeople(people, ids, context, userStatus.removed);
  await context.db
    .update(user_account)
    .set({
      status: userStatus.present,
      removed_at: null,
      removed_by: null,
      disabled: sql`was_disabled`,
      was_disabled: false,
      updated_at: sql`now()`,
    })
    .where(
      isOneOf(
        user_account.id,
        users.map((user) => user.id),
      ),
    );
  context.audit({ before: users.map(({ id, account }) => ({ id, account })), after: { status: userStatus.present } });
  return { affected: users.length };
}

/** The calls of removing people, each on its own list of them. */
export const removalService = (people: PeopleList) => ({
  removal: ({ id }: { id: number }, context: Context) => readRemoval(people, id, context),
  remove: (input: Remove, context: Context) => removePerson(people, input, context),
  restore: ({ ids }: { ids: number[] }, context: Context) => restorePeople(people, ids, context),
});
