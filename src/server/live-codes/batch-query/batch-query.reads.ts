import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { FoundLine } from '../../../contract/codes/batch-query.ts';
import { blockFields } from '../../detection/block-state.public.ts';
import { domain } from '../../domains/domains.table.ts';
import type { Context } from '../../kit/calls/context.ts';
import { user_account } from '../../users/users.table.ts';
import { live_code, live_code_key } from '../live-codes.table.ts';

type Asking = Pick<Context, 'db' | 'scope' | 'now'>;

export type CodeFound = Pick<
  FoundLine,
  'name' | 'file_name' | 'found_alias' | 'state' | 'owner_account' | 'host' | 'domain_type' | 'domain_enabled' | 'block_status'
> & { id: number };
export type DomainFound = Pick<typeof domain.$inferSelect, 'id' | 'host' | 'type' | 'enabled' | 'block_status'> & {
  holder_account: string | null;
};
export type ShortFound = Omit<CodeFound, 'found_alias'> & {
  live_code_id: number | null;
  domain_id: number | null;
  short: string | null;
  platform_url: string | null;
};

const domainShown = {
  host: sql<string | null>`${domain.host}`,
  domain_type: sql<FoundLine['domain_type']>`${domain.type}`,
  domain_enabled: sql<boolean | null>`${domain.enabled}`,
  block_status: domain.block_status,
};

/** The codes of these keys, their own ones or aliases, that the caller may see, those in the recycle bin too, by the key. */
export async function findCodes(keys: readonly string[], { db, scope, now }: Asking): Promise<Map<string, CodeFound>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .select({
      key: live_code_key.key,
      id: live_code.id,
      name: live_code.name,
      file_name: live_code.file_name,
      found_alias: sql<string | null>`CASE WHEN NOT ${live_code_key.own} THEN ${live_code_key.key} END`,
      state: sql<FoundLine['state']>`CASE WHEN ${live_code.removed} THEN 'removed'
        WHEN ${live_code.expires_at} <= ${now.toISOString()}::timestamptz THEN 'expired' WHEN ${live_code.open} THEN 'open' ELSE 'closed' END`,
      owner_account: user_account.account,
      ...domainShown,
    })
    .from(live_code_key)
    .innerJoin(live_code, eq(live_code.id, live_code_key.live_code_id))
    .innerJoin(user_account, eq(user_account.id, live_code.owner_id))
    .leftJoin(domain, eq(domain.id, live_code.entry_domain_id))
    .where(and(sql`${live_code_key.key} = ANY(${sql.param([...keys])}::text[])`, scope.sees(live_code.owner_id)));
  return new Map(rows.map(({ key, ...row }) => [key, row]));
}

/** The domains of these names that the caller may see, and the platform's, by their names. */
export async function findDomains(hosts: readonly string[], { db, scope }: Asking): Promise<Map<string, DomainFound>> {
  if (hosts.length === 0) return new Map();
  const seen = scope.sees(domain.holder_id);
  const rows = await db
    .select({
      id: domain.id,
      host: domain.host,
      type: domain.type,
      enabled: domain.enabled,
      block_status: domain.block_status,
      holder_account: sql<string | null>`${user_account.account}`,
    })
    .from(domain)
    .leftJoin(user_account, eq(user_account.id, domain.holder_id))
    .where(and(sql`${domain.host} = ANY(${sql.param([...hosts])}::text[])`, seen && or(seen, isNull(domain.holder_id))));
  return new Map(rows.map((row) => [row.host, row]));
}

/** What the checks of these domains say. */
export async function blockStatesOf(hosts: readonly string[], { db, scope }: Asking) {
  if (hosts.length === 0) return new Map<string, never>();
  const rows = await db
    .select({ host: domain.host, ...blockFields(sql`domain.id`, scope.changes(sql`domain.holder_id`)) })
    .from(domain)
    .where(sql`${domain.host} = ANY(${sql.param([...hosts])}::text[])`);
  return new Map(rows.map(({ host, ...state }) => [host, state]));
}

/** Short codes of these paths, or made by another's platform as these links. Hidden ones are administrators' only. */
export async function findShortCodes(keys: readonly string[], urls: readonly string[], { db, scope, now }: Asking): Promise<ShortFound[]> {
  if (keys.length === 0 && urls.length === 0) return [];
  const isSeen: SQL = sql`${scope.sees(sql`short_code.owner_id`) ?? sql`true`} AND ${scope.all ? sql`true` : sql`short_code.display`}`;
  const byUrl = urls.length > 0 ? sql`OR short_code.platform_url = ANY(${sql.param([...urls])}::text[])` : sql``;
  const { rows } = await db.execute<ShortFound>(sql`
    SELECT short_code.id::float8 AS id, short_code.short, short_code.platform_url, short_code.domain_id::float8 AS domain_id,
      short_code.live_code_id::float8 AS live_code_id, coalesce(live_code.name, short_code.remark) AS name,
      coalesce(short_code.short, '') AS file_name, user_account.account AS owner_account,
      CASE WHEN short_code.expires_at <= ${now.toISOString()}::timestamptz THEN 'expired' WHEN short_code.enabled THEN 'open' ELSE 'closed' END AS state,
      domain.host, domain.type AS domain_type, domain.enabled AS domain_enabled, domain.block_status
    FROM short_code JOIN user_account ON user_account.id = short_code.owner_id
    LEFT JOIN live_code ON live_code.id = short_code.live_code_id LEFT JOIN domain ON domain.id = short_code.domain_id
    WHERE (short_code.short = ANY(${sql.param([...keys])}::text[]) ${byUrl}) AND ${isSeen}
    ORDER BY short_code.id DESC LIMIT 20000`);
  return rows;
}
