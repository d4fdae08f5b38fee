import { z } from 'zod';
import { call, group, holders } from '../kit/call.ts';
import { id, time } from '../kit/fields.ts';
import { freeForm } from '../kit/json.ts';
import { settingGroups, settingKeys, settings, settingTypes } from '../settings.ts';

export const settingRow = z.object({
  key: z.enum(settingKeys),
  group: z.enum(settingGroups),
  audience: z.enum(['public', 'administrator', 'super']),
  type: z.enum(settingTypes),
  /** The limits of the value, as JSON schema. */
  schema: z.record(z.string(), z.json()),
  value: z.json(),
  default: z.json(),
  /** Null while nobody has changed it. */
  updated_at: time.nullable(),
  updated_by: id.nullable(),
  updated_by_account: z.string().nullable(),
});
export type SettingRow = z.infer<typeof settingRow>;

const rows = z.object({ content: z.array(settingRow) });

export const configuration = group('configuration', {
  inquire: call({
    summary: 'All settings that the caller may see, with value, default and who changed them.',
    access: holders('configuration'),
    input: z.object({}),
    output: rows,
  }),
  update: call({
    summary: 'Change settings: all of `values`, or none where one of them does not fit.',
    access: holders('configuration.update'),
    input: z.object({ values: freeForm(50_000) }),
    output: rows,
    writes: true,
  }),
  reset: call({
    summary: 'Put settings back to their defaults.',
    access: holders('configuration.update'),
    input: z.object({ keys: z.array(z.enum(settingKeys)).min(1).max(settingKeys.length) }),
    output: rows,
    writes: true,
  }),
});

const defaults = z.object({
  default_share_ratio: settings.default_share_ratio.schema,
  online_detection: settings.online_detection.schema,
  login_failure_limit: settings.login_failure_limit.schema,
  login_failure_minutes: settings.login_failure_minutes.schema,
  admin_register: settings.admin_register.schema,
  no_registration_hint: settings.no_registration_hint.schema,
});

/** The settings that concern users, on a screen of their own: a view, the values are those of `configuration`. */
export const subscriberConfigDefault = group('subscriber_config_default', {
  inquire: call({
    summary: 'What new users get, and how they may log in and register.',
    access: holders('subscriber_config_default'),
    input: z.object({}),
    output: defaults,
  }),
  update: call({
    summary: 'Change what is given of it.',
    access: holders('subscriber_config_default.update'),
    input: defaults.partial(),
    output: defaults,
    writes: true,
  }),
});
