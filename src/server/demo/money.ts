import { eq, sql } from 'drizzle-orm';
import { millionthsOf } from '../../contract/money/amounts.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import { post } from '../ledger/ledger.public.ts';
import { site_message_receiver, site_message_view } from '../messages/messages.table.ts';
import { expireOrders, settleOpenOrders } from '../orders/orders.public.ts';
import { coupon, vip_combo } from '../orders/orders.table.ts';
import { buyCombo } from '../orders/purchases.ts';
import type { DemoCode } from './codes.ts';

type Owner = DemoCode['owner'];

const combos = [
  {
    name: '体验版',
    price: '9.9',
    days: 30,
    description: '适合个人试用',
    quotas: { live_codes: 20, domains: 3, short_codes: 100, monitors: 10, log_days: 60 },
  },
  {
    name: '专业版',
    price: '29.9',
    days: 30,
    description: '适合门店和小团队',
    quotas: { live_codes: 200, domains: 20, short_codes: 2000, monitors: 100, log_days: 180 },
  },
  {
    name: '企业版',
    price: '299',
    days: 365,
    description: '适合代理和连锁',
    quotas: { live_codes: null, domains: 200, short_codes: null, monitors: 1000, log_days: 365 },
  },
] as const;
const couponCode = 'WELCOME20';

/** Money that somebody put in and spent, through the ledger and the orders as in the product, and one coupon. */
export async function seedDemoMoney(db: Database, userIds: ReadonlyMap<Owner, number>, now: Date): Promise<void> {
  const ids = new Map<string, number>();
  for (const [place, { name, ...combo }] of combos.entries()) {
    const [made] = await db
      .insert(vip_combo)
      .values({ name, ...combo, sort: combos.length - place })
      .returning({ id: vip_combo.id });
    if (made) ids.set(name, made.id);
  }
  await db.insert(coupon).values({ code: couponCode, percent: 2000, max_uses: 100, remark: '新客户首单' });
  const at = (days: number): Date => new Date(now.getTime() - days * 86_400_000);
  const credit = (account: Owner, amount: string) =>
    transact(db, async (tx) => {
      const owner_id = userIds.get(account) ?? 0;
      const entries = [
        { account: { kind: 'admin_adjust' } as const, amount: -millionthsOf(amount) },
        { account: { kind: 'user_available', owner_id } as const, amount: millionthsOf(amount) },
      ];
      await post(tx, { kind: 'balance_payment', ref: { type: 'demo', id: account }, note: '线下充值', entries });
      await settleOpenOrders(tx, owner_id);
    });
  const buy = (account: Owner, name: string, days: number, code?: string) =>
    transact(db, (tx) => {
      const user_id = userIds.get(account) ?? 0;
      return buyCombo(tx, { user_id, actor_id: user_id, now: at(days) }, { combo_id: ids.get(name) ?? 0, coupon: code });
    });
  await credit('zhangwei', '100');
  await credit('lina', '20');
  // An order that nobody paid, and two that were.
  await buy('chenjie', '体验版', 12);
  await transact(db, (tx) => expireOrders(tx, at(11)));
  await buy('zhangwei', '专业版', 25);
  await buy('lina', '体验版', 6, couponCode);
  await haveRead(db, [...userIds.values()]);
}

/** Weeks ago they read what they were told. */
async function haveRead(db: Database, user_ids: readonly number[]): Promise<void> {
  for (const user_id of user_ids)
    await db
      .insert(site_message_view)
      .select(
        db
          .select({
            user_id: site_message_receiver.user_id,
            message_id: site_message_receiver.message_id,
            viewed_at: sql`now()`.as('viewed_at'),
          })
          .from(site_message_receiver)
          .where(eq(site_message_receiver.user_id, user_id)),
      )
      .onConflictDoNothing();
}
