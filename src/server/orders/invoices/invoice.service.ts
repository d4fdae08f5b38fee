import { and, desc, eq, sql } from 'drizzle-orm';
import type { Invoice, InvoiceBuyer, invoices } from '../../../contract/money/invoice.ts';
import type { Order } from '../../../contract/money/order.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { AppError, notFound } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { readOrder } from '../order.service.ts';
import { combo_order, invoice, type StoredInvoice } from '../orders.table.ts';

/** The caller's own, or any for administrators; 404 for an agent's customers', whose buyers are their own affair. */
async function paidOrder(order_id: number, { db, scope }: Context): Promise<Order> {
  const whose = scope.all ? undefined : eq(combo_order.user_id, scope.owner_id);
  if ((await db.$count(combo_order, and(eq(combo_order.id, order_id), whose))) === 0) throw notFound();
  const order = await readOrder(db, order_id);
  if (order.status !== 2) throw new AppError(409, 'invoice.not_paid');
  return order;
}

const shown = ({ year, serial, issuer, buyer, issued_at }: StoredInvoice): Invoice => ({
  number: `${year}-${String(serial).padStart(6, '0')}`,
  issuer,
  buyer,
  issued_at,
});

async function issued(db: Database, order_id: number): Promise<Invoice | null> {
  const [found] = await db.select().from(invoice).where(eq(invoice.order_id, order_id));
  return found ? shown(found) : null;
}

async function lastBuyer(db: Database, user_id: number, account: string): Promise<InvoiceBuyer> {
  const ofUser = db.select({ buyer: invoice.buyer }).from(invoice).where(eq(invoice.user_id, user_id));
  const [last] = await ofUser.orderBy(desc(invoice.id)).limit(1);
  return last?.buyer ?? { name: account, tax_number: '', address: '' };
}

export const invoiceService: Service<typeof invoices> = {
  async inquire({ order_id }, context) {
    const order = await paidOrder(order_id, context);
    const buyer = await lastBuyer(context.db, order.user_id, order.account);
    return { order, invoice: await issued(context.db, order_id), buyer };
  },

  async issue({ order_id, ...buyer }, context) {
    const { db, now, audit } = context;
    const order = await paidOrder(order_id, context);
    const { time_zone, invoice_issuer, admin_title } = await context.settings();
    // Numbers follow each other without a gap: who issues at the same time waits, and what is rolled back took none.
    await db.execute(sql`SELECT pg_advisory_xact_lock(hashtext('livecode invoice'))`);
    const present = await issued(db, order_id);
    if (present) return { order, invoice: present };
    const year = Number(new Intl.DateTimeFormat('en', { timeZone: time_zone, year: 'numeric' }).format(now));
    const serial = sql<number>`(SELECT coalesce(max(serial), 0) + 1 FROM invoice WHERE year = ${year})`;
    const values = { year, serial, order_id, user_id: order.user_id, buyer, issuer: invoice_issuer || admin_title };
    const [made] = await db
      .insert(invoice)
      .values({ ...values, issued_at: now.toISOString() })
      .returning();
    if (!made) throw new Error('the invoice was not returned');
    const result = shown(made);
    audit({ after: { order_no: order.order_no, number: result.number, ...buyer } });
    return { order, invoice: result };
  },
};
