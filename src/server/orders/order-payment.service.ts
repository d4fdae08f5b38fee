import { and, eq } from 'drizzle-orm';
import { amountOf, millionthsOf } from '../../contract/money/amounts.ts';
import type { orderPayment } from '../../contract/money/order-payment.ts';
import type { Service } from '../kit/calls/context.ts';
import { AppError, notFound } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { paymentsReadUntil, readPayer, solidDepositsSince, toSend } from '../tron/tron.public.ts';
import { readOrder } from './order.service.ts';
import { combo_order, vip_combo } from './orders.table.ts';
import { lockMember, settleOpenOrders } from './settling.ts';

const maxArrived = 20;

/** 404 for an order of anybody else. */
async function ownOrder(db: Database, id: number, user_id: number) {
  const isOwn = (await db.$count(combo_order, and(eq(combo_order.id, id), eq(combo_order.user_id, user_id)))) > 0;
  if (!isOwn) throw notFound();
  return readOrder(db, id);
}

export const orderPaymentService: Service<typeof orderPayment> = {
  async inquire({ id }, { db, vault, scope, now }) {
    const order = await ownOrder(db, id, scope.owner_id);
    const payer = await readPayer(db, vault, scope.owner_id);
    const missing = toSend(millionthsOf(order.amount), {
      balance: millionthsOf(payer.balance),
      aside: millionthsOf(payer.aside),
      minimum: millionthsOf(payer.minimum_deposit),
      coming: payer.confirming.map(({ amount }) => millionthsOf(amount)),
    });
    return {
      ...payer,
      order,
      now: now.toISOString(),
      to_send: amountOf(order.state === 'waiting' ? missing : 0n),
      arrived: await solidDepositsSince(db, scope.owner_id, order.created_at, maxArrived),
      read_until: (await paymentsReadUntil(db)) ?? null,
      on_sale: (await db.$count(vip_combo, and(eq(vip_combo.id, order.combo_id), eq(vip_combo.on_sale, true)))) > 0,
    };
  },

  async pay({ id }, { db, scope, now, audit }) {
    await lockMember(db, scope.owner_id);
    const before = await ownOrder(db, id, scope.owner_id);
    if (before.state === 'paid') return before;
    if (before.state !== 'waiting') throw new AppError(409, 'order.not_waiting');
    await settleOpenOrders(db, scope.owner_id, now);
    // Cancelled, where what it was to take over is no more.
    const order = await readOrder(db, id);
    if (order.state === 'waiting') throw new AppError(409, 'order.balance_short');
    audit({ before: { state: before.state }, after: { order_no: order.order_no, amount: order.amount, state: order.state } });
    return order;
  },
};
