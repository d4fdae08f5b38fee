import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, id, ids, line, text, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

/**
 * Groups whose entries are always kept, and at least so many days: they decide about power over the system. The database has the same
 * list (migration 0014).
 */
export const alwaysLogged: readonly string[] = [
  'admin',
  'administrators',
  'api_token',
  'configuration',
  'ip_black',
  'log',
  'log_config',
  'log_type',
  'role',
  'subscriber_config_default',
  'update_password',
  'user_list',
];
export const minRetentionDays = 30;

/** One call, all calls of a group, or all: `role/add`, `role/*`, `*`. */
const logPattern = z
  .string()
  .regex(/^(\*|[a-z][a-z0-9_]{0,59}\/(\*|[a-z][a-z0-9_]{0,59}))$/, 'invalid_format')
  .max(121);

/** Checked by the server: JSON with a sentence per language, `{"zh-CN": "{{user.account}} …"}`. */
const template = text(4000).nullable();

const rule = {
  kept: z.boolean(),
  /** Null: as the setting `log_retention_days` says. */
  retention_days: z.number().int().min(1).max(3650).nullable(),
  template,
};

export const logConfig = z.object({
  id,
  type: z.string(),
  ...rule,
  template: z.string().nullable(),
  remark: z.string(),
  updated_by: id.nullable(),
  updated_by_account: z.string().nullable(),
  created_at: time,
  updated_at: time,
});
export type LogConfig = z.infer<typeof logConfig>;

export const logConfigGroup = group('log_config', {
  inquire: call({
    summary: 'Rules: what is logged, for how long, and in which words it is shown.',
    access: requireAny('log_config'),
    input: listInput(['id', 'type', 'updated_at'], { type: z.string().max(100).optional(), kept: z.boolean().optional() }),
    output: pageOf(logConfig),
  }),
  add: call({
    summary: 'Make a rule for a type, a group or all.',
    access: requireAny('log_config.add'),
    input: z.object({
      type: logPattern,
      kept: rule.kept.optional(),
      retention_days: rule.retention_days.optional(),
      template: rule.template.optional(),
      remark: line(200).optional(),
    }),
    output: logConfig,
    writes: true,
  }),
  update: call({
    summary: 'Change a rule.',
    access: requireAny('log_config.update'),
    input: z.object({
      id,
      kept: rule.kept.optional(),
      retention_days: rule.retention_days.optional(),
      template: rule.template.optional(),
      remark: line(200).optional(),
    }),
    output: logConfig,
    writes: true,
  }),
  remove: call({
    summary: 'Remove rules.',
    access: requireAny('log_config.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  convert: call({
    summary: 'Try a template on an entry: the newest of the type, or a given one.',
    access: requireAny('log_config'),
    input: z.object({ template: text(4000), type: z.string().max(100).optional(), log_id: id.optional() }),
    output: z.object({ sentence: z.string(), log_id: id.nullable() }),
  }),
});

/** A type as it was seen in the log, with the rule that holds for it. */
export const logType = z.object({
  type: z.string(),
  title: z.string(),
  number: count,
  last_at: time,
  kept: z.boolean(),
  always_kept: z.boolean(),
  retention_days: count,
  template: z.string().nullable(),
  /** The pattern of the rule that decides; null: the defaults. */
  rule: z.string().nullable(),
});
export type LogType = z.infer<typeof logType>;

export const logTypeGroup = group('log_type', {
  inquire: call({
    summary: 'The types seen in the log.',
    access: requireAny('log_type'),
    input: listInput(['type', 'number', 'last_at'], { search: z.string().max(100).optional() }),
    output: pageOf(logType),
  }),
  update: call({
    summary: 'Make or change the rule of exactly this type.',
    access: requireAny('log_type.update'),
    input: z.object({
      type: logPattern,
      kept: rule.kept.optional(),
      retention_days: rule.retention_days.optional(),
      template: rule.template.optional(),
    }),
    output: logType,
    writes: true,
  }),
});
