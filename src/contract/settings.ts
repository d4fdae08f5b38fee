import { z } from 'zod';
import { languages } from './enums.ts';
import { color } from './kit/fields.ts';

/**
 * Every setting of a site: what it may be and what it is until somebody changes it. A process reads the rows of the `setting` table
 * over these defaults, so that a new setting needs no migration.
 */
export const settings = {
  admin_title: { schema: z.string().min(1).max(60), default: '活码系统' },
  admin_logo: { schema: z.string().max(300), default: '/logo.png' },
  color: { schema: color, default: '#1f6feb' },
  /** IANA name; a "day" in every statistic is a day of this zone. */
  time_zone: { schema: z.string().max(60), default: 'Asia/Shanghai' },
  default_language: { schema: z.enum(languages), default: 'zh-CN' },
  admin_register: { schema: z.boolean(), default: true },
  maintenance: { schema: z.boolean(), default: false },
  /** Scheme of the addresses in QR images; https once a proxy or certificate stands before the visit path. */
  visit_scheme: { schema: z.enum(['http', 'https']), default: 'http' },
  /** Schemes besides http and https that a target may have, such as weixin. */
  jump_schemes: {
    schema: z.array(z.string().regex(/^[a-z][a-z0-9+.-]{1,30}$/)).max(50),
    default: ['weixin', 'alipays', 'tel', 'mailto', 'sms'],
  },
  /** Days after the end of a membership during which its codes still answer. */
  membership_grace_days: { schema: z.number().int().min(0).max(365), default: 0 },
  /** Days that the rows of visits and their addresses are kept; counts by hour stay. */
  visit_retention_days: { schema: z.number().int().min(1).max(3650), default: 180 },
  upload_limit_bytes: { schema: z.number().int().min(10_000).max(50_000_000), default: 5_000_000 },
  login_failure_limit: { schema: z.number().int().min(1).max(1000), default: 5 },
  login_failure_minutes: { schema: z.number().int().min(1).max(1440), default: 15 },
} as const;
export type SettingKey = keyof typeof settings;
export type Settings = { -readonly [K in SettingKey]: z.infer<(typeof settings)[K]['schema']> };

/** The settings as the stored rows make them; a stored value that no longer fits counts as not set. */
export function settingsOf(rows: readonly { key: string; value: unknown }[]): Settings {
  const stored = new Map(rows.map((row) => [row.key, row.value]));
  const entries = Object.entries(settings).map(([key, { schema, default: fallback }]) => {
    const parsed = schema.safeParse(stored.get(key));
    return [key, parsed.success ? parsed.data : fallback];
  });
  return Object.fromEntries(entries) as Settings;
}
