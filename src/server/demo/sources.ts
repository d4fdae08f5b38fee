// not messages: names and addresses of the demo
import { sql } from 'drizzle-orm';
import type { Database } from '../kit/postgres/database.ts';

const daysAgo = (now: Date, days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();

const rules = [
  { path: '/menu-2024', url: 'https://example.com/menu', status: 301, remark: '旧菜单搬家', hits: 1284, days: 0.1 },
  { path: '/docs/*', url: 'https://help.example.com/{rest}', status: 302, remark: '帮助中心', hits: 367, days: 0.4 },
  { path: '/618', url: 'https://example.com/sale', status: 302, remark: '活动页', hits: 0, days: null },
] as const;

const sources = [
  { kind: 'referer', host: 'coupon-hub.example', ip: '203.0.113.24', visits: 86, first: 6, last: 0.02 },
  { kind: 'referer', host: 'coupon-hub.example', ip: '198.51.100.77', visits: 31, first: 4, last: 0.3 },
  { kind: 'referer', host: 'm.bbs-share.example', ip: '203.0.113.190', visits: 12, first: 2, last: 0.5 },
  { kind: 'forged', host: '', ip: '198.51.100.9', visits: 45, first: 1, last: 0.1 },
  { kind: 'replayed', host: '', ip: '203.0.113.61', visits: 2, first: 0.2, last: 0.19 },
] as const;

/** A few forwarding rules, and visits that came from where they were not meant to. */
export async function seedDemoSources(db: Database, owner_id: number, now: Date): Promise<void> {
  for (const [index, { hits, days, ...rule }] of rules.entries()) {
    await db.execute(sql`
      WITH made AS (
        INSERT INTO forward (owner_id, domain_id, path, url, status, remark, sort)
        SELECT ${owner_id}, id, ${rule.path}, ${rule.url}, ${rule.status}, ${rule.remark}, ${rules.length - index} FROM domain WHERE host = 'scan.example.com' RETURNING id
      )
      INSERT INTO forward_total (forward_id, hits, last_at) SELECT id, ${hits}, ${daysAgo(now, days ?? 0)} FROM made WHERE ${days !== null}`);
  }
  for (const { kind, host, ip, visits, first, last } of sources) {
    await db.execute(sql`
      INSERT INTO visit_source (kind, owner_id, host, live_code_id, ip, visits, first_at, last_at)
      SELECT ${kind}, ${owner_id}, ${host}, min(id), ${ip}::inet, ${visits}, ${daysAgo(now, first)}, ${daysAgo(now, last)} FROM live_code WHERE owner_id = ${owner_id}`);
  }
  await db.execute(sql`
    INSERT INTO visit_source (kind, host, ip, visits, first_at, last_at)
    VALUES ('unknown_host', 'old-brand.example', '203.0.113.133', 210, ${daysAgo(now, 20)}, ${daysAgo(now, 0.05)})`);
}
