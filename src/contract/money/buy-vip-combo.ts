import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, id, time } from '../kit/fields.ts';
import { couponCode } from './coupon.ts';
import { order } from './order.ts';
import { keptKinds, quotaKinds, quotas } from './vip-combo.ts';

/** By how many a user has more of a kind than he may. */
const excess = z.object({ kind: z.enum(quotaKinds), number: count });
export type Excess = z.infer<typeof excess>;

const offer = z.object({
  id,
  name: z.string(),
  description: z.string(),
  price: z.string(),
  days: z.number(),
  quotas,
  /** What the rest of the present membership is worth; where it is more than the price, the membership lasts longer. */
  credit: z.string(),
  /** What is to be paid. */
  amount: z.string(),
  /** Of the membership that it gives, and until when that lasts if it is bought now. */
  total_days: z.number(),
  ends_at: time,
  /** It goes on with the combo that the caller has. */
  is_renewal: z.boolean(),
  /** What the caller has now that would be too many with it. */
  excess: z.array(excess),
});
export type Offer = z.infer<typeof offer>;

const usage = z.object({
  kind: z.enum(quotaKinds),
  used: count,
  /** Null: no limit. */
  limit: count.nullable(),
});
export type Usage = z.infer<typeof usage>;

/** Rows of a kind of which an owner chooses those that he keeps whole. */
export const maxChoices = 5000;
const choice = z.object({
  id,
  name: z.string(),
  /** The code's key; the remark of an address. */
  detail: z.string(),
  /** Of a code that he keeps whole; the others' figures are locked. */
  visits: count.nullable(),
  /** He keeps it whole now, by his choice or as one of the oldest. */
  kept: z.boolean(),
});
export type Choice = z.infer<typeof choice>;

export const buyVipCombo = group('buy_vip_combo', {
  inquire: call({
    summary: 'Combos on sale as the caller would get them now, his membership, balance and waiting order.',
    access: requireAny('buy_vip_combo'),
    input: z.object({}),
    output: z.object({
      content: z.array(offer),
      now: time,
      balance: z.string(),
      member_expires_at: time.nullable(),
      /** Until when his codes answer after the end of his membership; null: they go on. */
      codes_until: time.nullable(),
      /** The combo that he has now; null: none. */
      combo: z.object({ id, name: z.string() }).nullable(),
      usage: z.array(usage),
      /** What would be too many once the membership ended. */
      excess_at_end: z.array(excess),
      /** Days that visits to his codes are kept. */
      log_days: count,
      /** His last paid order, which buying repeats so that two open pages do not buy twice. */
      last_order_id: id.nullable(),
      waiting: order.nullable(),
    }),
  }),
  buy: call({
    summary:
      'Buy a combo: paid from the balance at once where it suffices, otherwise as soon as what is missing has arrived. Refused where the offer is another than the one shown.',
    access: requireAny('buy_vip_combo.buy'),
    machines: false,
    input: z.object({ combo_id: id, amount: z.string().max(20), last_order_id: id.nullable(), coupon: couponCode.optional() }),
    output: order,
    writes: true,
  }),
  coupon: call({
    summary: 'What a coupon takes off for the caller, by combo; refused where he cannot use it now.',
    access: requireAny('buy_vip_combo.buy'),
    input: z.object({ code: couponCode }),
    output: z.object({
      code: z.string(),
      /** Basis points; null where it takes off an amount. */
      percent: count.nullable(),
      valid_to: time.nullable(),
      discounts: z.array(z.object({ combo_id: id, discount: z.string(), amount: z.string() })),
    }),
    // Codes are not to be guessed.
    limit: { max: 60, seconds: 60 },
  }),
  choices: call({
    summary: 'What the caller has of a kind, those that he keeps whole first, where he has more than his quota. Null: he has no limit.',
    access: requireAny('buy_vip_combo'),
    input: z.object({ kind: z.enum(keptKinds) }),
    output: z.object({ limit: count.nullable(), total: count, content: z.array(choice) }),
  }),
  keep: call({
    summary:
      'Choose which codes can be changed, or which addresses are watched, while there are more than the quota: exactly as many as it allows. Another choice takes its place.',
    access: requireAny('buy_vip_combo'),
    input: z.object({ kind: z.enum(keptKinds), ids: z.array(id).max(maxChoices) }),
    output: done,
    writes: true,
  }),
  cancel: call({
    summary: 'Cancel the waiting order; what arrives later stays on the balance.',
    access: requireAny('buy_vip_combo.buy'),
    machines: false,
    input: z.object({ id }),
    output: done,
    writes: true,
  }),
});
