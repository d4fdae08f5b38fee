import { z } from 'zod';
import { blockState } from '../domains/block-state.ts';
import { domainTypes } from '../enums.ts';
import { call, group, longBody, requireAny } from '../kit/call.ts';
import { count, hostUnicode, id, oneOf } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

export const maxQueried = 2000;

/** What a line was found to be. `unknown`: nothing that the caller may see; `invalid`: neither a key, a link nor a domain. */
export const foundKinds = ['code', 'short', 'domain', 'unknown', 'invalid'] as const;
/** `expired` and `removed` go before the switch: an open code in the recycle bin answers nobody. */
export const foundStates = ['open', 'closed', 'expired', 'removed', 'enabled', 'disabled'] as const;

/** One find of a line; a key that several short links have in common has a row for each. */
export const foundLine = z.object({
  /** Names the row: the line's number, from 1, and what was found. */
  key: z.string(),
  at: count,
  line: z.string(),
  kind: z.enum(foundKinds),
  state: z.enum(foundStates).nullable(),
  /** Of the live code, the short code or the domain. */
  id: id.nullable(),
  name: z.string(),
  file_name: z.string(),
  /** The code's alias, where the line named that. */
  found_alias: z.string().nullable(),
  /** The live code to act on: the one found, or the one that the short code leads to. */
  live_code_id: id.nullable(),
  owner_account: z.string().nullable(),
  /** The domain of the line, or else the code's entry domain. */
  host: z.string().nullable(),
  host_unicode: hostUnicode,
  domain_type: oneOf(domainTypes).nullable(),
  domain_enabled: z.boolean().nullable(),
  ...blockState,
  visits: count.nullable(),
  ips: count.nullable(),
});
export type FoundLine = z.infer<typeof foundLine>;

export const batchQuery = group('batche_query', {
  inquire: call({
    summary: 'What each of these keys, links, short links and domains is, among what the caller may see; in the order of the lines.',
    access: requireAny('batche_query'),
    bodyLimit: longBody,
    input: listInput(['at'], { lines: z.array(z.string().max(4096)).min(1, 'required').max(maxQueried) }).omit({
      sort: true,
      order: true,
    }),
    output: pageOf(foundLine).extend({
      /** Over all pages. */
      kinds: z.object({ code: count, short: count, domain: count, unknown: count, invalid: count }),
    }),
    limit: { max: 120, seconds: 60 },
  }),
});
