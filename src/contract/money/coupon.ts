import { z } from 'zod';
import { group } from '../kit/call.ts';
import { crud, updateEnabled } from '../kit/crud.ts';
import { count, id, line, text, time, timestamps } from '../kit/fields.ts';
import { positiveAmount } from './ledger.ts';

/** As it is typed: capital letters, digits and dashes. */
export const couponCode = z
  .string()
  .trim()
  .toUpperCase()
  .max(32)
  .regex(/^[A-Z0-9][A-Z0-9-]{2,31}$/, 'coupon_code');

const fields = {
  code: couponCode,
  remark: text(200).optional(),
  /** Basis points off the price, or else USDT off it: one of both. */
  percent: z.number().int().min(1).max(10_000).nullable().optional(),
  amount: positiveAmount.nullable().optional(),
  valid_from: time.nullable().optional(),
  valid_to: time.nullable().optional(),
  /** Null: as often as one likes. */
  max_uses: z.number().int().min(1).max(1_000_000).nullable().optional(),
  once_a_user: z.boolean().optional(),
  /** Empty: for all. */
  combo_ids: z.array(id).max(50).optional(),
  enabled: z.boolean().optional(),
};

const coupon = z.object({
  id,
  ...z.object(fields).required().shape,
  amount: z.string().nullable(),
  remark: z.string(),
  code: z.string(),
  /** Orders that wait with it or were paid. */
  used: count,
  /** What paid orders saved by it, in USDT. */
  saved: z.string(),
  ...timestamps,
});
export type Coupon = z.infer<typeof coupon>;

export const couponGroup = group('coupon', {
  ...crud('coupon', {
    row: coupon,
    fields,
    filters: { code: line(32).optional(), enabled: z.boolean().optional() },
    sortable: ['id', 'code', 'used', 'valid_to', 'created_at'],
    nouns: ['a coupon', 'coupons'],
  }),
  update_enabled: updateEnabled('coupon', 'coupons'),
});
