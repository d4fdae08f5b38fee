import { z } from 'zod';
import { type EventType, eventType } from '../events.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, id, ids, line, time, timestamps } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

/** Where a user can be told. Webhooks are told of every event by themselves (`webhook`), and are no channels. */
export const channelKinds = ['site', 'telegram', 'email', 'wecom', 'dingtalk', 'feishu'] as const;
export type ChannelKind = (typeof channelKinds)[number];
/** Robots of group chats, each addressed by a URL that holds its key. */
export const robotKinds = ['wecom', 'dingtalk', 'feishu'] as const satisfies readonly ChannelKind[];
export type RobotKind = (typeof robotKinds)[number];
/** Robots that can check a signature. */
export const signedKinds = ['dingtalk', 'feishu'] as const satisfies readonly RobotKind[];

/** That something stopped working, and that it works again. */
export const fallTypes = [
  'domain.blocked',
  'domain.suspected',
  'detector.failed',
  'detection.blind',
  'payments.stalled',
  'host.strained',
  'backup.failed',
  'backup.overdue',
  'backup.drill_failed',
  'backup.drill_overdue',
] as const satisfies readonly EventType[];
export const recoveryTypes = [
  'domain.unblocked',
  'detection.restored',
  'payments.resumed',
  'host.recovered',
] as const satisfies readonly EventType[];
/** What asks its reader to do something: only that is repeated until it was seen. */
export const urgentTypes: readonly EventType[] = [
  ...fallTypes,
  'domain.certificate_expiring',
  'domain.registration_expiring',
  'domain.pool_low',
  'code.exhausted',
  'code.target_expiring',
  'membership.ending',
  'membership.ended',
];

export const pushStates = ['waiting', 'delivered', 'failed', 'seen'] as const;
export type PushState = (typeof pushStates)[number];

export const maxChannels = 20;
export const maxRules = 20;
/** Characters of a receiver's answer that are kept. */
export const keptAnswerCharacters = 1000;

export const channel = z.object({
  id,
  kind: z.enum(channelKinds),
  name: z.string(),
  /** What its owner knows it by: an e-mail address, a chat, the beginning and the end of an address. */
  target: z.string(),
  telegram_chat_id: id.nullable(),
  has_secret: z.boolean(),
  /** Null: nothing is sent there yet, its owner has to confirm it. */
  confirmed_at: time.nullable(),
  enabled: z.boolean(),
  /** Switched off by itself, after a day in which nothing arrived. */
  stopped: z.literal('failing').nullable(),
  failing_since: time.nullable(),
  last_delivered_at: time.nullable(),
  /** How many rules send there. */
  rules: count,
  ...timestamps,
});
export type Channel = z.infer<typeof channel>;

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'invalid_format')
  .max(5);

const ruleFields = {
  name: line(60).optional(),
  events: z
    .array(eventType.exclude(['webhook.test']))
    .min(1, 'required')
    .max(50),
  /** None: the rule waits until it has one. */
  channel_ids: z.array(id).max(maxChannels),
  /** Null: all; else events about domains are told of these only. */
  domain_ids: z.array(id).min(1, 'required').max(500).nullable().optional(),
  live_code_ids: z.array(id).min(1, 'required').max(500).nullable().optional(),
  /** Minutes after which what asks for something is told again, until it was seen; null: once. */
  repeat_minutes: z.number().int().min(5).max(1440).nullable().optional(),
  /** In the site's time zone; both or neither. */
  quiet_from: clock.nullable().optional(),
  quiet_to: clock.nullable().optional(),
  enabled: z.boolean().optional(),
};

/** Of what a rule was told to look at, what is there still. */
const named = z.array(z.object({ id, name: z.string() }));
export const rule = z.object({
  id,
  ...z.object(ruleFields).required().shape,
  events: z.array(z.string()),
  domains: named,
  live_codes: named,
  ...timestamps,
});
export type Rule = z.infer<typeof rule>;

export const pushDelivery = z.object({
  id,
  push_id: id,
  owner_id: id,
  owner_account: z.string(),
  channel_id: id,
  channel_kind: z.enum(channelKinds),
  channel_name: z.string(),
  channel_target: z.string(),
  /** Null for a test, and where the rule is gone. */
  rule_id: id.nullable(),
  rule_name: z.string().nullable(),
  is_test: z.boolean(),
  /** Empty while further events may join it. */
  title: z.string(),
  content: z.string(),
  events: count,
  /** 2 and more: told again. */
  round: count,
  state: z.enum(pushStates),
  /** It waits for the end of the quiet hours. */
  held: z.boolean(),
  attempts: count,
  next_attempt_at: time.nullable(),
  tried_at: time.nullable(),
  answer: z.string().nullable(),
  /** What went wrong, in the caller's language. */
  error: z.string().nullable(),
  duration_ms: count.nullable(),
  /** When it is told again unless it is seen before. */
  repeat_at: time.nullable(),
  seen_at: time.nullable(),
  created_at: time,
});
export type PushDelivery = z.infer<typeof pushDelivery>;

const channelSecrets = {
  /** Of a robot, with its key; it begins as the site's settings say. */
  url: z.string().trim().max(1000).optional(),
  /** Of a robot that checks signatures. */
  secret: z.string().trim().max(200).optional(),
};

export const mailSecurities = ['tls', 'starttls', 'none'] as const;
export type MailSecurity = (typeof mailSecurities)[number];
const mailFields = {
  host: line(253).min(1, 'required'),
  port: z.number().int().min(1).max(65_535),
  /** `tls` from the first byte, `starttls` after the greeting, which then is demanded, or `none`. */
  security: z.enum(mailSecurities),
  /** Empty: the server asks for no login. */
  username: line(200),
  from_address: z.email('invalid_email').max(254),
  from_name: line(60),
};
/** Write only; missing: as it was. Empty: none. */
const password = z.string().max(500).optional();

const address = z.email('invalid_email').max(254);
const screen = 'shield_push';
const see = requireAny(screen);
const add = requireAny(`${screen}.add`);
const update = requireAny(`${screen}.update`);
const remove = requireAny(`${screen}.remove`);

export const shieldPush = group(screen, {
  inquire: call({
    summary: 'What was or will be told, a row for each channel and time it is told; the own, for administrators those of all users.',
    access: see,
    input: listInput(['id', 'next_attempt_at', 'tried_at'], {
      search: z.string().max(200).optional(),
      state: z.enum(pushStates).optional(),
      channel_kind: z.enum(channelKinds).optional(),
      channel_id: id.optional(),
      rule_id: id.optional(),
      owner_id: id.optional(),
    }),
    output: pageOf(pushDelivery),
  }),
  resend: call({
    summary: 'Send again, beginning with the first attempt.',
    access: requireAny(`${screen}.resend`),
    input: z.object({ ids }),
    output: done,
    writes: true,
    limit: { max: 60, seconds: 60 },
  }),
  seen: call({
    summary: 'Mark own pushes as seen, by their ids or by those of their site messages: they are told no more. Without ids all of them.',
    access: see,
    input: z.object({ push_ids: ids.optional(), message_ids: ids.optional() }),
    output: done,
  }),
  channels: call({
    summary: "The caller's channels.",
    access: see,
    input: listInput(['id'], {}),
    output: pageOf(channel),
  }),
  choices: call({
    summary: 'What a new channel can be: which addresses robots have, whether mails can be sent, which chats are bound.',
    access: see,
    input: z.object({}),
    output: z.object({
      /** What the address of a robot begins with. */
      robots: z.object({ wecom: z.string(), dingtalk: z.string(), feishu: z.string() }),
      has_mail_server: z.boolean(),
      has_site_channel: z.boolean(),
      chats: z.array(z.object({ id, title: z.string() })),
      /** Whether the caller may set the mail server. */
      may_set_mail_server: z.boolean(),
    }),
  }),
  add_channel: call({
    summary: 'Add a channel. An e-mail address gets nothing until it is confirmed, by `send_code` and `confirm`.',
    access: add,
    input: z.object({
      kind: z.enum(channelKinds),
      name: line(60).optional(),
      address: address.optional(),
      telegram_chat_id: id.optional(),
      ...channelSecrets,
    }),
    output: channel,
    writes: true,
    secrets: ['url', 'secret'],
  }),
  update_channel: call({
    summary: 'Change a channel, pause it or go on. Fields that are missing or empty stay as they are.',
    access: update,
    input: z.object({ id, name: line(60).optional(), enabled: z.boolean().optional(), ...channelSecrets }),
    output: channel,
    writes: true,
    secrets: ['url', 'secret'],
  }),
  remove_channel: call({
    summary: 'Remove channels with what was sent there.',
    access: remove,
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  send_code: call({
    summary: 'Mail the code that confirms a channel to its address. A former code confirms nothing more.',
    access: update,
    input: z.object({ id }),
    output: z.object({ error: z.string().nullable() }),
    limit: { max: 30, seconds: 600 },
  }),
  confirm: call({
    summary: 'Confirm the address of a channel by the code that was mailed there.',
    access: update,
    input: z.object({ id, code: z.string().trim().min(1, 'required').max(20) }),
    output: done,
    secrets: ['code'],
    limit: { max: 30, seconds: 600 },
  }),
  test: call({
    summary: 'Send a test to a channel at once and answer what became of it.',
    access: requireAny(`${screen}.test`),
    input: z.object({ id }),
    output: pushDelivery,
    limit: { max: 20, seconds: 60 },
  }),
  rules: call({
    summary: "The caller's rules.",
    access: see,
    input: listInput(['id'], {}),
    output: pageOf(rule),
  }),
  add_rule: call({ summary: 'Add a rule.', access: add, input: z.object(ruleFields), output: rule, writes: true }),
  update_rule: call({
    summary: 'Change a rule.',
    access: update,
    input: z.object({ id, ...z.object(ruleFields).partial().shape }),
    output: rule,
    writes: true,
  }),
  remove_rule: call({ summary: 'Remove rules.', access: remove, input: z.object({ ids }), output: done, writes: true }),
  mail_server: call({
    summary: 'By which server mails are sent; null: by none. For super administrators.',
    access: requireAny('configuration'),
    input: z.object({}),
    output: z.object({ server: z.object({ ...mailFields, has_password: z.boolean(), updated_at: time }).nullable() }),
  }),
  update_mail_server: call({
    summary: 'Set by which server mails are sent. For super administrators.',
    access: requireAny('configuration.update'),
    input: z.object({ ...mailFields, password }),
    output: done,
    writes: true,
    secrets: ['password'],
  }),
  remove_mail_server: call({
    summary: 'Send no mails any more. For super administrators.',
    access: requireAny('configuration.update'),
    input: z.object({}),
    output: done,
    writes: true,
  }),
  test_mail_server: call({
    summary: 'Send a mail by a server, saved or not, and answer what it said. For super administrators.',
    access: requireAny('configuration.update'),
    input: z.object({ ...mailFields, password, to: address }),
    output: z.object({ error: z.string().nullable(), answer: z.string(), duration_ms: count }),
    secrets: ['password'],
    limit: { max: 20, seconds: 60 },
  }),
});
