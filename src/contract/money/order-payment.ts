import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { id, time } from '../kit/fields.ts';
import { deposit, recharge } from './balance-recharge.ts';
import { amount } from './ledger.ts';
import { order } from './order.ts';

const payment = recharge.extend({
  order,
  now: time,
  /** What is still to be sent so that the order is paid once everything on its way has arrived. */
  to_send: amount,
  /** Payments since the order that are solid, the newest first. */
  arrived: z.array(deposit),
  /** Up to when payments were read; an order expires by this clock. Null: nothing was read yet. */
  read_until: time.nullable(),
  /** The combo is still sold. */
  on_sale: z.boolean(),
});
export type Payment = z.infer<typeof payment>;

export const orderPayment = group('order_payment', {
  inquire: call({
    summary: 'An own order as it is being paid: where to, how much is missing, what is on its way, and what has arrived.',
    access: requireAny('user_order', 'buy_vip_combo'),
    input: z.object({ id }),
    output: payment,
  }),
  pay: call({
    summary: 'Pay the waiting order from the balance now, where it suffices; an order that is paid already is answered as it is.',
    access: requireAny('buy_vip_combo.buy'),
    machines: false,
    input: z.object({ id }),
    output: order,
    writes: true,
  }),
});
