import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, done, id, ids, line, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

export const blockedNetwork = z.object({
  id,
  /** An address or a network such as `10.0.0.0/8`. */
  network: z.string(),
  remark: z.string(),
  /** Null: for ever. */
  expires_at: time.nullable(),
  expired: z.boolean(),
  hits: count,
  last_hit_at: time.nullable(),
  created_by: id.nullable(),
  created_by_account: z.string().nullable(),
  created_at: time,
});
export type BlockedNetwork = z.infer<typeof blockedNetwork>;

/**
 * What became of one line: `updated` was there already and got the new remark and expiry, `repeated` stands further up in the same input,
 * `own_address` covers the address of the administrator who adds it, `loopback` is the server itself, which is never refused.
 */
export const addedLineStates = ['added', 'updated', 'repeated', 'invalid', 'own_address', 'loopback'] as const;

export const ipBlack = group('ip_black', {
  inquire: call({
    summary: 'Addresses and networks that the back office refuses.',
    access: requireAny('ip_black'),
    input: listInput(['id', 'hits', 'last_hit_at', 'expires_at', 'created_at'], {
      /** An address finds the networks that cover it; other text is looked for in network and remark. */
      search: z.string().max(100).optional(),
      expired: z.boolean().optional(),
      /** Days on which it ends. */
      expires_from: day.optional(),
      expires_to: day.optional(),
    }),
    output: pageOf(blockedNetwork),
  }),
  add: call({
    summary: 'Refuse addresses or networks, one per line; each line has its own result.',
    access: requireAny('ip_black.add'),
    bodyLimit: 600_000,
    input: z.object({
      lines: z.array(z.string().max(100)).min(1).max(5000),
      remark: line(200).optional(),
      expires_at: time.nullable().optional(),
    }),
    output: z.object({
      added: count,
      results: z.array(z.object({ line: z.string(), state: z.enum(addedLineStates) })),
    }),
    writes: true,
  }),
  remove: call({
    summary: 'Let addresses in again.',
    access: requireAny('ip_black.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});
