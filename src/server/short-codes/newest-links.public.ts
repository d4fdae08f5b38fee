import { and, desc, eq, sql } from 'drizzle-orm';
import { showStatus } from '../../contract/enums.ts';
import { domain } from '../domains/domains.table.ts';
import type { Database } from '../kit/postgres/database.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { ownLink } from './places.ts';
import { short_code } from './short-codes.table.ts';

/** The newest short link of each of these live codes that leads on and isn't hidden; codes without one are left out. */
export async function newestLinks(db: Database, live_code_ids: readonly number[], scheme: string): Promise<Map<number, string>> {
  if (live_code_ids.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([short_code.live_code_id], {
      live_code_id: short_code.live_code_id,
      short: short_code.short,
      label: short_code.label,
      platform_url: short_code.platform_url,
      host: domain.host,
    })
    .from(short_code)
    .leftJoin(domain, eq(domain.id, short_code.domain_id))
    .where(
      and(
        isOneOf(short_code.live_code_id, live_code_ids),
        eq(short_code.display, showStatus.shown),
        eq(short_code.enabled, true),
        sql`(${short_code.expires_at} IS NULL OR ${short_code.expires_at} > now())`,
        sql`${domain.enabled} IS NOT FALSE`,
      ),
    )
    .orderBy(short_code.live_code_id, desc(short_code.id));
  return new Map(
    rows.flatMap(({ live_code_id, short, label, platform_url, host }) => {
      const own = host !== null && short !== null ? ownLink(scheme, { host, label, short }) : undefined;
      const link = platform_url ?? own;
      return live_code_id === null || link === undefined ? [] : [[live_code_id, link] as const];
    }),
  );
}
