import { z } from 'zod';
import { call, group, holders } from '../kit/call.ts';
import { count, done, hostUnicode, id, ids, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { blacklistStates, blockInput } from './visitor.ts';

/**
 * `unknown_host`: a name that points here and that nobody registered; `referer`: a foreign page that embeds or links a code; `forged`:
 * a ticket or signature that is false, or another address's; `replayed`: a ticket that was used before.
 */
export const sourceKinds = ['unknown_host', 'referer', 'forged', 'replayed'] as const;
export const sourceActions = ['block', 'allow'] as const;

export const visitSource = z.object({
  id,
  kind: z.enum(sourceKinds),
  /** The unknown host, or the one that referred; empty where neither is the matter. */
  host: z.string(),
  host_unicode: hostUnicode,
  /** A live code or a short code; without one and without address it stands for all that was too much for an hour. */
  live_code_id: id.nullable(),
  is_short_code: z.boolean(),
  /** Empty where the code is gone, or never was. */
  code: z.string(),
  code_name: z.string(),
  ip: z.string().nullable(),
  visits: count,
  first_at: time,
  last_at: time,
  owner_id: id.nullable(),
  owner_account: z.string().nullable(),
  /** Whether visits from this host are refused to the owner's codes. */
  blocked: z.boolean(),
  /** Null for those who may not change the visit blacklist. */
  blacklisted: z.enum(blacklistStates).nullable(),
});
export type VisitSourceRow = z.infer<typeof visitSource>;

export const sourceRule = z.object({
  id,
  /** Null: administrators, for unknown hosts. */
  owner_id: id.nullable(),
  owner_account: z.string().nullable(),
  host: z.string(),
  host_unicode: hostUnicode,
  action: z.enum(sourceActions),
  created_by_account: z.string().nullable(),
  created_at: time,
});
export type SourceRule = z.infer<typeof sourceRule>;

export const stealingList = group('stealing_list', {
  inquire: call({
    summary: 'Visits that were not meant to come, by where they came from: to own codes; for administrators all, unknown hosts included.',
    access: holders('stealing_list'),
    input: listInput(['id', 'host', 'visits', 'first_at', 'last_at'], {
      /** Part of the host, or an IP address. */
      search: z.string().max(253).optional(),
      kind: z.enum(sourceKinds).optional(),
      live_code_id: id.optional(),
      owner_id: id.optional(),
    }),
    output: pageOf(visitSource),
  }),
  block: call({
    summary: "Refuse visits that these rows' hosts and their subdomains refer to the owners' codes.",
    access: holders('stealing_list.block'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  allow: call({
    summary: "Take these rows' hosts for meant: they are answered, and listed no longer.",
    access: holders('stealing_list.allow'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  rules: call({
    summary: 'Hosts that were blocked or allowed.',
    access: holders('stealing_list'),
    input: listInput(['id', 'host', 'created_at'], {
      search: z.string().max(253).optional(),
      action: z.enum(sourceActions).optional(),
    }),
    output: pageOf(sourceRule),
  }),
  remove_rules: call({
    summary: 'Forget what was decided on these hosts.',
    access: holders('stealing_list.block', 'stealing_list.allow'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  blacklist: call({
    summary: 'Refuse visits from these addresses, for ever or until a moment.',
    access: holders('stealing_list.blacklist'),
    input: blockInput,
    output: done,
    writes: true,
  }),
});
