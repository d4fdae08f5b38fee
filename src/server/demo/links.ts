import { eq } from 'drizzle-orm';
import type { PlatformConfig } from '../../contract/links/platform-config.ts';
import { domain } from '../domains/domains.table.ts';
import type { Database } from '../kit/postgres/database.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { short_code, url_key_platform } from '../short-codes/short-codes.table.ts';
import type { DemoCode } from './codes.ts';

type Owner = DemoCode['owner'];

const platforms: readonly { name: string; config: PlatformConfig; remark: string; enabled?: boolean; sort: number }[] = [
  { name: '自营短域名', config: { type: 3, domain_id: null, length: 6 }, remark: '默认方式', sort: 30 },
  { name: '自营防封', config: { type: 11, domain_id: null, length: 6 }, remark: '每次访问选健康的入口域名', sort: 20 },
  {
    name: '打开说明页',
    config: {
      type: 15,
      domain_id: null,
      title: '请在浏览器中打开',
      text: '点右上角的菜单，选择“在浏览器打开”。\n打不开请联系店长。',
      picture_id: null,
    },
    remark: '微信内打不开时使用',
    sort: 10,
  },
  {
    name: 'Bitly',
    config: {
      type: 4,
      method: 'POST',
      url: 'https://api-ssl.bitly.com/v4/shorten',
      headers: [{ name: 'Authorization', value: 'Bearer {key}' }],
      body_kind: 'json',
      body: '{"long_url":"{url}"}',
      read: { kind: 'json', path: '$.link' },
    },
    remark: '填好密钥后启用',
    enabled: false,
    sort: 0,
  },
];

type Link = {
  owner: Owner;
  short: string;
  code?: string;
  url?: string;
  platform?: string;
  remark?: string;
  days: number;
  expiresInDays?: number;
  display?: 2;
};
const links: readonly Link[] = [
  { owner: 'zhangwei', short: 'chun', code: 'tea-spring', remark: '朋友圈文案', days: 60 },
  { owner: 'zhangwei', short: 'chayou', code: 'tea-group', platform: '自营短域名', remark: '群二维码', days: 45 },
  { owner: 'zhangwei', short: 'k7w3mp', url: 'https://example.com/tea/shop', remark: '商城首页', days: 12 },
  { owner: 'zhangwei', short: 'd9r2xa', url: 'https://example.com/tea/mid-autumn', remark: '中秋活动', days: 55, expiresInDays: -20 },
  { owner: 'lina', short: 'zhaosheng', code: 'edu-open', platform: '打开说明页', remark: '招生海报', days: 30 },
  { owner: 'chenjie', short: 'menu', code: 'cafe-menu', remark: '桌贴', days: 20 },
  { owner: 'chenjie', short: 'h4t8qn', url: 'https://example.com/cafe/old-menu', remark: '旧菜单', days: 80, display: 2 },
];

/** Short links of the demo's users on this short domain, and the platforms that made them. */
export async function seedDemoLinks(
  db: Database,
  userIds: ReadonlyMap<Owner, number>,
  { host, now }: { host: string; now: Date },
): Promise<void> {
  const at = (days: number): string => new Date(now.getTime() + days * 86_400_000).toISOString();
  const [place] = await db.select({ id: domain.id }).from(domain).where(eq(domain.host, host));
  if (!place) throw new Error('the demo has no short domain');
  const platformIds = new Map<string, number>();
  for (const { config, ...platform } of platforms) {
    const [made] = await db
      .insert(url_key_platform)
      .values({ ...platform, config, type: config.type, used: links.filter((link) => link.platform === platform.name).length })
      .returning({ id: url_key_platform.id });
    if (made) platformIds.set(platform.name, made.id);
  }
  for (const { owner, short, code, url = null, platform, remark = '', days, expiresInDays, display } of links) {
    const [found] = code ? await db.select({ id: live_code.id }).from(live_code).where(eq(live_code.file_name, code)) : [];
    const shown = platforms.find(({ name }) => name === platform)?.config;
    await db.insert(short_code).values({
      owner_id: userIds.get(owner) ?? 0,
      domain_id: place.id,
      short,
      platform_id: platform ? (platformIds.get(platform) ?? null) : null,
      live_code_id: found?.id ?? null,
      url,
      domain_choice: shown?.type === 11 ? 'healthy_pool' : null,
      page: shown?.type === 15 ? { title: shown.title, text: shown.text ?? '', picture_file: null } : null,
      remark,
      expires_at: expiresInDays === undefined ? null : at(expiresInDays),
      created_at: at(-days),
      ...(display ? { display } : {}),
    });
  }
}
