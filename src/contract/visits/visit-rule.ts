import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { done, id, ids, time, timestamps } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { statisticsScreens } from './statistics.ts';

export const ruleDirections = ['falls', 'rises', 'both'] as const;
export type RuleDirection = (typeof ruleDirections)[number];
/** So many a user may have. */
export const maxVisitRules = 50;
/** After it told something a rule is silent for so long. */
export const silentHours = 12;

const fields = {
  /** One code or one group of the user's; all his codes where both are null. */
  live_code_id: id.nullable(),
  group_id: id.nullable(),
  direction: z.enum(ruleDirections),
  /** By so much, of the usual number. */
  percent: z.number().int().min(10).max(1000),
};

const rule = z.object({
  id,
  ...fields,
  code_name: z.string().nullable(),
  group_name: z.string().nullable(),
  enabled: z.boolean(),
  told_at: time.nullable(),
  ...timestamps,
});
export type VisitRule = z.infer<typeof rule>;

const access = requireAny(...statisticsScreens);

export const visitRule = group('visit_rule', {
  inquire: call({
    summary: "The caller's rules that tell him when visits fall or rise against their usual.",
    access,
    input: listInput(['id', 'percent', 'told_at', 'created_at'], {}),
    output: pageOf(rule),
  }),
  add: call({
    summary:
      'Have it told (`visits.fell`, `visits.rose`) when visits to a code, a group or all own codes fall or rise against their usual.',
    access,
    input: z.object({
      ...fields,
      live_code_id: fields.live_code_id.optional(),
      group_id: fields.group_id.optional(),
      enabled: z.boolean().optional(),
    }),
    output: rule,
    writes: true,
  }),
  update: call({
    summary: 'Change a rule.',
    access,
    input: z.object({ id, ...z.object(fields).partial().shape, enabled: z.boolean().optional() }),
    output: rule,
    writes: true,
  }),
  update_enabled: call({
    summary: 'Switch rules on or off.',
    access,
    input: z.object({ ids, enabled: z.boolean() }),
    output: done,
    writes: true,
  }),
  remove: call({ summary: 'Remove rules.', access, input: z.object({ ids }), output: done, writes: true }),
});
