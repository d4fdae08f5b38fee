import { and, eq, sql } from 'drizzle-orm';
import type { userCustomer } from '../../contract/people/user-customer.ts';
import { mayInvite } from '../../contract/people/user-list.ts';
import type { Service } from '../kit/calls/context.ts';
import { notFound } from '../kit/calls/errors.ts';
import { betweenDays, contains, list } from '../kit/rows/list.ts';
import { isExpired } from './users.list.ts';
import { user_account } from './users.table.ts';

/** Customers are whom one invited oneself: not one's customers' customers, and for an administrator not everybody. */
const customersOf = (superior_id: number) => eq(user_account.superior_id, superior_id);

export const userCustomerService: Service<typeof userCustomer> = {
  async inquire(input, { db, actor, settings }) {
    const { time_zone } = await settings();
    return list(db, input, {
      fields: {
        id: user_account.id,
        account: user_account.account,
        name: user_account.name,
        member_expires_at: user_account.member_expires_at,
        expired: isExpired,
        disabled: user_account.disabled,
        created_at: user_account.created_at,
      },
      from: user_account,
      where: and(
        customersOf(actor.user_id),
        contains([user_account.account, user_account.name], input.search),
        input.expired === undefined ? undefined : sql`${isExpired} = ${input.expired}`,
        betweenDays(user_account.created_at, { from: input.created_from, to: input.created_to }, time_zone),
      ),
      sorts: user_account,
      key: user_account.id,
    });
  },

  async invitation(_input, { db, actor, settings }) {
    const { time_zone } = await settings();
    const monthBegan = sql`date_trunc('month', now() AT TIME ZONE ${time_zone}) AT TIME ZONE ${time_zone}`;
    const [own] = await db
      .select({ invitation_code: user_account.invitation_code })
      .from(user_account)
      .where(eq(user_account.id, actor.user_id));
    if (!own) throw notFound();
    const [counted] = await db
      .select({
        customers: sql<number>`count(*)`.mapWith(Number),
        joined_this_month: sql<number>`count(*) FILTER (WHERE ${user_account.created_at} >= ${monthBegan})`.mapWith(Number),
      })
      .from(user_account)
      .where(customersOf(actor.user_id));
    const { customers = 0, joined_this_month = 0 } = counted ?? {};
    return { invitation_code: mayInvite(actor.role.kind) ? own.invitation_code : null, customers, joined_this_month };
  },
};
