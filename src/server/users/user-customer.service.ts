import { and, eq, type SQL, sql } from 'drizzle-orm';
import { userStatus } from '../../contract/enums.ts';
import type { userCustomer } from '../../contract/people/user-customer.ts';
import { mayInvite } from '../../contract/people/user-list.ts';
import type { Service } from '../kit/calls/context.ts';
import { notFound } from '../kit/calls/errors.ts';
import { betweenDays, contains, list } from '../kit/rows/list.ts';
import { amountSql, availableSql } from '../ledger/ledger.public.ts';
import { isExpired } from './users.list.ts';
import { user_account } from './users.table.ts';

/** Customers are whom one invited oneself: not one's customers' customers, and for an administrator not everybody. */
const customersOf = (superior_id: number) => and(eq(user_account.superior_id, superior_id), eq(user_account.status, userStatus.present));

/** Named in full: in a query of one table drizzle leaves its name out, and inner queries have ids of their own. */
const ownId = sql`user_account.id`;
const available = availableSql(ownId);
const paidOrders = (value: SQL) =>
  sql<number>`coalesce((SELECT ${value} FROM combo_order WHERE combo_order.user_id = ${ownId} AND combo_order.state = 'paid'), 0)`.mapWith(
    Number,
  );
const orders = paidOrders(sql`count(*)`);
const paid = paidOrders(sql`sum(combo_order.amount)`);
const combo = sql<string | null>`(
  SELECT combo_order.combo ->> 'name' FROM combo_order
  WHERE combo_order.user_id = ${ownId} AND combo_order.state = 'paid' AND combo_order.replaced_by IS NULL
    AND combo_order.begins_at <= now() AND combo_order.ends_at > now()
  ORDER BY combo_order.begins_at DESC, combo_order.id DESC LIMIT 1)`;

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
        combo,
        balance: amountSql(available),
        orders,
        paid: amountSql(paid),
        created_at: user_account.created_at,
      },
      from: user_account,
      where: and(
        customersOf(actor.user_id),
        contains([user_account.account, user_account.name], input.search),
        input.expired === undefined ? undefined : sql`${isExpired} = ${input.expired}`,
        betweenDays(user_account.member_expires_at, { from: input.expires_from, to: input.expires_to }, time_zone),
        betweenDays(user_account.created_at, { from: input.created_from, to: input.created_to }, time_zone),
      ),
      sorts: { ...user_account, balance: available, orders, paid },
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
