import { and, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { outcomes, showStatus } from '../../contract/enums.ts';
import type { ParsedInputOf } from '../../contract/kit/call.ts';
import type { ShortCode, shortCodeGroup } from '../../contract/links/short-code.ts';
import { suspectedSince } from '../detection/block-state.public.ts';
import { shownHost } from '../domains/domains.public.ts';
import { domain } from '../domains/domains.table.ts';
import type { Context, Scope } from '../kit/calls/context.ts';
import type { Database } from '../kit/postgres/database.ts';
import { betweenDays, contains, defaultPageSize, equals, isOneOf } from '../kit/rows/list.ts';
import { hasText } from '../live-codes/live-codes.public.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { user_account } from '../users/users.table.ts';
import { type SiteTime, siteClock } from '../visits/visits.public.ts';
import { ownLink } from './places.ts';
import { short_code, url_key_platform } from './short-codes.table.ts';

/** Links that fit filters are counted to here: to count a million for every look would cost more than the list. */
const maxCounted = 10_000;
/** A search that finds more than these is no search: the list itself comes upon them soon enough. */
const maxFound = 50_000;
const passed = sql.raw(String(outcomes.indexOf('passed')));

/** Hidden links are administrators' only. */
const isShown = ({ all }: Scope): SQL | undefined => (all ? undefined : eq(short_code.display, showStatus.shown));
export const mayChange = (scope: Scope): SQL | undefined => and(scope.changes(short_code.owner_id), isShown(scope));

const short_domain = alias(domain, 'short_domain');

/** The figures of each of these links. What is counted of them is nowhere hidden, so that sums are all there is to them. */
export async function shortCodeFigures(db: Database, ids: readonly number[], { now, time_zone }: SiteTime) {
  const { rows } = await db.execute<{ id: number; visits: number; ips: number; today_visits: number; today_ips: number }>(sql`
    SELECT asked.id::float8 AS id, coalesce(total.visits, 0)::float8 AS visits, coalesce(total.ips, 0)::float8 AS ips,
      today.visits AS today_visits, today.ips AS today_ips
    FROM unnest(${sql.param([...ids])}::bigint[]) AS asked (id)
    LEFT JOIN short_code_total AS total ON total.short_code_id = asked.id
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(visits), 0)::float8 AS visits, coalesce(sum(ips), 0)::float8 AS ips FROM visit_hour
      WHERE visit_hour.short_code_id = asked.id AND visit_hour.short_code_id > 0 AND outcome = ${passed} AND hour >= ${startOfToday({ now, time_zone })}) AS today`);
  return new Map(rows.map((row) => [row.id, row]));
}

function startOfToday({ now, time_zone }: SiteTime): SQL {
  const clock = siteClock(time_zone);
  return sql`${new Date(clock.startOf(clock.dayOf(now.getTime()))).toISOString()}::timestamptz`;
}

/** These links as the contract shows them, in this order; ids that don't exist are left out. Whose they are isn't asked here. */
export async function readShortCodes(
  ids: readonly number[],
  { db, now, settings }: Pick<Context, 'db' | 'now' | 'settings'>,
): Promise<ShortCode[]> {
  if (ids.length === 0) return [];
  const { time_zone, visit_scheme } = await settings();
  const stored = await db
    .select({
      row: short_code,
      domain: {
        host: short_domain.host,
        enabled: short_domain.enabled,
        block_status: short_domain.block_status,
        suspected_since: suspectedSince(short_domain.id),
      },
      platform: { name: url_key_platform.name, type: url_key_platform.type },
      code: { name: live_code.name, file_name: live_code.file_name },
      owner_account: user_account.account,
    })
    .from(short_code)
    .innerJoin(user_account, eq(user_account.id, short_code.owner_id))
    .leftJoin(short_domain, eq(short_domain.id, short_code.domain_id))
    .leftJoin(url_key_platform, eq(url_key_platform.id, short_code.platform_id))
    .leftJoin(live_code, eq(live_code.id, short_code.live_code_id))
    .where(isOneOf(short_code.id, ids));
  const figures = await shortCodeFigures(db, ids, { now, time_zone });
  const shown = ({ row, domain: place, platform, code, owner_account }: (typeof stored)[number]): ShortCode => {
    const { label, domain_choice: _choice, page: _page, platform_url, request_key: _key, ...columns } = row;
    const own = place && row.short ? ownLink(visit_scheme, { host: place.host, label, short: row.short }) : '';
    return {
      ...columns,
      host: place?.host ?? null,
      host_unicode: place && shownHost(place.host),
      host_enabled: place?.enabled ?? null,
      block_status: place?.block_status ?? null,
      suspected_since: place?.suspected_since ?? null,
      platform_name: platform?.name ?? null,
      platform_type: platform?.type ?? null,
      live_code_name: code?.name ?? null,
      live_code_file_name: code?.file_name ?? null,
      short_url: platform_url ?? own,
      counted: row.domain_id !== null,
      expired: row.expires_at !== null && Date.parse(row.expires_at) <= now.getTime(),
      owner_account,
      view_number: figures.get(row.id)?.visits ?? 0,
      ip_view_number: figures.get(row.id)?.ips ?? 0,
      today_view_number: figures.get(row.id)?.today_visits ?? 0,
      today_ip_view_number: figures.get(row.id)?.today_ips ?? 0,
    };
  };
  const byId = new Map(stored.map((found) => [found.row.id, shown(found)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** What an event and the log tell of a link. */
export const told = ({ id, short_url, live_code_id, url, enabled, expires_at }: ShortCode) => ({
  id,
  short_url,
  live_code_id,
  url,
  enabled,
  expires_at,
});

type ListInput = ParsedInputOf<(typeof shortCodeGroup)['calls']['inquire']>;

/** What joins the figure that is sorted by. */
function figureJoin(sort: ListInput['sort'], time: SiteTime): { join: SQL; figure: SQL } | undefined {
  if (sort === 'view_number') {
    const join = sql`LEFT JOIN short_code_total AS total ON total.short_code_id = ${short_code.id}`;
    return { join, figure: sql`coalesce(total.visits, 0)` };
  }
  if (sort !== 'today_view_number') return undefined;
  const join = sql`LEFT JOIN (
    SELECT visit_hour.short_code_id, sum(visits) AS visits FROM visit_hour WHERE visit_hour.short_code_id > 0 AND hour >= ${startOfToday(time)} AND outcome = ${passed}
    GROUP BY visit_hour.short_code_id) AS today ON today.short_code_id = ${short_code.id}`;
  return { join, figure: sql`coalesce(today.visits, 0)` };
}

function orderOf({ sort = 'id', order = 'desc' }: Pick<ListInput, 'sort' | 'order'>, figure: SQL | undefined): SQL {
  const direction = sql.raw(order);
  const last = sql`${short_code.id} ${direction}`;
  if (figure) return sql`${figure} ${direction}, ${last}`;
  if (sort === 'id' || sort === 'view_number' || sort === 'today_view_number') return last;
  const nulls = sort === 'short' || sort === 'expires_at' ? sql` NULLS LAST` : sql``;
  return sql`${short_code[sort]} ${direction}${nulls}, ${last}`;
}

/** A page of the links that the caller may see. Without filters they are counted to their end. */
export async function listShortCodes({ page = 1, page_size = defaultPageSize, sort, order, ...filters }: ListInput, context: Context) {
  const { db, scope, now, settings } = context;
  const { time_zone } = await settings();
  const { search, created_from, created_to, expires_from, expires_to, expired, owner_id, ...equal } = filters;
  const found = await findByWords(search, db);
  const isExpired = sql`coalesce(${short_code.expires_at} <= ${now.toISOString()}::timestamptz, false)`;
  const where =
    and(
      scope.sees(short_code.owner_id),
      isShown(scope),
      equals(short_code.owner_id, owner_id),
      equals(short_code.domain_id, equal.domain_id),
      equals(short_code.platform_id, equal.platform_id),
      equals(short_code.live_code_id, equal.live_code_id),
      equals(short_code.display, equal.display),
      equals(short_code.enabled, equal.enabled),
      expired === undefined ? undefined : sql`${isExpired} = ${expired}`,
      searched(search),
      found && isOneOf(short_code.id, found),
      betweenDays(short_code.expires_at, { from: expires_from, to: expires_to }, time_zone),
      betweenDays(short_code.created_at, { from: created_from, to: created_to }, time_zone),
    ) ?? sql`true`;
  const figure = figureJoin(sort, { now, time_zone });
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT ${short_code.id} AS id FROM ${short_code} ${figure?.join ?? sql``} WHERE ${where}
    ORDER BY ${orderOf({ sort, order }, figure?.figure)} LIMIT ${page_size} OFFSET ${(page - 1) * page_size}`);
  const isNarrowed = Object.values(filters).some((value) => value !== undefined);
  const counted = await countTo(isNarrowed ? maxCounted : 2 ** 31 - 2, where, db);
  const ids = rows.map(({ id }) => id);
  return { ...counted, page, page_size, content: await readShortCodes(ids, context) };
}

/**
 * Ids of the links in whose words, or in whose live code's, the characters of the text stand; the text itself is still compared.
 * Undefined where that narrows nothing down: no text, or one that very many links have.
 */
async function findByWords(search: string | undefined, db: Database): Promise<number[] | undefined> {
  const wanted = search?.trim();
  if (!wanted) return undefined;
  // The first part is spelt as its index is.
  const { rows } = await db.execute<{ id: number }>(sql`
    (SELECT id FROM short_code WHERE short_code_words(short, url, platform_url, remark) @> (SELECT search_grams(${wanted})) LIMIT ${maxFound + 1})
    UNION ALL
    (SELECT short_code.id FROM live_code_search JOIN short_code ON short_code.live_code_id = live_code_search.live_code_id
      WHERE live_code_search.grams @> (SELECT search_grams(${wanted})) LIMIT ${maxFound + 1})`);
  return rows.length > maxFound ? undefined : [...new Set(rows.map(({ id }) => id))];
}

function searched(search: string | undefined): SQL | undefined {
  const own = contains([short_code.short, short_code.url, short_code.platform_url, short_code.remark], search);
  if (!own) return undefined;
  return sql`(${own} OR EXISTS (SELECT FROM ${live_code} WHERE ${live_code.id} = ${short_code.live_code_id}
    AND ${hasText([live_code.name, live_code.file_name], search)}))`;
}

async function countTo(limit: number, where: SQL, db: Database): Promise<{ total: number; at_least: boolean }> {
  const { rows } = await db.execute<{ number: number }>(
    sql`SELECT count(*) AS number FROM (SELECT FROM ${short_code} WHERE ${where} LIMIT ${limit + 1}) AS counted`,
  );
  const number = rows[0]?.number ?? 0;
  return { total: Math.min(number, limit), at_least: number > limit };
}
