import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { couponGroup } from '../../../contract/money/coupon.ts';
import type { Service } from '../../kit/calls/context.ts';
import { invalidField } from '../../kit/calls/errors.ts';
import { contains, matches } from '../../kit/rows/list.ts';
import { rowsOf } from '../../kit/rows/rows.ts';
import { amountSql } from '../../ledger/ledger.public.ts';
import { combo_order, coupon, coupon_use } from '../orders.table.ts';

const saved = amountSql(sql`coalesce((SELECT sum(${combo_order.discount}) FROM ${coupon_use} JOIN ${combo_order}
  ON ${combo_order.id} = ${coupon_use.order_id} AND ${eq(combo_order.state, 'paid')} WHERE ${coupon_use.coupon_id} = ${coupon.id}), 0)`);

const rows = rowsOf(coupon, {
  fields: { ...getTableColumns(coupon), saved },
  unique: { coupon_code_key: 'code' },
  async check(values, _context, before) {
    const { percent, amount, valid_from, valid_to } = { ...before, ...values };
    if ((percent ?? null) === null && (amount ?? null) === null) throw invalidField('percent', 'required');
    if ((percent ?? null) !== null && (amount ?? null) !== null) throw invalidField('amount', 'coupon_one_of');
    if (valid_from && valid_to && Date.parse(valid_to) <= Date.parse(valid_from)) throw invalidField('valid_to', 'coupon_dates');
    return undefined;
  },
});

/** What is taken off prices. A change touches no order: an order keeps what it was made with. */
export const couponService: Service<typeof couponGroup> = {
  inquire: ({ code, enabled, ...input }, context) =>
    rows.page(input, context, and(contains(coupon.code, code), matches(coupon, { enabled }))),
  add: rows.add,
  update: rows.change,
  remove: rows.remove,
  update_enabled: rows.setEnabled,
};
