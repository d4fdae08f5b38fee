import { z } from 'zod';
import { domainTypes } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, hostUnicode, id, ids, oneOf, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

const screen = 'shield_configuration';

/** Whose rules: the caller's own; those of users without own ones; the platform pool's. Administrators have the latter two. */
export const ruleScopes = ['own', 'default', 'pool'] as const;
export type RuleScope = (typeof ruleScopes)[number];
/** What becomes of the codes while no domain is there to take a blocked one's place. */
export const otherwises = ['wait', 'pause'] as const;
export type Otherwise = (typeof otherwises)[number];

const ruleFields = {
  enabled: z.boolean(),
  /** By the holder's next healthy domain of the type. Nothing to the pool, which is nobody's. */
  replace_own: z.boolean(),
  /** Then by the pool's. */
  replace_pool: z.boolean(),
  /** Short domains know `wait` only. */
  otherwise: z.enum(otherwises),
  max_per_hour: z.number().int().min(1).max(1000),
  /** A domain that was not checked within so many minutes takes no other's place. */
  checked_minutes: z.number().int().min(1).max(1440),
  /** Fewer healthy domains than this are told of, once; 0: never. */
  low_water: z.number().int().min(0).max(1000),
};

export const shieldRule = z.object({
  scope: z.enum(ruleScopes),
  type: oneOf(domainTypes),
  ...ruleFields,
  /** The caller has none of his own: these are the platform's. */
  inherited: z.boolean(),
  /** Domains of the type, and those that could take another's place now. Of `default` both are 0. */
  domains: count,
  healthy: count,
  /** Replacements of the last hour, which count against `max_per_hour`. */
  used: count,
  /** Domains of the type that were blocked within the last 30 days, and how many days the healthy ones last if it goes on so; null: for ever. */
  blocks: count,
  lasts_days: count.nullable(),
});
export type ShieldRule = z.infer<typeof shieldRule>;

/**
 * What is being done about a blocked domain. `waiting`: for a domain, or for a limit; `replaced`: another has its place; `paused`: its codes
 * are closed until one is there; `left`: nothing is done; `over`: it was normal again before anything was done.
 */
export const handlings = ['waiting', 'replaced', 'paused', 'left', 'over'] as const;
export type Handling = (typeof handlings)[number];
/**
 * Why. Of those that wait: `nothing_healthy`; `limit`, `pool_limit`: of an hour; `conflicts`: its short paths are taken everywhere; `frozen`.
 * Of those that are left: `disabled` by the rules; `empty`: nothing stands on it; `undone` by a user. Of replaced ones `rest_stays`: some
 * short paths are taken on every domain that is there.
 */
export const handlingReasons = [
  'nothing_healthy',
  'limit',
  'pool_limit',
  'conflicts',
  'frozen',
  'disabled',
  'empty',
  'undone',
  'rest_stays',
] as const;
export type HandlingReason = (typeof handlingReasons)[number];

/** Why a domain cannot take another's place. */
export const unfitReasons = [
  ...(['off', 'frozen', 'blocked', 'failed', 'unchecked', 'suspected'] as const),
  ...(['elsewhere', 'certificate', 'unwatched', 'stale'] as const),
] as const;
export type UnfitReason = (typeof unfitReasons)[number];

const named = { host: z.string(), host_unicode: hostUnicode };

/** One domain that took a place, and what it got. Counts of a domain of the pool are those of codes that the caller may see. */
export const incidentReplacement = z.object({
  id,
  to_domain_id: id.nullable(),
  to_host: z.string(),
  to_host_unicode: hostUnicode,
  live_codes: count,
  short_codes: count,
  forwards: count,
  created_at: time,
  undone_at: time.nullable(),
  undone_codes: count,
  /** By the caller. */
  undoable: z.boolean(),
});
export type IncidentReplacement = z.infer<typeof incidentReplacement>;

/** A time in which a domain was blocked, and what was done about it. */
export const shieldIncident = z.object({
  id,
  /** Null where the domain was removed since. */
  domain_id: id.nullable(),
  ...named,
  type: oneOf(domainTypes),
  /** Null is the platform pool. */
  holder_id: id.nullable(),
  holder_account: z.string().nullable(),
  began_at: time,
  /** Null: it is blocked still. */
  ended_at: time.nullable(),
  handling: z.enum(handlings),
  reason: z.enum(handlingReasons).nullable(),
  /** When a waiting one is tried again. */
  next_attempt_at: time.nullable(),
  handled_at: time.nullable(),
  replacements: z.array(incidentReplacement),
  paused_codes: count,
  reopened_codes: count,
  /** The evidence: the verdict of the watched address. */
  monitor_id: id.nullable(),
  verdict_id: id.nullable(),
  undoable: z.boolean(),
  /** The caller may have it handled now, or again. */
  retryable: z.boolean(),
});
export type ShieldIncident = z.infer<typeof shieldIncident>;

const previewStep = z.object({
  domain_id: id,
  ...named,
  pool: z.boolean(),
  live_codes: count,
  removed_live_codes: count,
  short_codes: count,
  owners: count,
  forwards: count,
  staying_forwards: count,
});

export const shieldPreview = z.object({
  domain_id: id,
  ...named,
  type: oneOf(domainTypes),
  pool: z.boolean(),
  /** Where its rule comes from. */
  rule: z.object({ scope: z.enum(ruleScopes), ...ruleFields, used: count, pool_max_per_hour: count, pool_used: count }),
  handling: z.enum(handlings).exclude(['over']),
  reason: z.enum(handlingReasons).nullable(),
  /** When the limit of an hour lets it go on. */
  next_attempt_at: time.nullable(),
  /** On it now: codes, those in the recycle bin too, and short codes. */
  live_codes: count,
  short_codes: count,
  forwards: count,
  /** Open codes that would be paused. */
  paused_codes: count,
  /** Where they would go; further ones only for short codes whose path is taken on the first. */
  steps: z.array(previewStep),
  /** Short codes whose path is taken everywhere, and codes of owners who may not use the new domain. */
  staying_conflicts: count,
  staying_foreign: count,
  /** Domains of the type that cannot take its place now, and why. The first 50. */
  unfit: z.array(z.object({ domain_id: id, ...named, pool: z.boolean(), reason: z.enum(unfitReasons) })),
});
export type ShieldPreview = z.infer<typeof shieldPreview>;

export const shieldConfiguration = group(screen, {
  inquire: call({
    summary: 'Times in which domains were blocked, and what was done about them.',
    access: requireAny(screen),
    input: listInput(['id', 'host', 'began_at', 'ended_at'], {
      search: z.string().max(200).optional(),
      handling: z.enum(handlings).optional(),
      type: oneOf(domainTypes).optional(),
      open: z.boolean().optional(),
      pool: z.boolean().optional(),
      holder_id: id.optional(),
      domain_id: id.optional(),
    }),
    output: pageOf(shieldIncident),
  }),
  rules: call({
    summary: "The caller's rules by type of domain; an administrator's are the platform's default and the pool's.",
    access: requireAny(screen),
    input: z.object({}),
    output: z.object({ content: z.array(shieldRule) }),
  }),
  update: call({
    summary: 'Set the rule of a type. What waits or was left by the former rule is handled by the new one.',
    access: requireAny(`${screen}.update`),
    input: z.object({ scope: z.enum(ruleScopes), type: oneOf(domainTypes), ...ruleFields }),
    output: shieldRule,
    writes: true,
  }),
  reset: call({
    summary: "Give up one's own rule of a type for the platform's.",
    access: requireAny(`${screen}.update`),
    input: z.object({ type: oneOf(domainTypes) }),
    output: shieldRule,
    writes: true,
  }),
  preview: call({
    summary: 'What would happen if this domain were blocked now. Nothing is changed.',
    access: requireAny(screen),
    input: z.object({ domain_id: id }),
    output: shieldPreview,
  }),
  undo: call({
    summary:
      'Put the former domains back on the codes that still have the new ones. They are not replaced again until they were normal once.',
    access: requireAny(`${screen}.undo`),
    input: z.object({ ids }),
    output: z.object({
      /** Replacements that were undone, or are being so. */
      undone: count,
      codes: count,
      forwards: count,
      /** Of large ones, which workers undo. */
      operation_ids: z.array(id),
    }),
    writes: true,
  }),
  retry: call({
    summary: 'Have blocked domains handled now, also those that were left or undone.',
    access: requireAny(`${screen}.update`),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});
