import { z } from 'zod';
import { carriers, outcomes, rotationModes, visitRestrictions } from '../enums.ts';
import { call, holders, longBody } from '../kit/call.ts';
import { count, id, oneOf, text, time } from '../kit/fields.ts';
import { maximumTargets, maximumThreshold, targetInput } from './live-code.ts';
import { ruleSystems } from './targeting.ts';

export const maximumTrialVisits = 10_000;
export const maximumTrialVisitors = 20;
/** Stretches of a simulation that are told one by one; the sums hold all of it. */
export const maximumTrialRuns = 200;

const word = z.string().trim().max(64);

/**
 * A visitor as rules see him. What isn't given is unknown, and an unknown place or language fits no rule that asks for one; otherwise he
 * has another system, is outside the messenger and comes now. From `ip` are told the place and carrier that aren't given.
 */
export const trialVisitor = z.strictObject({
  ip: z.string().trim().max(45).optional(),
  country: word.optional(),
  region: word.optional(),
  carrier: z.enum(carriers).optional(),
  system: z.enum(ruleSystems).optional(),
  messenger: z.boolean().optional(),
  /** A tag, or a whole Accept-Language header, of which the first tag counts. */
  language: z.string().trim().max(200).optional(),
  at: time.optional(),
});
export type TrialVisitor = z.infer<typeof trialVisitor>;

/** A target that needn't be stored: one with the id of a stored target of the code keeps that one's remaining visits unless they are given. */
const trialTarget = targetInput.partial().extend({
  content: text(8192).optional(),
  remaining: z.number().int().min(0).max(maximumThreshold).nullable().optional(),
});

/** What a form holds and nobody saved yet. Fields that aren't given are those of the stored code, or a new code's. */
export const trialDraft = z.strictObject({
  targets: z.array(trialTarget).max(maximumTargets),
  rotation_mode: oneOf(rotationModes).optional(),
  restriction_visit: oneOf(visitRestrictions).optional(),
  open: z.boolean().optional(),
  expires_at: time.nullable().optional(),
  fallback_url: text(4096).nullable().optional(),
});
export type TrialDraft = z.infer<typeof trialDraft>;

export const ruleConditions = [
  'countries',
  'regions',
  'carriers',
  'systems',
  'messenger',
  'languages',
  'hours',
  'weekdays',
  'from',
  'to',
] as const;
export type RuleCondition = (typeof ruleConditions)[number];

/**
 * Why a target is chosen or passed over, the first that applies. `chosen`: by `rule`, or, where that is null, because it serves everybody.
 * `candidate`: as good as the chosen one; rotation took another. `disabled`, `expired`, `used_up`; `unusable`: its picture or an allowed
 * address is missing; `no_rule_fits`: `misses` tells each rule's first condition that fails; `others_fit`: it has no rules, and another
 * target's rules fit.
 */
export const targetVerdicts = ['chosen', 'candidate', 'disabled', 'expired', 'unusable', 'used_up', 'no_rule_fits', 'others_fit'] as const;
export type TargetVerdict = (typeof targetVerdicts)[number];

/** The facts by which rules were judged: `hour`, `weekday` (1 Monday – 7 Sunday) and `day` by the site's clock; empty texts are unknown. */
const judgedVisitor = z.object({
  country: z.string(),
  region: z.string(),
  carrier: z.enum(carriers).nullable(),
  system: z.enum(ruleSystems),
  messenger: z.boolean(),
  language: z.string(),
  hour: z.number(),
  weekday: z.number(),
  day: z.string(),
});
export type JudgedVisitor = z.infer<typeof judgedVisitor>;

/** A target by its position in the list that was tried, from 0; `target_id` null: it isn't stored. */
const named = { index: count, target_id: id.nullable(), name: z.string() };

/** Calls of `qr_code_list` that try a code out: with the code of the visit path, and without a visit. One of `id` and `draft` is given. */
export const trialCalls = {
  test_visit: call({
    summary: 'Where a visitor would be sent, and why there and not elsewhere. Nothing is counted.',
    access: holders('qr_code_list', 'set_qr_code', 'qr_code_list_admin'),
    bodyLimit: longBody,
    input: z.object({ id: id.optional(), draft: trialDraft.optional(), visitor: trialVisitor }),
    output: z.object({
      /** Of a scan-only code as if it had been scanned. */
      outcome: z.enum(outcomes),
      /** Position of the target; null where the outcome isn't `passed`. Of several candidates one as rotation would take it now. */
      target: count.nullable(),
      fallback_url: z.string().nullable(),
      visitor: judgedVisitor,
      targets: z.array(
        z.object({
          ...named,
          verdict: z.enum(targetVerdicts),
          /** The first rule that fits, from 0. */
          rule: count.nullable(),
          /** The share of such visitors that rotation sends there, 0 to 1. */
          share: z.number(),
          misses: z.array(z.object({ rule: count, condition: z.enum(ruleConditions) })),
        }),
      ),
    }),
  }),
  simulate: call({
    summary: 'What the next visits would do: how many each target gets, in which order, and when its visits run out. Nothing is counted.',
    access: holders('qr_code_list', 'set_qr_code', 'qr_code_list_admin'),
    bodyLimit: longBody,
    input: z.object({
      id: id.optional(),
      draft: trialDraft.optional(),
      /** 1,000 where not given. */
      visits: z.number().int().min(1).max(maximumTrialVisits).optional(),
      /** Who comes, each as often as his share among all shares says; without any, visitors of whom nothing is known. */
      visitors: z
        .array(z.strictObject({ share: z.number().int().min(1).max(10_000), visitor: trialVisitor }))
        .min(1)
        .max(maximumTrialVisitors)
        .optional(),
    }),
    output: z.object({
      visits: count,
      /** What became of the visits; the numbers add up to all of them. */
      outcomes: z.array(z.object({ outcome: z.enum(outcomes), visits: count })),
      targets: z.array(
        z.object({
          ...named,
          visits: count,
          /** Numbers of its first and last visit among all, from 1. */
          first_visit: count.nullable(),
          last_visit: count.nullable(),
          /** The number of the visit that took its last one. */
          used_up_at: count.nullable(),
          /** Visits left at the end; null is endless. */
          remaining: count.nullable(),
        }),
      ),
      /** Visits one after the other that ended in the same way, in order; `target` null where none was passed to one. */
      runs: z.array(z.object({ target: count.nullable(), outcome: z.enum(outcomes), from: count, visits: count })),
      /** Whether there were more of them than `runs` holds. */
      is_cut: z.boolean(),
    }),
  }),
};
