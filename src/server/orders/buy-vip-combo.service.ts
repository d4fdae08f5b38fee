import { eq, sql } from 'drizzle-orm';
import { amountOf, millionthsOf } from '../../contract/money/amounts.ts';
import type { buyVipCombo, Excess, Offer as ShownOffer, Usage } from '../../contract/money/buy-vip-combo.ts';
import { quotaKinds } from '../../contract/money/vip-combo.ts';
import type { Settings } from '../../contract/settings.ts';
import { graceMilliseconds } from '../../contract/settings.visits.ts';
import type { Service } from '../kit/calls/context.ts';
import { invalidField } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { balanceOf } from '../ledger/ledger.public.ts';
import { discountOf, findCoupon, isFor } from './coupons/coupons.ts';
import { keepRows, readChoices } from './keeping.ts';
import type { Offer } from './offers.ts';
import { readOrder, waitingOrder } from './order.service.ts';
import { combo_order } from './orders.table.ts';
import { excessUnder } from './over-quota.public.ts';
import { buyCombo, type Combo, cancelWaiting, lastPaidId, marketFor, offered } from './purchases.ts';
import { logDaysOf, quotaOf } from './quotas.public.ts';

function shown(combo: Combo, offer: Offer, excess: Excess[]): ShownOffer {
  const { id, name, description, price, days, quotas } = combo;
  return {
    ...{ id, name, description, price, days, quotas },
    credit: amountOf(offer.credit),
    amount: amountOf(offer.amount),
    total_days: offer.days,
    ends_at: offer.ends_at.toISOString(),
    is_renewal: offer.is_renewal,
    excess,
  };
}

/** Null: for as long as there are codes, or a membership. */
function codesUntil(end: string | null, settings: Settings): string | null {
  const grace = graceMilliseconds(settings);
  return end === null || grace === Number.POSITIVE_INFINITY ? null : new Date(Date.parse(end) + grace).toISOString();
}

async function usageOf(db: Database, user_id: number): Promise<Usage[]> {
  const { rows } = await db.execute<Record<(typeof quotaKinds)[number], number>>(sql`
    SELECT (SELECT count(*) FROM live_code WHERE owner_id = ${user_id} AND NOT removed) AS live_codes,
      (SELECT count(*) FROM domain WHERE holder_id = ${user_id}) AS domains,
      (SELECT count(*) FROM short_code WHERE owner_id = ${user_id}) AS short_codes,
      (SELECT count(*) FROM domain_monitor WHERE owner_id = ${user_id} AND domain_id IS NULL) AS monitors`);
  const used = rows[0];
  const usage: Usage[] = [];
  for (const kind of quotaKinds) usage.push({ kind, used: used?.[kind] ?? 0, limit: (await quotaOf(db, user_id, kind))?.limit ?? null });
  return usage;
}

export const buyVipComboService: Service<typeof buyVipCombo> = {
  async inquire(_input, { db, scope, now, settings }) {
    const user_id = scope.owner_id;
    const values = await settings();
    const { combos, periods, member_expires_at } = await marketFor(db, user_id, now);
    const begun = periods.filter(({ begins_at }) => Date.parse(begins_at ?? '') <= now.getTime()).at(-1);
    const [bought] = begun ? await db.select({ combo: combo_order.combo }).from(combo_order).where(eq(combo_order.id, begun.id)) : [];
    const [excess_at_end = [], ...excess] = await excessUnder(db, user_id, [null, ...combos.map(({ quotas }) => quotas)]);
    return {
      content: combos.map((combo, at) => shown(combo, offered(combo, periods, member_expires_at, now), excess[at] ?? [])),
      now: now.toISOString(),
      balance: amountOf(await balanceOf(db, { kind: 'user_available', owner_id: user_id })),
      member_expires_at,
      codes_until: codesUntil(member_expires_at, values),
      combo: begun && bought ? { id: begun.combo_id, name: bought.combo.name } : null,
      usage: await usageOf(db, user_id),
      excess_at_end,
      log_days: await logDaysOf(db, user_id, values),
      last_order_id: await lastPaidId(db, user_id),
      waiting: await waitingOrder(db, user_id),
    };
  },

  async buy({ combo_id, amount, last_order_id, coupon }, context) {
    const { db, scope, now, audit } = context;
    const shownOffer = { amount, last_order_id };
    const buyer = { user_id: scope.owner_id, actor_id: context.actor.user_id, now };
    const id = await buyCombo(db, buyer, { combo_id, coupon, shown: shownOffer });
    const order = await readOrder(db, id);
    audit({ after: { order_no: order.order_no, combo: order.combo.name, amount: order.amount, coupon: order.coupon, state: order.state } });
    return order;
  },

  async coupon({ code }, { db, scope, now }) {
    const user_id = scope.owner_id;
    const waiting = await waitingOrder(db, user_id);
    const found = await findCoupon(db, { code, user_id, now, waiting_id: waiting?.id ?? null });
    const { combos, periods, member_expires_at } = await marketFor(db, user_id, now);
    const discounts = combos
      .filter(({ id }) => isFor(found, id))
      .map((combo) => {
        const due = offered(combo, periods, member_expires_at, now).amount;
        const discount = discountOf(found, due);
        return { combo_id: combo.id, discount: amountOf(discount), amount: amountOf(due - discount) };
      })
      .filter(({ discount }) => millionthsOf(discount) > 0n);
    if (discounts.length === 0) throw invalidField('coupon', 'coupon_nothing');
    return { code: found.code, percent: found.percent, valid_to: found.valid_to, discounts };
  },

  choices: ({ kind }, { db, scope }) => readChoices(db, scope.owner_id, kind),

  async keep(input, { db, scope, audit }) {
    const affected = await keepRows(db, scope.owner_id, input);
    audit({ after: input });
    return { affected };
  },

  cancel: async ({ id }, { db, scope }) => ({ affected: await cancelWaiting(db, scope.owner_id, id) }),
};
