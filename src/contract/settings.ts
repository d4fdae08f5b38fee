import { z } from 'zod';
import { languages } from './enums.ts';
import { color, text } from './kit/fields.ts';
import { isTimeZone, visitSettingDefaults } from './settings.visits.ts';

/** The settings screen shows one section for each, in this order. */
export const settingGroups = ['site', 'visits', 'registration', 'security', 'uploads', 'records'] as const;
export type SettingGroup = (typeof settingGroups)[number];

/** Who may see and change a setting. What is `public` the website info shows to anybody. */
export type SettingAudience = 'public' | 'administrator' | 'super';

type Setting = { group: SettingGroup; audience: SettingAudience; schema: z.ZodType; default: unknown };

const webAddress = z.url({ protocol: /^https?$/, error: 'invalid_url' }).max(300);

/** An address that a browser puts into `Origin`: scheme and host, no path. */
const origin = z
  .string()
  .regex(/^https?:\/\/[^\s/?#@]{1,253}$/, 'invalid_url')
  .max(261);

const hostName = z.string().regex(/^(?=.*[a-z])([a-z0-9_]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/);

/** An address or a name at which the visit path is reached. */
const visitAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .refine((text) => [z.ipv4(), z.ipv6(), hostName].some((kind) => kind.safeParse(text).success), 'invalid_address');

/** An address with an optional port, as the resolver takes it. */
const dnsServer = z
  .string()
  .trim()
  .max(60)
  .refine((text) => {
    const [, inBrackets, v4, port = '53'] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
    const isAddress = inBrackets === undefined ? z.ipv4().safeParse(v4).success : z.ipv6().safeParse(inBrackets).success;
    return isAddress && Number(port) > 0 && Number(port) < 65_536;
  }, 'invalid_address');

/**
 * Every setting of a site: what it may be and what it is until an administrator changes it. A process reads the rows of the `setting` table
 * over these defaults, so that a new setting needs no migration. Its name and help stand under `settings.{key}` of the messages.
 */
export const settings = {
  admin_title: { group: 'site', audience: 'public', schema: z.string().trim().min(1).max(60), default: visitSettingDefaults.admin_title },
  admin_logo: { group: 'site', audience: 'public', schema: z.string().trim().max(300), default: '/logo.png' },
  color: { group: 'site', audience: 'public', schema: color, default: visitSettingDefaults.color },
  /** IANA name; a "day" in every statistic is a day of this zone. */
  time_zone: {
    group: 'site',
    audience: 'public',
    schema: z.string().max(60).refine(isTimeZone, 'invalid_time_zone'),
    default: visitSettingDefaults.time_zone,
  },
  default_language: { group: 'site', audience: 'public', schema: z.enum(languages), default: visitSettingDefaults.default_language },
  maintenance: { group: 'site', audience: 'public', schema: z.boolean(), default: false },
  /** Whether lists of users tell who is logged in at the moment. */
  online_detection: { group: 'site', audience: 'administrator', schema: z.boolean(), default: true },
  /** Where browsers reach the real-time socket; empty: `/api/socket` of the page's own host. */
  socket_url: {
    group: 'site',
    audience: 'public',
    schema: z
      .string()
      .max(300)
      .regex(/^(wss?:\/\/[^\s#]+)?$/, 'invalid_url'),
    default: '',
  },

  /** Scheme of the addresses in QR images; https once a proxy or certificate stands before the visit path. */
  visit_scheme: { group: 'visits', audience: 'public', schema: z.enum(['http', 'https']), default: visitSettingDefaults.visit_scheme },
  /** Schemes besides http and https that a target may have, such as weixin. */
  jump_schemes: {
    group: 'visits',
    audience: 'super',
    schema: z
      .array(
        z
          .string()
          .regex(/^[a-z][a-z0-9+.-]{1,30}$/)
          .max(31),
      )
      .max(50),
    default: visitSettingDefaults.jump_schemes,
  },
  /** Days after the end of a membership during which its codes still answer. */
  membership_grace_days: {
    group: 'visits',
    audience: 'administrator',
    schema: z.number().int().min(0).max(365),
    default: visitSettingDefaults.membership_grace_days,
  },
  /** Hours before the expiry of a target at which its owner is reminded; 0 reminds nobody. */
  target_reminder_hours: { group: 'visits', audience: 'administrator', schema: z.number().int().min(0).max(720), default: 24 },
  /** Days that the rows of visits and their addresses are kept; counts by hour stay. */
  visit_retention_days: { group: 'visits', audience: 'administrator', schema: z.number().int().min(1).max(3650), default: 180 },
  /** Where the visit path is reached: addresses, or a name that domains may name as CNAME. Empty: what this machine's own network says. */
  visit_addresses: { group: 'visits', audience: 'administrator', schema: z.array(visitAddress).max(20), default: [] },
  /** Name servers that domains are checked with; empty: those of the system. */
  dns_servers: { group: 'visits', audience: 'super', schema: z.array(dnsServer).max(4), default: [] },
  /** Minutes after which DNS and certificate of a domain are looked at again. */
  domain_check_minutes: { group: 'visits', audience: 'administrator', schema: z.number().int().min(5).max(10_080), default: 360 },

  admin_register: { group: 'registration', audience: 'public', schema: z.boolean(), default: true },
  /** Where links to the registration lead; empty: this site's own screen. */
  admin_register_url: { group: 'registration', audience: 'public', schema: webAddress.or(z.literal('')), default: '' },
  /** What the registration page says while registration is off; empty: a text of ours. */
  no_registration_hint: { group: 'registration', audience: 'public', schema: text(500), default: '' },
  /** Off: an invitation code that came with the address cannot be changed on the registration screen. */
  allow_invitation_code_edit: { group: 'registration', audience: 'public', schema: z.boolean(), default: true },
  /** Percent of an order that a new user, should he become an agent, gets of his customers' orders. */
  default_share_ratio: {
    group: 'registration',
    audience: 'administrator',
    schema: z.number().min(0).max(100).multipleOf(0.01),
    default: 10,
  },
  /** Domains that a user may hold of whom nothing else was said; 0 is no limit. */
  domain_quota: { group: 'registration', audience: 'administrator', schema: z.number().int().min(0).max(1_000_000), default: 0 },

  /** On: an administrator without a second factor can do nothing but set one up. */
  google_verification: { group: 'security', audience: 'public', schema: z.boolean(), default: false },
  login_failure_limit: { group: 'security', audience: 'administrator', schema: z.number().int().min(1).max(1000), default: 5 },
  login_failure_minutes: { group: 'security', audience: 'administrator', schema: z.number().int().min(1).max(1440), default: 15 },
  /** Origins besides the site's own host whose pages may open the real-time socket. */
  socket_origins: { group: 'security', audience: 'super', schema: z.array(origin).max(20), default: [] },

  upload_limit_bytes: {
    group: 'uploads',
    audience: 'administrator',
    schema: z.number().int().min(10_000).max(50_000_000),
    default: 5_000_000,
  },

  /** Days that log rows are kept for which no rule says otherwise. */
  log_retention_days: { group: 'records', audience: 'administrator', schema: z.number().int().min(1).max(3650), default: 365 },
  /** Hours that the file of an export can be downloaded. */
  export_hours: { group: 'records', audience: 'administrator', schema: z.number().int().min(1).max(720), default: 72 },
} as const satisfies Record<string, Setting>;
export type SettingKey = keyof typeof settings;
export type Settings = { -readonly [K in SettingKey]: z.infer<(typeof settings)[K]['schema']> };

export const settingKeys = Object.keys(settings) as [SettingKey, ...SettingKey[]];

/** How a form asks for a value. */
export const settingTypes = ['text', 'number', 'boolean', 'choice', 'list'] as const;
export type SettingType = (typeof settingTypes)[number];

/** The limits of a setting as JSON schema, and what kind of field it needs. */
export function settingShape(key: SettingKey): { type: SettingType; schema: Record<string, unknown> } {
  const { $schema: _version, ...schema } = z.toJSONSchema(settings[key].schema, { unrepresentable: 'any', io: 'input' });
  if (schema.type === 'boolean') return { type: 'boolean', schema };
  if (schema.type === 'number' || schema.type === 'integer') return { type: 'number', schema };
  if (schema.type === 'array') return { type: 'list', schema };
  return { type: schema.enum ? 'choice' : 'text', schema };
}

/** The settings as the stored rows make them; a stored value that no longer fits counts as not set. */
export function settingsOf(rows: readonly { key: string; value: unknown }[]): Settings {
  const stored = new Map(rows.map((row) => [row.key, row.value]));
  const entries = Object.entries(settings).map(([key, { schema, default: fallback }]) => {
    const parsed = schema.safeParse(stored.get(key));
    return [key, parsed.success ? parsed.data : fallback];
  });
  return Object.fromEntries(entries) as Settings;
}
