import { z } from 'zod';
import { carriers, visitSources } from '../enums.ts';
import { call, group, holders } from '../kit/call.ts';
import { count, done, id, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { blacklistStates, blockInput } from './visitor.ts';

/** The most addresses that one look-up may name. */
export const maximumLookedUp = 500;
/** So many codes and devices of an address are named; more are only counted. */
export const mostNamed = 5;

export const lookedUpStates = ['visited', 'never', 'invalid'] as const;

/** One line of the look-up: the address, where it stands, and what it did on the codes that the caller may see. */
export const lookedUp = z.object({
  /** In its canonical spelling; where it is no address, as it was typed. */
  ip: z.string(),
  state: z.enum(lookedUpStates),
  country: z.string(),
  region: z.string(),
  city: z.string(),
  carrier: z.enum(carriers),
  visits: count,
  code_count: count,
  /** Those most visited; the names of deleted codes are empty. */
  codes: z.array(z.object({ id, name: z.string(), file_name: z.string(), visits: count })),
  device_count: count,
  /** Those that came last. */
  devices: z.array(z.object({ source: z.enum(visitSources), system: z.string(), brand: z.string(), model_name: z.string() })),
  first_at: time.nullable(),
  last_at: time.nullable(),
  /** Null for those who may not change the visit blacklist. */
  blacklisted: z.enum(blacklistStates).nullable(),
});
export type LookedUp = z.infer<typeof lookedUp>;

export const checkoutIp = group('checkout_ip', {
  inquire: call({
    summary: 'What is known of each of these addresses, over all codes that the caller may see; in the order in which they are named.',
    access: holders('checkout_ip'),
    input: listInput(['visits', 'code_count', 'device_count', 'first_at', 'last_at'], {
      ips: z.array(z.string().max(100)).min(1, 'required').max(maximumLookedUp),
    }),
    output: pageOf(lookedUp),
    limit: { max: 120, seconds: 60 },
  }),
  blacklist: call({
    summary: 'Refuse visits from these addresses, for ever or until a moment.',
    access: holders('checkout_ip.blacklist'),
    input: blockInput,
    output: done,
    writes: true,
  }),
});
