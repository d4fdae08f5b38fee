import { z } from 'zod';
import { blockStatuses } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, hostUnicode, id, ids, line, oneOf, selectedIds, text, time, timestamps } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import type { NodeKey } from '../permissions.ts';
import { finding } from './detectors.ts';

/** What a check found, as its bar shows it: the messenger's verdict, or that the domain itself does not answer. */
export const beatStates = ['normal', 'suspected', 'blocked', 'failed', 'down'] as const;
export type BeatState = (typeof beatStates)[number];
/** So many checks are shown as bars. */
export const keptBeats = 50;
/** What one may add at once. */
export const maxWatched = 500;

const beat = z.object({ at: time, state: z.enum(beatStates), latency_ms: count.nullable() });
export type Beat = z.infer<typeof beat>;

export const minIntervalSeconds = 30;
export const maxIntervalSeconds = 86_400;
/** Between two checks of one domain; null: the setting `monitor_seconds`. */
export const interval_seconds = z.number().int().min(minIntervalSeconds).max(maxIntervalSeconds).nullable();

/** An address that is watched: a registered domain of the owner or the pool, or any other address that a user asked for. */
export const domainMonitor = z.object({
  id,
  /** Null for an address that is none of our domains. */
  domain_id: id.nullable(),
  url: z.string(),
  host: z.string(),
  host_unicode: hostUnicode,
  /** Null is the platform pool. */
  owner_id: id.nullable(),
  owner_account: z.string().nullable(),
  paused: z.boolean(),
  /** Of a registered domain whether it is switched on; one that is off is not checked. */
  enabled: z.boolean(),
  /** Beyond its owner's quota, and not checked until the quota allows it or he chooses it. */
  over_quota: z.boolean(),
  interval_seconds,
  /** The one that counts: its own, or else the setting; never less than its owner may have. */
  effective_seconds: count,
  remark: z.string(),
  block_status: oneOf(blockStatuses).nullable(),
  /** Since when it has been as it is. */
  status_since: time.nullable(),
  /** Its visits from the messenger fell; null: they did not. */
  suspected_since: time.nullable(),
  /** Detectors do not agree about it. */
  disputed: z.boolean(),
  checked_at: time.nullable(),
  /** Null while it is paused, off or over the quota. */
  due_at: time.nullable(),
  /** Oldest first. */
  beats: z.array(beat),
  /** Shares from 0 to 1 of the checks that could tell; null where there were none. */
  uptime_24h: z.number().nullable(),
  uptime_30d: z.number().nullable(),
  uptime_90d: z.number().nullable(),
  /** Medians of the last 24 hours, an hour each, oldest first, in milliseconds. */
  latency: z.array(count.nullable()),
  ...timestamps,
});
export type DomainMonitor = z.infer<typeof domainMonitor>;

/** Checks one after another with the same verdict by the same findings. */
export const verdict = z.object({
  id,
  /** Null while nothing was confirmed yet. */
  block_status: oneOf(blockStatuses).nullable(),
  state: z.enum(beatStates),
  first_at: time,
  last_at: time,
  checks: count,
  findings: z.array(finding),
});
export type Verdict = z.infer<typeof verdict>;

const sortable = ['id', 'host', 'status_since', 'checked_at', 'due_at', 'created_at'] as const;
const filters = {
  ids: ids.optional(),
  search: z.string().max(200).optional(),
  block_status: oneOf(blockStatuses).optional(),
  suspected: z.boolean().optional(),
  disputed: z.boolean().optional(),
  paused: z.boolean().optional(),
  registered: z.boolean().optional(),
  owner_id: id.optional(),
  pool: z.boolean().optional(),
};

const calls = (screen: 'domain_monitor' | 'admin_domain_monitor') => {
  const button = (act: 'add' | 'update' | 'check' | 'remove') => requireAny(`${screen}.${act}` as NodeKey);
  return {
    inquire: call({
      summary: 'Addresses that are watched, those in trouble first unless sorted otherwise.',
      access: requireAny(screen),
      input: listInput(sortable, filters),
      output: pageOf(domainMonitor),
    }),
    ids: call({
      summary: 'The ids of those that fit the filters, in the order of the list: the first 5,000.',
      access: requireAny(screen),
      input: listInput(sortable, filters).omit({ page: true, page_size: true }),
      output: selectedIds,
    }),
    summary: call({
      summary: 'How many are watched, by what is known of them, and what the checks themselves are doing.',
      access: requireAny(screen),
      input: z.object({}),
      output: z.object({
        total: count,
        paused: count,
        normal: count,
        blocked: count,
        failed: count,
        suspected: count,
        unchecked: count,
        /** The caller's quota of addresses that are none of our domains, and what is left of it; null: no limit. */
        limit: count.nullable(),
        left: count.nullable(),
        /** The combo on sale whose quota is greater; null: none, or no limit. */
        combo: z.string().nullable(),
        /** The shortest time between two checks that the caller may set; null: no limit. */
        minimum_seconds: count.nullable(),
        /** Checks overdue by more than ten seconds. */
        overdue: count,
        /** Since when our own way out has been down, so that nothing is judged. */
        blind_since: time.nullable(),
        /** Whether any detector that knows a messenger is switched on and works. */
        has_detector: z.boolean(),
      }),
    }),
    details: call({
      summary: 'One watched address with its latest findings, and its verdicts of 90 days, the newest first.',
      access: requireAny(screen),
      input: z.object({ id }),
      output: domainMonitor.extend({ findings: z.array(finding), verdicts: z.array(verdict) }),
    }),
    add: call({
      summary: 'Watch addresses. What became of each is said; none keeps the others back.',
      access: button('add'),
      input: z.object({
        lines: z.array(text(500)).min(1, 'required').max(maxWatched),
        interval_seconds: interval_seconds.optional(),
        remark: line(200).optional(),
      }),
      output: z.object({
        added: count,
        results: z.array(
          z.object({
            line: z.string(),
            url: z.string().nullable(),
            state: z.enum(['added', 'repeated', 'exists', 'invalid_url', 'quota_exceeded']),
          }),
        ),
      }),
      writes: true,
    }),
    update: call({
      summary: 'Change how often addresses are checked, pause them, or go on.',
      access: button('update'),
      input: z.object({ ids, paused: z.boolean().optional(), interval_seconds: interval_seconds.optional(), remark: line(200).optional() }),
      output: done,
      writes: true,
    }),
    check: call({
      summary: 'Check these now, or all that the caller may see.',
      access: button('check'),
      input: z.object({ ids: ids.optional() }),
      output: done,
      writes: true,
      limit: { max: 60, seconds: 60 },
    }),
    remove: call({
      summary: 'Watch addresses no more. Registered domains stay, paused.',
      access: button('remove'),
      input: z.object({ ids }),
      output: done,
      writes: true,
    }),
  };
};

export const domainMonitors = group('domain_monitor', calls('domain_monitor'));
/** The same over all users. */
export const adminDomainMonitors = group('admin_domain_monitor', calls('admin_domain_monitor'));
