import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { day, id, line, oneOf, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { quotas } from './vip-combo.ts';

/** Order status: 1 unpaid, 2 paid. */
export const orderStatuses = [1, 2] as const;
export const orderStatus = { unpaid: 1, paid: 2 } as const;
/** Pay type: 1 TRC20-USDT. */
export const payType = { usdt_trc20: 1 } as const;
/** What became of an order; of an unpaid one the first three, of a paid one the others. */
export const orderStates = ['waiting', 'expired', 'cancelled', 'paid', 'refunded'] as const;
export type OrderState = (typeof orderStates)[number];

/**
 * How an administrator says that an order was paid: by a payment on the chain, which is verified; by money received another way, such as by
 * bank, which counts as a deposit; or as a gift, which pays no shares.
 */
export const payMethods = ['chain', 'payment', 'gift'] as const;
/** `site` is what was marked as paid before it was said how. */
export const paidFrom = ['balance', ...payMethods, 'site'] as const;
export type PaidFrom = (typeof paidFrom)[number];

export const order = z.object({
  id,
  order_no: z.string(),
  user_id: id,
  account: z.string(),
  combo_id: id,
  /** As it was bought. */
  combo: z.object({ name: z.string(), days: z.number(), quotas }),
  price: z.string(),
  /** What the rest of the replaced membership is worth of the price. */
  credit: z.string(),
  /** The code of the coupon, empty without one, and what it took off. */
  coupon: z.string(),
  discount: z.string(),
  amount: z.string(),
  days: z.number(),
  pay_type: z.literal(payType.usdt_trc20),
  status: oneOf(orderStatuses),
  state: z.enum(orderStates),
  /** Null while it is unpaid. */
  paid_from: z.enum(paidFrom).nullable(),
  transaction_hash: z.string().nullable(),
  reason: z.string(),
  created_at: time,
  expires_at: time,
  paid_at: time.nullable(),
  begins_at: time.nullable(),
  ends_at: time.nullable(),
});
export type Order = z.infer<typeof order>;

const filters = {
  /** A part of the number, or of the user's account. */
  search: z.string().max(64).optional(),
  status: oneOf(orderStatuses).optional(),
  state: z.enum(orderStates).optional(),
  created_from: day.optional(),
  created_to: day.optional(),
};
const sortable = ['id', 'created_at', 'paid_at', 'amount'] as const;

const reason = line(200).min(1, 'required');

type Marking = { method: (typeof payMethods)[number]; reason?: string | undefined; transaction_hash?: string | undefined };
/** A payment on the chain is named, whatever else is explained. */
function checkMarking({ method, reason = '', transaction_hash = '' }: Marking, context: z.RefinementCtx): void {
  const [field, value] = method === 'chain' ? (['transaction_hash', transaction_hash] as const) : (['reason', reason] as const);
  if (value === '') context.addIssue({ code: 'custom', path: [field], message: 'required' });
  else if (method === 'chain' && !/^(0x)?[0-9a-f]{64}$/i.test(value))
    context.addIssue({ code: 'custom', path: [field], message: 'transaction_hash' });
}

export const orders = group('order', {
  inquire: call({
    summary: 'Orders of all users.',
    access: requireAny('order'),
    input: listInput(sortable, { ...filters, user_id: id.optional() }),
    output: pageOf(order),
  }),
  mark_paid: call({
    summary:
      'Say how an unpaid order was paid, and the membership begins. `chain`: by the transaction that is named, which must have paid to one of our addresses, be solid, and have paid no other order; what it paid goes to the balance, and the order is paid from there. `payment`: received another way; superiors get their shares. `gift`: they get none. The last two need a reason.',
    access: requireAny('order.mark_paid'),
    machines: false,
    input: z
      .object({ id, method: z.enum(payMethods), reason: line(200).optional(), transaction_hash: line(70).optional() })
      .superRefine(checkMarking),
    output: order,
    limit: { max: 120, seconds: 60 },
  }),
  refund: call({
    summary: "Take a user's last paid order back: the amount to where it came from, the shares from whoever still has them.",
    access: requireAny('order.refund'),
    machines: false,
    input: z.object({ id, reason }),
    output: order,
    writes: true,
  }),
});

export const userOrders = group('user_order', {
  inquire: call({
    summary: "The caller's own orders.",
    access: requireAny('user_order'),
    input: listInput(sortable, filters),
    output: pageOf(order),
  }),
});

export const customerOrders = group('order_customer', {
  inquire: call({
    summary: "Orders of the caller's customers, and of theirs.",
    access: requireAny('order_customer'),
    input: listInput(sortable, filters),
    output: pageOf(order),
  }),
});
