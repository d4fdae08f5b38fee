import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, done, id, ids, line, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

/** Refused visits of one entry are counted up to this figure. */
export const maxHits = 100_000;
/** Days, today included, whose visits are counted before a wide network is added. */
export const checkedDays = 7;
export const maxLines = 5000;

export const visitBlock = z.object({
  id,
  /** An address or a network such as `10.0.0.0/8`. */
  network: z.string(),
  remark: z.string(),
  /** Null: for ever. */
  expires_at: time.nullable(),
  expired: z.boolean(),
  /** Visits refused from these addresses whose records are still kept; `maxHits` stands for as many or more. */
  hits: count,
  created_by: id.nullable(),
  created_by_account: z.string().nullable(),
  created_at: time,
});
export type VisitBlock = z.infer<typeof visitBlock>;

/**
 * What became of one line: `updated` was there already and got the new remark and expiry, `repeated` stands further up in the same input;
 * `loopback` would refuse the server itself and `proxy` our own proxies, so that neither is added.
 */
export const blockedLineStates = ['added', 'updated', 'repeated', 'invalid', 'loopback', 'proxy'] as const;

/** Addresses and networks take a byte a character. */
const linesBody = 600_000;
const lines = z.array(z.string().max(100)).min(1, 'required').max(maxLines);

export const serverIpBlack = group('server_ip_black', {
  inquire: call({
    summary: 'Addresses and networks that visits are refused from.',
    access: requireAny('server_ip_black'),
    input: listInput(['id', 'expires_at', 'created_at'], {
      /** An address finds the networks that cover it; other text is looked for in network and remark. */
      search: z.string().max(100).optional(),
      expired: z.boolean().optional(),
      /** Days on which it ends. */
      expires_from: day.optional(),
      expires_to: day.optional(),
    }),
    output: pageOf(visitBlock),
  }),
  check: call({
    summary: 'Of these lines the wide networks, each with the latest visits that it would have refused.',
    access: requireAny('server_ip_black.add'),
    bodyLimit: linesBody,
    input: z.object({ lines }),
    output: z.object({
      /** Wider than an IPv4 /24 or an IPv6 /48. Visits and addresses of the last `checkedDays`; null where counting took too long. */
      wide: z.array(z.object({ network: z.string(), visits: count.nullable(), addresses: count.nullable() })),
    }),
  }),
  add: call({
    summary: 'Refuse visits from addresses or networks, one per line; each line has its own result.',
    access: requireAny('server_ip_black.add'),
    bodyLimit: linesBody,
    input: z.object({ lines, remark: line(200).optional(), expires_at: time.nullable().optional() }),
    output: z.object({ added: count, results: z.array(z.object({ line: z.string(), state: z.enum(blockedLineStates) })) }),
    writes: true,
  }),
  remove: call({
    summary: 'Answer visits from these addresses again.',
    access: requireAny('server_ip_black.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});
