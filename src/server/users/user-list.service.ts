import { randomUUID } from 'node:crypto';
import { and, asc, eq } from 'drizzle-orm';
import { disabledStatus, userStatus } from '../../contract/enums.ts';
import { amountOf, millionthsOf } from '../../contract/money/amounts.ts';
import { kindOfEdit } from '../../contract/money/ledger.ts';
import type { userList } from '../../contract/people/user-list.ts';
import { recordAct } from '../kit/calls/audit.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, invalidField, violatedConstraint } from '../kit/calls/errors.ts';
import { transact } from '../kit/postgres/database.ts';
import { contains } from '../kit/rows/list.ts';
import { balanceOf, post } from '../ledger/ledger.public.ts';
import { settleOpenOrders } from '../orders/orders.public.ts';
import { defaultRoleId, grantableRole, isAdministrating, type RoleOfUser } from '../roles/roles.public.ts';
import { sayTaken } from './login/credentials.ts';
import { describeSession, openSessionAs } from './login/sessions.ts';
import { removalService } from './people.removal.ts';
import { lockPeople, lockPerson, refuseCustomers } from './people.rules.ts';
import { addPerson, changeUser, changeUsers, moveToRole, sharedCalls } from './people.writes.ts';
import { changeRatios } from './share-ratios.ts';
import { listPeople, readUser } from './users.list.ts';
import { user_account } from './users.table.ts';

const offeredUsers = 20;
const basisPoints = (per_cent: number): number => Math.round(per_cent * 100);

async function refuseUnknownSuperior(superior_id: number | null | undefined, { db }: Context): Promise<void> {
  if (superior_id == null) return;
  const isThere = and(eq(user_account.id, superior_id), eq(user_account.status, userStatus.present));
  if ((await db.$count(user_account, isThere)) === 0) throw invalidField('superior_id', 'unknown_user');
}

/** An administrator who makes a user an administrator adds one: a person who has the right to. */
function refuseUnlessAdding(role: RoleOfUser, { actor }: Context): void {
  if (!isAdministrating(role.kind)) return;
  if (actor.api_token) throw new AppError(403, 'token_not_allowed');
  if (!actor.nodes.has('administrators.add')) throw new AppError(403, 'role.beyond_own');
}

export const userListService: Service<typeof userList> = {
  ...sharedCalls('user_list'),
  ...removalService('user_list'),

  inquire: (input, context) => listPeople('user_list', input, context),

  async options({ search }, { db, scope }) {
    const content = await db
      .select({ id: user_account.id, account: user_account.account, name: user_account.name })
      .from(user_account)
      .where(
        and(
          eq(user_account.status, userStatus.present),
          scope.sees(user_account.id),
          contains([user_account.account, user_account.name], search),
        ),
      )
      .orderBy(asc(user_account.account))
      .limit(offeredUsers);
    return { content };
  },

  async add({ account, password, encrypted, share_ratio, ...fields }, context) {
    refuseCustomers(context);
    const role = await grantableRole(context.db, context.actor, fields.role_id ?? (await defaultRoleId(context.db)));
    if (isAdministrating(role.kind)) throw invalidField('role_id', 'not_for_customers');
    await refuseUnknownSuperior(fields.superior_id, context);
    const person = { ...fields, role_id: role.id, share_ratio: share_ratio === undefined ? undefined : basisPoints(share_ratio) };
    return addPerson('user_list', { account, password, encrypted }, person, context);
  },

  async update({ id, ...profile }, context) {
    return changeUser(await lockPerson('user_list', id, context), profile, context);
  },

  async update_role({ ids, role_id }, context) {
    const users = await lockPeople('user_list', ids, context);
    const role = await grantableRole(context.db, context.actor, role_id);
    refuseUnlessAdding(role, context);
    return moveToRole(users, role.id, context);
  },

  async update_ratio({ ids, share_ratio }, context) {
    const users = await lockPeople('user_list', ids, context);
    const ratio = basisPoints(share_ratio);
    await changeRatios(context.db, users, ratio);
    return changeUsers(users, { share_ratio: ratio }, context);
  },

  async update_invitation_code({ id, invitation_code }, context) {
    return sayTaken(changeUser(await lockPerson('user_list', id, context), { invitation_code }, context));
  },

  async update_expiry({ ids, member_expires_at }, context) {
    return changeUsers(await lockPeople('user_list', ids, context), { member_expires_at }, context);
  },

  async update_balance({ id, amount, kind = 'gift', remark = '' }, context) {
    const { db, actor, audit } = context;
    const user = await lockPerson('user_list', id, context);
    const account = { kind: 'user_available', owner_id: id } as const;
    const before = await balanceOf(db, account);
    const change = millionthsOf(amount);
    if (before + change < 0n) throw invalidField('amount', 'exceeds_balance');
    const entries = [
      { account: { kind: 'admin_adjust' } as const, amount: -change },
      { account, amount: change },
    ];
    const ref = { type: 'balance_edit', id: randomUUID() };
    await post(db, { kind: kindOfEdit[kind], ref, actor_id: actor.user_id, note: remark, entries });
    if (change > 0n) await settleOpenOrders(db, id, context.now);
    audit({ before: { account: user.account, balance: amountOf(before) }, after: { balance: amountOf(before + change), kind } });
    return readUser(id, context);
  },

  async update_superior({ id, superior_id }, context) {
    const user = await lockPerson('user_list', id, context);
    await refuseUnknownSuperior(superior_id, context);
    return changeUser(user, { superior_id }, context).catch((error: unknown) => {
      throw violatedConstraint(error) === 'user_account_superior_id_check' ? invalidField('superior_id', 'superior_circle') : error;
    });
  },

  async log_in_as({ id }, context) {
    const token = await transact(context.db, async (tx) => {
      const user = await lockPerson('user_list', id, { ...context, db: tx });
      if (user.disabled === disabledStatus.yes) throw new AppError(409, 'user.disabled');
      await recordAct(tx, context, { type: 'user_list/log_in_as', content: { id, account: user.account } });
      return openSessionAs(tx, context, id);
    });
    const { user_id, account } = context.actor;
    return describeSession(context, id, { token, impersonator: { id: user_id, account } });
  },
};
