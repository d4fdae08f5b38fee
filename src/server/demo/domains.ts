import { eq, sql } from 'drizzle-orm';
import type { CertificateFound, RecordsFound } from '../../contract/domains/domain-check.ts';
import { domain, domain_check, domain_registration } from '../domains/domains.table.ts';
import type { Database } from '../kit/postgres/database.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { setting } from '../settings/settings.table.ts';
import { user_account } from '../users/users.table.ts';

const siteAddress = '203.0.113.10';
const siteName = 'sites.example.com';

const daysFrom = (now: Date, days: number): string => new Date(now.getTime() + days * 86_400_000).toISOString();
const records = (found: Partial<RecordsFound>): RecordsFound => ({ a: [], aaaa: [], cname: [], error: null, ...found });

/** Example names stand in no DNS: what a check would find of them is told here, for the first day. */
export async function seedDemoDomains(db: Database, userIds: ReadonlyMap<string, number>, now: Date): Promise<void> {
  await db
    .insert(setting)
    .values({ key: 'visit_addresses', value: [siteAddress, siteName] })
    .onConflictDoNothing();
  const holder_id = userIds.get('zhangwei') ?? null;
  await db.insert(domain).values([
    // 好茶.中国
    { host: 'xn--5usw48g.xn--fiqs8s', type: 1 as const, holder_id, remark: '品牌中文域名' },
    { host: 'old-scan.example.com', type: 1 as const, holder_id, remark: '旧海报仍在使用', block_status: 2 as const },
  ]);
  const certificate = (names: string[]): CertificateFound => ({
    address: siteAddress,
    issuer: 'Example CA',
    subject: names[0] ?? '',
    names,
    valid_from: daysFrom(now, -60),
    error: null,
  });
  const found = [
    { host: 'scan.example.com', dns_state: 'here', records: records({ cname: [siteName], a: [siteAddress] }), days: 63 },
    { host: '*.land.example.net', dns_state: 'here', records: records({ a: [siteAddress] }), days: 9 },
    { host: 'edu.example.org', dns_state: 'nothing', records: records({}), days: null },
    { host: 's.example.com', dns_state: 'partly', records: records({ a: [siteAddress, '198.51.100.7'] }), days: 41 },
    { host: 'xn--5usw48g.xn--fiqs8s', dns_state: 'here', records: records({ a: [siteAddress] }), days: 88 },
    { host: 'old-scan.example.com', dns_state: 'elsewhere', records: records({ a: ['198.51.100.7'] }), days: null },
  ] as const;
  for (const { host, dns_state, records: seen, days } of found) {
    await db
      .update(domain_check)
      .set({
        dns_state,
        records: seen,
        certificate_state: days === null ? 'none' : 'valid',
        certificate: days === null ? null : certificate([host]),
        certificate_expires_at: days === null ? null : daysFrom(now, days),
        checked_at: now.toISOString(),
        due_at: daysFrom(now, 1),
      })
      .where(eq(domain_check.domain_id, sql`(SELECT id FROM domain WHERE host = ${host})`));
  }
  // Names for examples are registered by nobody: what a registry would say of them is told here, too.
  for (const [name, days] of [
    ['example.com', 42],
    ['example.net', 300],
    ['example.org', null],
    ['xn--5usw48g.xn--fiqs8s', 128],
  ] as const) {
    const at = now.toISOString();
    const said = days === null ? { fault: 'no_date' as const } : { expires_at: daysFrom(now, days), found_at: at };
    await db.insert(domain_registration).values({ name, ...said, asked_at: at, due_at: daysFrom(now, 1) });
  }
  await db.update(user_account).set({ domain_quota: 5 }).where(eq(user_account.account, 'zhangwei'));
  // A code whose domain ran out, as the screen of codes without one shows.
  await db
    .update(live_code)
    .set({ entry_domain_id: sql`(SELECT id FROM domain WHERE host = 'edu.example.org')` })
    .where(eq(live_code.file_name, 'edu-old'));
}
