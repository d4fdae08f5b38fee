import { z } from 'zod';
import { languages } from './enums.ts';
import { color, text } from './kit/fields.ts';
import { amount, payoutWays } from './money/ledger.ts';
import { expiredCodes, isTimeZone, visitSettingDefaults } from './settings.visits.ts';

/** The settings screen shows one section for each, in this order. */
export const settingGroups = [
  'site',
  'visits',
  'detection',
  'registration',
  'withdrawals',
  'monitoring',
  'security',
  'uploads',
  'mall',
  'records',
  'pushes',
  'bots',
] as const;
export type SettingGroup = (typeof settingGroups)[number];

/** Who may see and change a setting. What is `public` the website info shows to anybody. */
export type SettingAudience = 'public' | 'administrator' | 'super';

type Setting = { group: SettingGroup; audience: SettingAudience; schema: z.ZodType; default: unknown };

const webAddress = z.url({ protocol: /^https?$/, error: 'invalid_url' }).max(300);

/** A proxy, or none; it may be on this machine. */
const proxy = z
  .string()
  .trim()
  .regex(/^(https?:\/\/[^\s/?#@]{1,253})?$/, 'invalid_url')
  .max(261);

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
  /** The seller on invoices, in lines: name, address, tax number. Empty: the site's title. */
  invoice_issuer: { group: 'site', audience: 'administrator', schema: text(500), default: '' },
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
  /** Wide screens show the opened pages as tabs below the top bar. */
  route_tabs: { group: 'site', audience: 'public', schema: z.boolean(), default: false },
  /** Seconds between the looks of an open page whether the server answers. */
  ping_seconds: { group: 'site', audience: 'public', schema: z.number().int().min(2).max(600), default: 10 },

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
  /** Whether codes stop once a membership and its grace are over. Codes that are on paper by then do not come back. */
  expired_codes: { group: 'visits', audience: 'administrator', schema: z.enum(expiredCodes), default: visitSettingDefaults.expired_codes },
  /** Days after the end of a membership during which codes that stop then still answer, and its figures are kept. */
  membership_grace_days: {
    group: 'visits',
    audience: 'administrator',
    schema: z.number().int().min(0).max(365),
    default: visitSettingDefaults.membership_grace_days,
  },
  /** Whether visitors' pages have a link by which a code can be reported. */
  report_link: { group: 'visits', audience: 'administrator', schema: z.boolean(), default: visitSettingDefaults.report_link },
  /** Hours before the expiry of a target at which its owner is reminded; 0 reminds nobody. */
  target_reminder_hours: { group: 'visits', audience: 'administrator', schema: z.number().int().min(0).max(720), default: 24 },
  /** Days that the rows of visits and their addresses are kept; counts by hour stay. */
  visit_retention_days: { group: 'visits', audience: 'administrator', schema: z.number().int().min(1).max(3650), default: 180 },
  /** Days after which the data by which places of addresses are looked up counts as old; 0: never. */
  ip_data_warning_days: { group: 'visits', audience: 'administrator', schema: z.number().int().min(0).max(3650), default: 180 },
  /** Where the visit path is reached: addresses, or a name that domains may name as CNAME. Empty: what this machine's own network says. */
  visit_addresses: { group: 'visits', audience: 'administrator', schema: z.array(visitAddress).max(20), default: [] },
  /** Name servers that domains are checked with; empty: those of the system. */
  dns_servers: { group: 'visits', audience: 'super', schema: z.array(dnsServer).max(4), default: [] },
  /** Asked once a day until when a name is registered, which takes the place of `{domain}`. Empty: no registry is asked. */
  rdap_url: {
    group: 'visits',
    audience: 'super',
    schema: z
      .string()
      .trim()
      .max(300)
      .refine((text) => text === '' || (text.includes('{domain}') && webAddress.safeParse(text.replaceAll('{domain}', 'x')).success), {
        error: 'invalid_url',
      }),
    default: 'https://rdap.org/domain/{domain}',
  },
  /** Minutes after which DNS and certificate of a domain are looked at again. */
  domain_check_minutes: { group: 'visits', audience: 'administrator', schema: z.number().int().min(5).max(10_080), default: 360 },

  /** The messenger's own redirect gateway, which detectors of the kind `gateway` ask unless they name another. */
  messenger_gateway: { group: 'detection', audience: 'super', schema: webAddress, default: 'https://mp.weixinbridge.com/mp/wapredirect' },
  /** What the address of a page has in it to which a messenger leads instead of a blocked one. */
  block_page_patterns: {
    group: 'detection',
    audience: 'super',
    schema: z.array(z.string().trim().min(3).max(200)).max(20),
    default: ['weixin110.qq.com', '/mmspamsupport-bin/'],
  },
  /** Whether messengers are asked about a printed link beside the root of its domain, and the other way round: twice as many requests. */
  check_links: { group: 'detection', audience: 'administrator', schema: z.boolean(), default: true },
  /** So many detectors must agree before a domain counts as blocked, and before it counts as normal again. */
  confirmations: { group: 'detection', audience: 'administrator', schema: z.number().int().min(1).max(10), default: 2 },
  /** Where there are fewer detectors than that: seconds between answers of one that count as several. */
  confirmation_seconds: { group: 'detection', audience: 'administrator', schema: z.number().int().min(1).max(3600), default: 60 },
  /** Between two checks of a domain for which nothing else was said. */
  monitor_seconds: { group: 'detection', audience: 'administrator', schema: z.number().int().min(30).max(86_400), default: 300 },
  /** The least that customers and agents may set. */
  monitor_minimum_seconds: { group: 'detection', audience: 'administrator', schema: z.number().int().min(30).max(86_400), default: 60 },
  /** Addresses that are none of our domains which a customer or agent may watch; 0 is no limit. */
  monitor_quota: { group: 'detection', audience: 'administrator', schema: z.number().int().min(0).max(1_000_000), default: 0 },
  /** Requests of detectors under way at once, of each worker. */
  detection_concurrency: { group: 'detection', audience: 'super', schema: z.number().int().min(1).max(1000), default: 200 },
  /** Asked when checks fail widely: where none of them answers either, our own way out is down. Empty: it never counts as down. */
  control_addresses: {
    group: 'detection',
    audience: 'super',
    schema: z.array(webAddress).max(10),
    default: ['https://www.qq.com/', 'https://www.baidu.com/', 'https://www.aliyun.com/'],
  },

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
  /** Live codes that a user may have who has bought no combo; 0 is no limit. */
  code_quota: { group: 'registration', audience: 'administrator', schema: z.number().int().min(0).max(100_000_000), default: 0 },
  /** The same of short codes. */
  short_code_quota: { group: 'registration', audience: 'administrator', schema: z.number().int().min(0).max(100_000_000), default: 0 },
  /** Domains that a user may hold of whom nothing else was said; 0 is no limit. */
  domain_quota: { group: 'registration', audience: 'administrator', schema: z.number().int().min(0).max(1_000_000), default: 0 },

  /** USDT that a withdrawal must be at least. */
  withdrawal_minimum: { group: 'withdrawals', audience: 'administrator', schema: amount, default: '10' },
  /** USDT that the site keeps of each withdrawal, and per cent of its amount besides. */
  withdrawal_fee: { group: 'withdrawals', audience: 'administrator', schema: amount, default: '1' },
  withdrawal_fee_percent: {
    group: 'withdrawals',
    audience: 'administrator',
    schema: z.number().min(0).max(50).multipleOf(0.01),
    default: 0,
  },
  /** USDT that may be approved in a day, of all users together; 0 is no limit. */
  withdrawal_daily_cap: { group: 'withdrawals', audience: 'super', schema: amount, default: '0' },
  /** Hours after a user's first withdrawal to an address before one to it can be approved; 0: at once. */
  withdrawal_cool_off_hours: { group: 'withdrawals', audience: 'super', schema: z.number().int().min(0).max(720), default: 24 },
  /** Days after its order was paid before an agent can dispose of a share; 0: at once. */
  share_hold_days: { group: 'withdrawals', audience: 'administrator', schema: z.number().int().min(0).max(90), default: 7 },
  /** Who pays what was approved: an administrator, who names the transaction, or the server from its own wallet. */
  withdrawal_payout: { group: 'withdrawals', audience: 'super', schema: z.enum(payoutWays), default: 'hash' },

  /** A host is strained where its 99th percentile of visits takes longer for five minutes. */
  alarm_visit_milliseconds: {
    group: 'monitoring',
    audience: 'administrator',
    schema: z.number().int().min(5).max(10_000),
    default: 200,
  },
  /** Visits that are answered and not loaded for five minutes. */
  alarm_unloaded_visits: {
    group: 'monitoring',
    audience: 'administrator',
    schema: z.number().int().min(100).max(1_000_000_000),
    default: 100_000,
  },
  /** Of one process. */
  alarm_memory_megabytes: {
    group: 'monitoring',
    audience: 'administrator',
    schema: z.number().int().min(100).max(1_000_000),
    default: 1024,
  },
  /** Told each minute that we live, and how: `{status}` in it becomes `up` or `down`, `{message}` what is wrong. Empty: nobody is told. */
  heartbeat_url: {
    group: 'monitoring',
    audience: 'super',
    schema: z
      .string()
      .trim()
      .max(300)
      .refine((text) => text === '' || z.url({ protocol: /^https?$/ }).safeParse(text.replace(/\{(status|message)\}/g, 'x')).success, {
        error: 'invalid_url',
      }),
    default: '',
  },
  alarm_disk_percent: { group: 'monitoring', audience: 'administrator', schema: z.number().int().min(10).max(100), default: 90 },

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

  /** Whether everybody may read the mall's catalogue; else API tokens with the list of products. */
  mall_open: { group: 'mall', audience: 'administrator', schema: z.boolean(), default: false },
  /** What the mall's prices are in. */
  mall_currency: {
    group: 'mall',
    audience: 'administrator',
    schema: z
      .string()
      .trim()
      .regex(/^[A-Z]{3,5}$/, 'invalid_currency')
      .max(5),
    default: 'USDT',
  },

  /** Days that log rows are kept for which no rule says otherwise. */
  log_retention_days: { group: 'records', audience: 'administrator', schema: z.number().int().min(1).max(3650), default: 365 },
  /** Hours that the file of an export can be downloaded. */
  export_hours: { group: 'records', audience: 'administrator', schema: z.number().int().min(1).max(720), default: 72 },

  /** Where this back office is reached, for links in what is sent out; empty: nothing has links. */
  site_url: { group: 'pushes', audience: 'super', schema: webAddress.or(z.literal('')), default: '' },
  /** What addresses of group robots begin with. */
  /** Proxies of the site's own, by which what this network does not let out is sent. */
  mail_proxy: { group: 'pushes', audience: 'super', schema: proxy, default: '' },
  wecom_robot_proxy: { group: 'pushes', audience: 'super', schema: proxy, default: '' },
  dingtalk_robot_proxy: { group: 'pushes', audience: 'super', schema: proxy, default: '' },
  feishu_robot_proxy: { group: 'pushes', audience: 'super', schema: proxy, default: '' },
  wecom_robot_url: { group: 'pushes', audience: 'super', schema: webAddress, default: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send' },
  dingtalk_robot_url: { group: 'pushes', audience: 'super', schema: webAddress, default: 'https://oapi.dingtalk.com/robot/send' },
  feishu_robot_url: { group: 'pushes', audience: 'super', schema: webAddress, default: 'https://open.feishu.cn/open-apis/bot/v2/hook' },
  /** Where the Bot API is asked: tokens of bots go there. */
  telegram_api: { group: 'bots', audience: 'super', schema: webAddress, default: 'https://api.telegram.org' },
  telegram_proxy: { group: 'bots', audience: 'super', schema: proxy, default: '' },
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
