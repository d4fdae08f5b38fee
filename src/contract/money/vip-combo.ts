import { z } from 'zod';
import { group } from '../kit/call.ts';
import { crud } from '../kit/crud.ts';
import { id, line, rank, text, timestamps } from '../kit/fields.ts';
import { positiveAmount } from './ledger.ts';

/** What a combo counts; the same kinds have settings for those who bought none. */
export const quotaKinds = ['live_codes', 'domains', 'short_codes', 'monitors'] as const;
export type QuotaKind = (typeof quotaKinds)[number];

/** Of these an owner who has more than he may chooses which he keeps whole. */
export const keptKinds = ['live_codes', 'monitors'] as const satisfies readonly QuotaKind[];
export type KeptKind = (typeof keptKinds)[number];

/** Null: as many as one likes. */
const quota = z.number().int().min(0).max(100_000_000).nullable();
/** Days that visits are kept; null: as the site's setting says. */
export const logDays = z.number().int().min(1).max(3650).nullable();
export const quotas = z.object({
  live_codes: quota,
  domains: quota,
  short_codes: quota,
  monitors: quota,
  log_days: logDays.default(null),
});
export type Quotas = z.infer<typeof quotas>;

const fields = {
  name: line(64).min(1, 'required'),
  description: text(500).optional(),
  /** USDT. */
  price: positiveAmount,
  days: z.number().int().min(1).max(3650),
  quotas,
  sort: rank.optional(),
  on_sale: z.boolean().optional(),
};

const combo = z.object({
  id,
  ...z.object(fields).required().shape,
  price: z.string(),
  sort: z.number(),
  ...timestamps,
});
export type Combo = z.infer<typeof combo>;

export const vipCombo = group('vip_combo', {
  ...crud('vip_combo', {
    row: combo,
    fields,
    filters: { name: z.string().max(64).optional(), on_sale: z.boolean().optional() },
    sortable: ['id', 'name', 'price', 'days', 'sort', 'created_at'],
    nouns: ['a combo', 'combos'],
  }),
});
