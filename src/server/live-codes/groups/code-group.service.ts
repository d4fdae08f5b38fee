import { and, asc, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { CodeGroup, codeGroups, internalCodeGrouping } from '../../../contract/codes/code-group.ts';
import { outcomes } from '../../../contract/enums.ts';
import type { Context, Scope, Service } from '../../kit/calls/context.ts';
import { AppError, invalidField, mapUniqueViolation, notFound } from '../../kit/calls/errors.ts';
import { changesBetween } from '../../kit/rows/changes.ts';
import { contains, equals, isOneOf, list } from '../../kit/rows/list.ts';
import { hasOpenFigures } from '../../orders/over-quota.public.ts';
import { user_account } from '../../users/users.table.ts';
import { countsSince } from '../../visits/visits.public.ts';
import { type Affected, changeAll, lockLiveCodes, moveToGroup } from '../batches/batches.ts';
import { code_group, live_code } from '../live-codes.table.ts';

const offeredGroups = 200;
const firstColor = '#0f766e';

/** One of the two groupings: the column of a code that holds its group, and who sees and changes which groups. */
type Grouping = {
  column: 'group_id' | 'internal_group_id';
  sees: (context: Context) => SQL | undefined;
  changes: (context: Context) => SQL | undefined;
  ownerOf: (context: Context) => number | null;
  move: (input: { ids: readonly number[]; group_id: number | null }, context: Context) => Promise<Affected>;
};

const ofOwners: Grouping = {
  column: 'group_id',
  sees: ({ scope }) => and(isNotNull(code_group.owner_id), scope.sees(code_group.owner_id)),
  changes: ({ scope }) => and(isNotNull(code_group.owner_id), scope.changes(code_group.owner_id)),
  ownerOf: ({ scope }) => scope.owner_id,
  move: moveToGroup,
};

/** Only callers who see all codes work with it, whatever nodes their role was given. */
function administratorsOnly({ scope }: Context): SQL {
  if (!scope.all) throw new AppError(403, 'forbidden');
  return isNull(code_group.owner_id);
}

const ofAdministrators: Grouping = {
  column: 'internal_group_id',
  sees: administratorsOnly,
  changes: administratorsOnly,
  ownerOf(context) {
    administratorsOnly(context);
    return null;
  },
  move: moveInternally,
};

/** The administrators' grouping is no part of the code: it leaves neither version nor event, and its owner is told nothing. */
async function moveInternally({ ids, group_id }: { ids: readonly number[]; group_id: number | null }, context: Context): Promise<Affected> {
  const { db, audit } = context;
  const where = administratorsOnly(context);
  const isThere = group_id === null || (await db.$count(code_group, and(eq(code_group.id, group_id), where))) > 0;
  if (!isThere) throw invalidField('group_id', 'unknown_group');
  const codes = await lockLiveCodes(ids, { internal_group_id: group_id }, false, context);
  await db
    .update(live_code)
    .set({ internal_group_id: group_id })
    .where(
      isOneOf(
        live_code.id,
        codes.map(({ id }) => id),
      ),
    );
  audit({ before: codes.map(({ id, internal_group_id }) => ({ id, internal_group_id })), after: { internal_group_id: group_id } });
  return { affected: codes.length, change_id: null };
}

/**
 * Codes in use and their visits by group, of these groups together: one by one, each would read all totals. Of a code whose history was
 * cleared, the visits since; of one whose figures are locked to the caller, none.
 */
const figures = (column: Grouping['column'], groups: readonly number[], scope: Scope): SQL => sql`(
  SELECT code.${sql.identifier(column)} AS group_id, count(*) AS codes, sum(CASE WHEN NOT (${hasOpenFigures(scope, sql`code.id`) ?? sql`true`}) THEN 0 WHEN code.visible_from IS NULL THEN total.visits ELSE (
    SELECT sum(counts.visits) FROM ${countsSince(sql`${live_code.id} = code.id`)} AS counts WHERE counts.outcome = ${outcomes.indexOf('passed')}) END) AS visits
  FROM live_code AS code LEFT JOIN live_code_total AS total ON total.live_code_id = code.id
  WHERE code.${sql.identifier(column)} = ANY(${sql.param([...groups])}::bigint[]) AND NOT code.removed GROUP BY 1) AS figures`;

const code_count = sql<number>`coalesce(figures.codes, 0)`.mapWith(Number);
const view_number = sql<number>`coalesce(figures.visits, 0)`.mapWith(Number);
const fields = {
  id: code_group.id,
  owner_id: code_group.owner_id,
  owner_account: sql<string | null>`${user_account.account}`,
  name: code_group.name,
  color: code_group.color,
  sort: code_group.sort,
  code_count,
  view_number,
  created_at: code_group.created_at,
  updated_at: code_group.updated_at,
};

const { id, name, sort, created_at } = code_group;
const sorts = { id, name, sort, created_at, code_count, view_number };
type Sorting = { page?: number; page_size?: number; sort?: keyof typeof sorts; order?: 'asc' | 'desc' };

const sayTaken = <T>(change: Promise<T>): Promise<T> => change.catch(mapUniqueViolation({ code_group_owner_id_name_key: 'name' }));

async function page({ column }: Grouping, where: SQL | undefined, input: Sorting, { db, scope }: Context) {
  const found = await db.select({ id: code_group.id }).from(code_group).where(where);
  const groups = found.map((group) => group.id);
  return list(db, input, {
    fields,
    from: code_group,
    joins: [
      [user_account, eq(user_account.id, code_group.owner_id)],
      [figures(column, groups, scope), sql`figures.group_id = ${code_group.id}`],
    ],
    where,
    sorts,
    key: code_group.id,
  });
}

async function read(grouping: Grouping, id: number, context: Context): Promise<CodeGroup> {
  const { content } = await page(grouping, eq(code_group.id, id), {}, context);
  if (!content[0]) throw notFound();
  return content[0];
}

/** The groups of these ids that the caller may change, locked until the transaction ends. */
const lock = ({ changes }: Grouping, ids: readonly number[], context: Context) =>
  context.db
    .select()
    .from(code_group)
    .where(and(isOneOf(code_group.id, ids), changes(context)))
    .orderBy(asc(code_group.id))
    .for('update');

async function order(grouping: Grouping, ids: readonly number[], context: Context): Promise<number> {
  const known = new Set((await lock(grouping, ids, context)).map(({ id }) => id));
  const ordered = [...new Set(ids)].filter((id) => known.has(id));
  // A larger rank stands first; in hundreds, so that one can be put between two by hand.
  await context.db.execute(sql`UPDATE code_group SET sort = given.sort FROM unnest(
    ${sql.param(ordered)}::bigint[], ${sql.param(ordered.map((_, place) => (ordered.length - place) * 100))}::integer[]) AS given (id, sort)
    WHERE code_group.id = given.id`);
  return ordered.length;
}

async function remove(grouping: Grouping, ids: readonly number[], context: Context): Promise<number> {
  const { db, audit } = context;
  const groups = await lock(grouping, ids, context);
  const own = groups.map(({ id }) => id);
  const codes = await db
    .select({ id: live_code.id })
    .from(live_code)
    .where(and(isOneOf(live_code[grouping.column], own), eq(live_code.removed, false)));
  const codeIds = codes.map(({ id }) => id);
  if (grouping.column === 'group_id') {
    const locked = await lockLiveCodes(codeIds, { group_id: null }, false, context);
    await changeAll(locked, { group_id: null }, 'grouped', context);
  }
  await db.delete(code_group).where(isOneOf(code_group.id, own));
  audit({ before: groups, after: { live_code_ids: codeIds } });
  return own.length;
}

const groupingService = (grouping: Grouping): Service<typeof codeGroups> & Service<typeof internalCodeGrouping> => ({
  inquire: ({ search, ...input }, context) =>
    page(grouping, and(grouping.sees(context), contains(code_group.name, search)), input, context),

  async options({ search, owner_id }, context) {
    const content = await context.db
      .select({ id: code_group.id, name: code_group.name, color: code_group.color, owner_account: user_account.account })
      .from(code_group)
      .leftJoin(user_account, eq(user_account.id, code_group.owner_id))
      .where(and(grouping.sees(context), equals(code_group.owner_id, owner_id), contains(code_group.name, search)))
      .orderBy(asc(code_group.owner_id), desc(code_group.sort), desc(code_group.id))
      .limit(offeredGroups);
    return { content };
  },

  async add({ color = firstColor, ...input }, context) {
    const insert = context.db.insert(code_group).values({ ...input, color, owner_id: grouping.ownerOf(context) });
    const added = await sayTaken(insert.returning({ id: code_group.id }));
    const after = await read(grouping, added[0]?.id ?? 0, context);
    context.audit({ after });
    return after;
  },

  async update({ id, ...input }, context) {
    const [before] = await lock(grouping, [id], context);
    if (!before) throw notFound();
    const change = { ...input, updated_at: sql`now()` };
    await sayTaken(context.db.update(code_group).set(change).where(eq(code_group.id, id)));
    context.audit(changesBetween(before, { ...before, ...input }));
    return read(grouping, id, context);
  },

  update_sort: async ({ ids }, context) => ({ affected: await order(grouping, ids, context) }),
  move: grouping.move,
  remove: async ({ ids }, context) => ({ affected: await remove(grouping, ids, context) }),
});

export const codeGroupsService: Service<typeof codeGroups> = groupingService(ofOwners);
export const internalCodeGroupingService: Service<typeof internalCodeGrouping> = groupingService(ofAdministrators);
