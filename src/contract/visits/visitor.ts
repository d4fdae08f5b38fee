import { z } from 'zod';
import { carriers, visitSources } from '../enums.ts';
import { call, group, holders } from '../kit/call.ts';
import { count, day, done, line, time } from '../kit/fields.ts';
import { cursorInput, cursorPageOf } from '../kit/page.ts';

export const maximumBlocked = 1000;

/** Whether an address is on the visit blacklist: not at all, by itself, or inside a network that is. */
export const blacklistStates = ['no', 'address', 'network'] as const;

/** An address over all codes: its visits of the days asked for, and what is known of its latest one. */
export const visitor = z.object({
  ip: z.string(),
  country: z.string(),
  region: z.string(),
  city: z.string(),
  carrier: z.enum(carriers),
  source: z.enum(visitSources).nullable(),
  system: z.string(),
  brand: z.string(),
  model_name: z.string(),
  codes: count,
  visits: count,
  first_at: time,
  /** Its newest arrival: the first visit of a code on a day. */
  arrived_at: time,
  last_at: time,
  blacklisted: z.enum(blacklistStates),
});
export type Visitor = z.infer<typeof visitor>;

const addresses = z.array(z.string().max(45)).min(1, 'required').max(maximumBlocked);
/** Addresses whose visits are to be refused, for every screen that shows visitors. */
export const blockInput = z.object({ ips: addresses, remark: line(200).optional(), expires_at: time.nullable().optional() });

export const visitorList = group('visitor', {
  inquire: call({
    summary:
      'Visitor addresses over all codes: those that arrived last first, or those with most visits (of today where no days are given).',
    access: holders('visitor'),
    input: cursorInput(['arrived_at', 'visits'], {
      /** A whole address, the beginning of one, or a network. */
      ip: z.string().max(50).optional(),
      /** Found in country, region and city. */
      place: z.string().max(50).optional(),
      carrier: z.enum(carriers).optional(),
      source: z.enum(visitSources).optional(),
      from: day.optional(),
      to: day.optional(),
    }),
    output: cursorPageOf(visitor),
  }),
  blacklist: call({
    summary: 'Refuse visits from these addresses, for ever or until a moment.',
    access: holders('visitor.blacklist'),
    input: blockInput,
    output: done,
    writes: true,
  }),
  allow: call({
    summary: 'Take these addresses off the visit blacklist; networks that hold them stay on it.',
    access: holders('visitor.blacklist'),
    input: z.object({ ips: addresses }),
    output: done,
    writes: true,
  }),
});
