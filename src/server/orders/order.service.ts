import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { ParsedInputOf } from '../../contract/kit/call.ts';
import { type customerOrders, type Order, orderStatus, type orders, type userOrders } from '../../contract/money/order.ts';
import { recordAct } from '../kit/calls/audit.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, notFound } from '../kit/calls/errors.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { type Database, transactAgain } from '../kit/postgres/database.ts';
import { betweenDays, contains, equals, list } from '../kit/rows/list.ts';
import { user_account } from '../users/users.table.ts';
import { markPaid, readMarking } from './marking/marking.ts';
import { combo_order, type StoredOrder } from './orders.table.ts';
import { refund } from './settling.ts';

const joins = [[user_account, eq(user_account.id, combo_order.user_id)]] as const;
const fields = {
  id: combo_order.id,
  order_no: combo_order.order_no,
  user_id: combo_order.user_id,
  account: user_account.account,
  combo_id: combo_order.combo_id,
  combo: combo_order.combo,
  price: combo_order.price,
  credit: combo_order.credit,
  amount: combo_order.amount,
  coupon: combo_order.coupon,
  discount: combo_order.discount,
  days: combo_order.days,
  pay_type: combo_order.pay_type,
  status: combo_order.status,
  state: combo_order.state,
  paid_from: combo_order.paid_from,
  transaction_hash: combo_order.transaction_hash,
  reason: combo_order.reason,
  created_at: combo_order.created_at,
  expires_at: combo_order.expires_at,
  paid_at: combo_order.paid_at,
  begins_at: combo_order.begins_at,
  ends_at: combo_order.ends_at,
};

export async function readOrder(db: Database, id: number): Promise<Order> {
  const [found] = await db
    .select(fields)
    .from(combo_order)
    .innerJoin(...joins[0])
    .where(eq(combo_order.id, id));
  if (!found) throw notFound();
  return found;
}

export const waitingOrder = async (db: Database, user_id: number): Promise<Order | null> => {
  const [found] = await db
    .select(fields)
    .from(combo_order)
    .innerJoin(...joins[0])
    .where(and(eq(combo_order.user_id, user_id), eq(combo_order.state, 'waiting')));
  return found ?? null;
};

type Input = ParsedInputOf<(typeof userOrders)['calls']['inquire']>;

async function page({ search, status, state, created_from, created_to, ...input }: Input, context: Context, whose: SQL | undefined) {
  const { time_zone } = await context.settings();
  return list(context.db, input, {
    fields,
    from: combo_order,
    joins,
    where: and(
      whose,
      contains([combo_order.order_no, user_account.account], search),
      equals(combo_order.status, status),
      equals(combo_order.state, state),
      betweenDays(combo_order.created_at, { from: created_from, to: created_to }, time_zone),
    ),
    sorts: combo_order,
    key: combo_order.id,
  });
}

/** What administrators do to any user's order. */
async function requireOrder(id: number, { db, scope }: Context): Promise<StoredOrder> {
  if (!scope.all) throw new AppError(403, 'forbidden');
  const [found] = await db.select().from(combo_order).where(eq(combo_order.id, id));
  if (!found) throw notFound();
  return found;
}

/** @param network keeps requests away from addresses inside */
export const createOrderService = (network: GuardedNetwork): Service<typeof orders> => ({
  inquire: ({ user_id, ...input }, context) =>
    page(input, context, and(context.scope.sees(combo_order.user_id), equals(combo_order.user_id, user_id))),

  async mark_paid({ id, ...input }, context) {
    const { db, vault, actor, now } = context;
    const order = await requireOrder(id, context);
    if (order.status === orderStatus.paid) throw new AppError(409, 'order.not_payable');
    const marking = await readMarking({ db, vault, network }, input);
    return transactAgain(db, async (tx) => {
      await markPaid(tx, order, marking, { actor_id: actor.user_id, now });
      const paid = await readOrder(tx, id);
      const { order_no, state, amount, paid_from, transaction_hash, reason } = paid;
      const changes = { before: { state: order.state }, after: { order_no, state, amount, paid_from, transaction_hash, reason } };
      await recordAct(tx, context, { type: 'order/mark_paid', content: { id, ...input }, changes });
      return paid;
    });
  },

  async refund({ id, reason }, context) {
    const { db, actor, audit } = context;
    const order = await requireOrder(id, context);
    await refund(db, order, { actor_id: actor.user_id, reason });
    audit({ before: { state: order.state }, after: { order_no: order.order_no, state: 'refunded', amount: order.amount, reason } });
    return readOrder(db, id);
  },
});

export const userOrderService: Service<typeof userOrders> = {
  inquire: (input, context) => page(input, context, eq(combo_order.user_id, context.scope.owner_id)),
};

export const orderCustomerService: Service<typeof customerOrders> = {
  inquire: (input, context) =>
    page(input, context, and(context.scope.sees(combo_order.user_id), sql`${combo_order.user_id} <> ${context.scope.owner_id}`)),
};
