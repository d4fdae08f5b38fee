import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import { type domainReplacements, replacedAtOnce } from '../../../contract/domains/domain-replacement.ts';
import { domainType } from '../../../contract/enums.ts';
import type { OutputOf, ParsedInputOf } from '../../../contract/kit/call.ts';
import { refuseRisk } from '../../domains/domains.public.ts';
import { domain } from '../../domains/domains.table.ts';
import { concernsOnly, replacedByJoin, replacementFields } from '../../domains/replacements.public.ts';
import { domain_replacement } from '../../domains/replacements.table.ts';
import { leaveUndone } from '../../failover/failover.public.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { AppError, notFound } from '../../kit/calls/errors.ts';
import { startOperation } from '../../kit/jobs/operations.ts';
import { emitEvents } from '../../kit/messages/events.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { isOneOf, list } from '../../kit/rows/list.ts';
import { replaceable, replacePortion, undoPortion, type Writer } from './domain-replacement.codes.ts';
import { countForwards, moveForwards, returnForwards } from './domain-replacement.forwards.ts';
import { codesOf, isFree, mayUse, type Pair, readPair } from './domain-replacement.rules.ts';

type Calls = (typeof domainReplacements)['calls'];

/** What a replacement would change, of these codes. */
export async function effectOf(
  pair: Pair,
  { db, scope }: Pick<Writer, 'db' | 'scope'>,
  among: SQL = sql`true`,
): Promise<OutputOf<Calls['preview']>> {
  const { table, column } = codesOf(pair.from.type);
  const isShort = pair.from.type === domainType.short;
  const isOwn = scope.changes(sql`code.owner_id`) ?? sql`true`;
  const may = mayUse(pair.to);
  const free = isShort ? isFree(pair.to.id) : sql`true`;
  const { rows } = await db.execute<{ codes: number; removed: number; conflicts: number; foreign: number; owners: number }>(sql`
    SELECT count(*) FILTER (WHERE may AND free)::float8 AS codes, count(*) FILTER (WHERE may AND free AND removed)::float8 AS removed,
      count(*) FILTER (WHERE may AND NOT free)::float8 AS conflicts, count(*) FILTER (WHERE NOT may)::float8 AS foreign,
      count(DISTINCT owner_id) FILTER (WHERE may AND free)::float8 AS owners
    FROM (SELECT code.owner_id, ${may} AS may, ${free} AS free, ${isShort ? sql`false` : sql`code.removed`} AS removed
      FROM ${table} AS code WHERE ${column} = ${pair.from.id} AND ${isOwn} AND ${among}) AS found`);
  const [found] = rows;
  if (!found) throw new Error('an aggregate without groups always has a row');
  const { codes, removed, ...others } = found;
  return {
    live_codes: isShort ? 0 : codes,
    removed_live_codes: removed,
    short_codes: isShort ? codes : 0,
    ...others,
    ...(await countForwards(pair, { db, scope })),
  };
}

/** How many codes a replacement would change, counted no further than this. */
export async function countReplaceable(pair: Pair, writer: Writer, most: number): Promise<number> {
  const { rows } = await writer.db.execute<{ count: number }>(sql`
    SELECT count(*)::float8 AS count FROM (
      SELECT FROM ${codesOf(pair.from.type).table} AS code WHERE ${replaceable(pair, writer)} LIMIT ${most}) AS found`);
  return rows[0]?.count ?? 0;
}

/** Makes the row of a replacement that is about to begin. @returns its id */
export async function beginReplacement({ from, to }: Pair, { db, actor }: Writer, failover_id?: number): Promise<number> {
  const [row] = await db
    .insert(domain_replacement)
    .values({
      from_domain_id: from.id,
      to_domain_id: to.id,
      from_host: from.host,
      to_host: to.host,
      type: from.type,
      created_by: actor.user_id,
      failover_id,
    })
    .returning({ id: domain_replacement.id });
  if (!row) throw new Error('the replacement row was not returned');
  return row.id;
}

/** How many codes of each owner a replacement changed. */
async function countByOwner(id: number, type: Pair['from']['type'], db: Database): Promise<ReadonlyMap<number, number>> {
  const { rows } = await db.execute<{ owner_id: number; codes: number }>(sql`
    SELECT code.owner_id::float8 AS owner_id, count(*)::float8 AS codes
    FROM domain_replacement_code AS noted JOIN ${codesOf(type).table} AS code ON code.id = noted.code_id
    WHERE noted.replacement_id = ${id} GROUP BY code.owner_id`);
  return new Map(rows.map(({ owner_id, codes }) => [owner_id, codes]));
}

/**
 * Tells each owner whose codes were changed, and how many; a replacement that changed none leaves no row.
 * @param more what its event says besides
 * @returns the codes it changed
 */
export async function endReplacement(id: number, db: Database, more: Record<string, unknown> = {}): Promise<number> {
  const [row] = await db.select().from(domain_replacement).where(eq(domain_replacement.id, id));
  if (!row) return 0;
  const { owner_ids, live_codes, short_codes, from_domain_id, from_host, to_domain_id, to_host, type } = row;
  if (owner_ids.length === 0) await db.delete(domain_replacement).where(eq(domain_replacement.id, id));
  const data = { id, from_domain_id, from_host, to_domain_id, to_host, type, ...more };
  const codes = await countByOwner(id, type, db);
  await emitEvents(
    db,
    owner_ids.map((owner_id) => ({ type: 'domain.replaced', owner_id, data: { ...data, codes: codes.get(owner_id) ?? 0 } })),
  );
  return live_codes + short_codes;
}

async function add(input: ParsedInputOf<Calls['add']>, context: Context): Promise<OutputOf<Calls['add']>> {
  const { db, actor, language } = context;
  const pair = await readPair(input, context);
  if (!input.accept_risk) await refuseRisk('to_domain_id', pair.to.id, context);
  if ((await countReplaceable(pair, context, replacedAtOnce + 1)) > replacedAtOnce) {
    const operation_id = await startOperation(db, { kind: 'domain_replace', input, actor, language });
    return { affected: 0, forwards: 0, replacement_id: null, operation_id };
  }
  const replacement_id = await beginReplacement(pair, context);
  const forwards = input.with_forwards ? await moveForwards(replacement_id, pair, context) : 0;
  while ((await replacePortion(replacement_id, pair, context)) > 0);
  const affected = await endReplacement(replacement_id, db);
  context.audit({ before: { host: pair.from.host }, after: { host: pair.to.host, codes: affected, forwards } });
  return { affected, forwards, replacement_id: affected + forwards > 0 ? replacement_id : null, operation_id: null };
}

/** The pair of a replacement that the caller may undo; the row is locked. */
export async function beginUndo(id: number, { db, scope }: Pick<Writer, 'db' | 'scope'>): Promise<Pair> {
  const [row] = await db
    .select()
    .from(domain_replacement)
    .where(and(eq(domain_replacement.id, id), concernsOnly(scope.changes)))
    .for('update');
  if (!row) throw notFound();
  if (row.undone_at !== null) throw new AppError(409, 'domain.undone_already');
  const found = await db
    .select({ id: domain.id, host: domain.host, type: domain.type, holder_id: domain.holder_id })
    .from(domain)
    .where(and(isOneOf(domain.id, [row.from_domain_id ?? 0, row.to_domain_id ?? 0]), eq(domain.type, row.type)))
    .for('share');
  const from = found.find(({ id: own }) => own === row.from_domain_id);
  const to = found.find(({ id: own }) => own === row.to_domain_id);
  if (!from || !to) throw new AppError(409, 'domain.not_undoable');
  if (row.failover_id !== null) await leaveUndone(row.failover_id, db);
  return { from, to };
}

export async function endUndo(id: number, { db, actor }: Pick<Writer, 'db' | 'actor'>): Promise<void> {
  await db.update(domain_replacement).set({ undone_at: sql`now()`, undone_by: actor.user_id }).where(eq(domain_replacement.id, id));
}

/** Puts the former domain back; the caller's right to it is the call's matter. */
export async function undo({ id }: ParsedInputOf<Calls['undo']>, context: Context): Promise<OutputOf<Calls['undo']>> {
  const { db, actor, language } = context;
  const [row] = await db
    .select()
    .from(domain_replacement)
    .where(and(eq(domain_replacement.id, id), concernsOnly(context.scope.changes)));
  if (row && row.undone_at === null && row.live_codes + row.short_codes > replacedAtOnce) {
    const operation_id = await startOperation(db, { kind: 'domain_replace_undo', input: { id }, actor, language });
    return { affected: 0, forwards: 0, operation_id };
  }
  const pair = await beginUndo(id, context);
  const forwards = await returnForwards(id, pair, context);
  let affected = 0;
  for (let number = -1; number !== 0; affected += number) number = await undoPortion(id, pair, context);
  await endUndo(id, context);
  context.audit({ before: { host: pair.to.host }, after: { host: pair.from.host, codes: affected, forwards } });
  return { affected, forwards, operation_id: null };
}

export const domainReplacementService: Service<typeof domainReplacements> = {
  inquire: ({ domain_id, ...input }, { db, scope }) =>
    list(db, input, {
      fields: replacementFields,
      from: domain_replacement,
      joins: [replacedByJoin],
      where: and(
        concernsOnly(scope.sees),
        domain_id === undefined
          ? undefined
          : or(eq(domain_replacement.from_domain_id, domain_id), eq(domain_replacement.to_domain_id, domain_id)),
      ),
      sorts: { id: domain_replacement.id, created_at: domain_replacement.created_at },
      key: domain_replacement.id,
    }),
  preview: async (input, { db, scope }) => effectOf(await readPair(input, { db, scope }), { db, scope }),
  add,
  undo,
};
