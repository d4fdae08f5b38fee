import { type AnyColumn, and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { filterFields } from '../../../contract/codes/live-code-fields.ts';
import { type ListedCode, type qrCodeList, userFilters } from '../../../contract/codes/qr-code-list.ts';
import type { ParsedInputOf } from '../../../contract/kit/call.ts';
import { maxIds } from '../../../contract/kit/fields.ts';
import type { Page } from '../../../contract/kit/page.ts';
import type { Context, Scope } from '../../kit/calls/context.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { betweenDays, defaultPageSize, equals } from '../../kit/rows/list.ts';
import { hasOpenFigures } from '../../orders/over-quota.public.ts';
import { hasExpiring, isExhausted, mayBeExhausted, readLiveCodes } from '../live-codes.public.ts';
import { settingsOver } from '../live-codes.settings.ts';
import { live_code, live_code_target } from '../live-codes.table.ts';
import { type IdSpan, idsByFigure, isFigure } from './figures.ts';
import { type Found, findByWords, foundAliases, hasText, isFound } from './search.ts';

type Calls = (typeof qrCodeList)['calls'];
export type CodeFilters = Omit<ParsedInputOf<Calls['user_ids']>, 'sort' | 'order'>;
/** The filters as an operation keeps them. */
export const codeFilters = z.object(userFilters);
type SortKey = NonNullable<ParsedInputOf<Calls['user_inquire' | 'qr_code_remove']>['sort']>;
type Sorting = { sort?: SortKey | undefined; order?: 'asc' | 'desc' | undefined };
type ListInput = CodeFilters & Sorting & { page?: number; page_size?: number };
type SelectInput = ParsedInputOf<Calls['user_ids']>;
/** Who looks, and when. `only_owner` where every code that he may see is his own. */
export type CodeView = { db: Database; scope: Scope; now: Date; time_zone: string; only_owner: number | undefined };

const searchedColumns = [live_code.name, live_code.file_name, live_code.remark];

/** Codes that fit filters are counted to here: to count a million for every look would cost more than the list. */
export const maxCounted = 10_000;

export const viewOf = async ({ db, scope, now, actor }: Context): Promise<CodeView> => ({
  db,
  scope,
  now,
  time_zone: (await settingsOver(db)).time_zone,
  only_owner: actor.role.kind === 'customer' ? actor.user_id : undefined,
});

/** Codes that end in these days, or a target of which does. */
function endsBetween(days: { from?: string; to?: string }, time_zone: string): SQL | undefined {
  if (days.from === undefined && days.to === undefined) return undefined;
  return sql`(${betweenDays(live_code.expires_at, days, time_zone)} OR ${live_code.id} IN (
    SELECT ${live_code_target.live_code_id} FROM ${live_code_target} WHERE ${betweenDays(live_code_target.expires_at, days, time_zone)}))`;
}

/** Codes among which a search finds its own; undefined where it narrows nothing down. */
export const searched = ({ search, owner_id }: CodeFilters, view: CodeView): Promise<Found | undefined> =>
  findByWords(view.db, search, owner_id ?? view.only_owner);

/**
 * The codes that fit the filters and that the viewer may see, as a condition on `live_code`.
 * @param removed those in the recycle bin instead of those in use
 * @param found what `searched` found
 */
export async function codesWhere(input: CodeFilters, removed: boolean, view: CodeView, found: Found | undefined): Promise<SQL> {
  const { scope, now, time_zone } = view;
  const conditions = [
    scope.sees(live_code.owner_id),
    eq(live_code.removed, removed),
    equals(live_code.owner_id, input.owner_id),
    found && isFound(live_code.id, found),
    hasText(searchedColumns, input.search),
    ...filterFields.map((field) => equals(live_code[field], input[field])),
    equals(live_code.entry_domain_id, input.entry_domain_id),
    equals(live_code.landing_domain_id, input.landing_domain_id),
    inGroup(live_code.group_id, input.group_id),
    inGroup(live_code.internal_group_id, scope.all ? input.internal_group_id : undefined),
    input.frozen === undefined ? undefined : sql`(${live_code.frozen_at} IS NOT NULL) = ${input.frozen}`,
    exhaustedWhere(input.exhausted, now),
    await expiringWhere(input.expiring, view),
    duplicatedWhere(input.duplicated, input.owner_id, scope),
    endsBetween({ from: input.expires_from, to: input.expires_to }, time_zone),
    betweenDays(live_code.created_at, { from: input.created_from, to: input.created_to }, time_zone),
    input.change_id === undefined
      ? undefined
      : sql`${live_code.id} IN (SELECT live_code_id FROM live_code_version WHERE change_id = ${input.change_id}::uuid)`,
  ];
  return and(...conditions) ?? sql`true`;
}

/** 0 stands for no group. */
function inGroup(column: AnyColumn, group_id: number | undefined): SQL | undefined {
  return group_id === 0 ? isNull(column) : equals(column, group_id);
}

/** Codes in use that share an address with another of their owner's. */
function duplicatedWhere(duplicated: boolean | undefined, owner_id: number | undefined, scope: Scope): SQL | undefined {
  if (duplicated === undefined) return undefined;
  const owners = and(scope.sees(sql`code.owner_id`), owner_id === undefined ? undefined : sql`code.owner_id = ${owner_id}`) ?? sql`true`;
  return sql`${live_code.id} ${duplicated ? sql`IN` : sql`NOT IN`} (
    SELECT live_code_id FROM (
      SELECT target.live_code_id, min(target.live_code_id) OVER same AS first, max(target.live_code_id) OVER same AS last
      FROM live_code_target AS target JOIN live_code AS code ON code.id = target.live_code_id
      WHERE target.kind = 'url' AND NOT code.removed AND ${owners} WINDOW same AS (PARTITION BY code.owner_id, target.content)
    ) AS compared WHERE first <> last)`;
}

async function expiringWhere(expiring: boolean | undefined, { db, now }: CodeView): Promise<SQL | undefined> {
  if (expiring === undefined) return undefined;
  const found = hasExpiring(now, (await settingsOver(db)).target_reminder_hours);
  return expiring ? found : sql`NOT ${found}`;
}

function exhaustedWhere(exhausted: boolean | undefined, now: Date): SQL | undefined {
  if (exhausted === undefined) return undefined;
  return exhausted ? and(mayBeExhausted(now), isExhausted(now)) : sql`NOT ${isExhausted(now)}`;
}

const isNarrowed = (filters: CodeFilters): boolean => Object.values(filters).some((value) => value !== undefined);
/** Nearly every code of the site fits, or every one with words that very many have. */
const isWide = ({ search: _search, ...filters }: CodeFilters, { scope }: CodeView, found: Found | undefined): boolean =>
  scope.all && found === undefined && !isNarrowed(filters);

/** The ids of codes in the order of a list, from one place of it on. */
async function idsInOrder(
  where: SQL,
  { sort = 'id', order = 'desc' }: Sorting,
  span: IdSpan,
  view: CodeView & { isWide: boolean; found: Found | undefined },
): Promise<number[]> {
  if (isFigure(sort)) return idsByFigure(where, { sort, order }, span, { ...view, open: hasOpenFigures(view.scope) });
  const direction = sql.raw(order);
  const first = sort === 'id' ? sql`` : sql`${live_code[sort]} ${direction},`;
  const { rows } = await view.db.execute<{ id: number }>(sql`
    SELECT ${live_code.id} AS id FROM ${live_code} WHERE ${where}
    ORDER BY ${first} ${live_code.id} ${direction} LIMIT ${span.limit} OFFSET ${span.offset}`);
  return rows.map(({ id }) => id);
}

/** How many codes fit, up to a limit. */
export async function countTo(limit: number, where: SQL | undefined, db: Database): Promise<{ total: number; at_least: boolean }> {
  const { rows } = await db.execute<{ number: number }>(
    sql`SELECT count(*) AS number FROM (SELECT FROM ${live_code} WHERE ${where} LIMIT ${limit + 1}) AS counted`,
  );
  const number = rows[0]?.number ?? 0;
  return { total: Math.min(number, limit), at_least: number > limit };
}

/**
 * A page of the codes the caller may see: those in use, or those in the recycle bin. A list without filters is counted to its end, and so is
 * one whose last page this is.
 */
export async function listLiveCodes(
  { page = 1, page_size = defaultPageSize, sort, order, ...filters }: ListInput,
  removed: boolean,
  context: Context,
): Promise<Page<ListedCode> & { at_least: boolean }> {
  const view = await viewOf(context);
  const found = await searched(filters, view);
  const where = await codesWhere(filters, removed, view, found);
  const span = { offset: (page - 1) * page_size, limit: page_size };
  const ids = await idsInOrder(where, { sort, order }, span, { ...view, isWide: isWide(filters, view, found), found });
  const isLast = ids.length < page_size && (ids.length > 0 || page === 1);
  const counted = isLast
    ? { total: span.offset + ids.length, at_least: false }
    : await countTo(isNarrowed({ ...filters, owner_id: undefined }) ? maxCounted : 2 ** 31 - 2, where, view.db);
  const codes = await readLiveCodes(ids, context);
  const aliases = await foundAliases(view.db, ids, searchedColumns, filters.search);
  return { ...counted, page, page_size, content: codes.map((code) => ({ ...code, found_alias: aliases.get(code.id) ?? null })) };
}

/** The ids of the codes that fit the filters, in the order of the list, up to as many as one call may change. */
export async function selectLiveCodes(
  { sort, order, ...filters }: SelectInput,
  context: Context,
): Promise<{ ids: number[]; is_cut: boolean }> {
  const view = await viewOf(context);
  const found = await searched(filters, view);
  const where = await codesWhere(filters, false, view, found);
  const span = { offset: 0, limit: maxIds + 1 };
  const ids = await idsInOrder(where, { sort, order }, span, { ...view, isWide: isWide(filters, view, found), found });
  return { ids: ids.slice(0, maxIds), is_cut: ids.length > maxIds };
}
