import { z } from 'zod';
import { interval_seconds } from '../detection/domain-monitor.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, id, ids } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { logDays } from '../money/vip-combo.ts';

const counts = {
  domains: count,
  entry: count,
  landing: count,
  short: count,
  /** Domains that are switched off. */
  disabled_domains: count,
  blocked: count,
};

/** A user and the domains that he holds. */
export const domainHolder = z.object({
  id,
  account: z.string(),
  name: z.string(),
  role_name: z.string(),
  disabled: z.boolean(),
  ...counts,
  /** His own quota; null is what the site's setting says. */
  domain_quota: count.nullable(),
  /** The quota that holds for him; null is no limit. */
  limit: count.nullable(),
  /** Addresses that he watches besides his domains. */
  monitors: count,
  /** His own quota of them, and shortest time between two checks; null is what the settings say. */
  monitor_quota: count.nullable(),
  /** Days that visits to his codes are kept: his own value; null is what his combo or the setting says. Then what holds for him. */
  log_days: count.nullable(),
  kept_days: count,
  monitor_minimum_seconds: count.nullable(),
  /** Those that hold for him; null is no limit. */
  monitor_limit: count.nullable(),
  monitor_minimum: count.nullable(),
});
export type DomainHolder = z.infer<typeof domainHolder>;

export const maxQuota = 1_000_000;

export const holdDomain = group('hold_domain', {
  inquire: call({
    summary: 'Users with the numbers of domains they hold and may hold, those with most first.',
    access: requireAny('hold_domain'),
    input: listInput(['domains', 'account', 'id'], {
      /** A part of account or name. */
      search: z.string().max(100).optional(),
      /** Whether the user holds any domain. */
      holding: z.boolean().optional(),
      /** Whether the quota is used up. */
      full: z.boolean().optional(),
    }),
    output: pageOf(domainHolder),
  }),
  pool: call({
    summary: 'The domains of the platform pool, and of all holders together, in numbers.',
    access: requireAny('hold_domain'),
    input: z.object({}),
    output: z.object({ pool: z.object(counts), held: z.object(counts), holders: count }),
  }),
  assign: call({
    summary: "Give domains to a user. A domain that others' codes use stays where it is: the whole call is refused.",
    access: requireAny('hold_domain.assign'),
    input: z.object({ ids, holder_id: id }),
    output: done,
    writes: true,
  }),
  take_back: call({
    summary: 'Take domains back into the platform pool; codes on them go on working.',
    access: requireAny('hold_domain.take_back'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  quota: call({
    summary: 'Say how many domains these users may hold; null is what the site’s setting says. What they hold already stays theirs.',
    access: requireAny('hold_domain.quota'),
    input: z.object({ ids, domain_quota: z.number().int().min(0).max(maxQuota).nullable() }),
    output: done,
    writes: true,
  }),
  log_days: call({
    summary:
      'Say for how many days visits to the codes of these users are kept; null is what their combo or the setting says. Older ones are deleted within the hour.',
    access: requireAny('hold_domain.quota'),
    input: z.object({ ids, log_days: logDays }),
    output: done,
    writes: true,
  }),
  monitor_quota: call({
    summary: 'Say how many addresses these users may watch besides their domains, and how often; null is what the settings say.',
    access: requireAny('hold_domain.quota'),
    input: z.object({
      ids,
      monitor_quota: z.number().int().min(0).max(maxQuota).nullable(),
      monitor_minimum_seconds: interval_seconds,
    }),
    output: done,
    writes: true,
  }),
});
