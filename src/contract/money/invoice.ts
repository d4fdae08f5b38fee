import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { id, line, text, time } from '../kit/fields.ts';
import { order } from './order.ts';

/** Whom an invoice is for, as he wrote it. */
export const invoiceBuyer = z.object({
  name: line(120).min(1, 'required'),
  tax_number: line(60).default(''),
  address: text(300).default(''),
});
export type InvoiceBuyer = z.output<typeof invoiceBuyer>;

export const invoice = z.object({
  /** Such as `2026-000042`: the year of the site, and the number in it. */
  number: z.string(),
  issued_at: time,
  /** The seller, in lines. */
  issuer: z.string(),
  buyer: invoiceBuyer,
});
export type Invoice = z.infer<typeof invoice>;

const access = requireAny('user_order', 'order');

export const invoices = group('invoice', {
  inquire: call({
    summary: 'A paid order with its invoice; null where none was issued. `buyer` is whom the last one of its user was for.',
    access,
    input: z.object({ order_id: id }),
    output: z.object({ order, invoice: invoice.nullable(), buyer: invoiceBuyer }),
  }),
  issue: call({
    summary: 'Issue the invoice of a paid order. It is issued once and stays as it is.',
    access,
    machines: false,
    input: z.object({ order_id: id, ...invoiceBuyer.shape }),
    output: z.object({ order, invoice }),
    writes: true,
  }),
});
