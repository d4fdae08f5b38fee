import { type SQL, sql } from 'drizzle-orm';
import { domainType } from '../../../contract/enums.ts';
import { domain_replacement } from '../../domains/replacements.table.ts';
import type { Scope } from '../../kit/calls/context.ts';
import { type LinkTeller, moveLinks } from '../live-codes.links.ts';
import { type Author, beginVersions, keepVersions } from '../versions/versions.ts';
import { codesOf, isFree, mayUse, type Pair } from './domain-replacement.rules.ts';

/** So many codes are locked and changed by one statement. */
const portionSize = 2000;

export type Writer = LinkTeller & { scope: Scope; actor: Author };
type Code = { id: number; owner_id: number };

/** Which codes still have the domain that is replaced, are the caller's to change, and can have the new one. */
export function replaceable({ from, to }: Pair, { scope }: Pick<Writer, 'scope'>): SQL {
  const { column } = codesOf(from.type);
  const free = from.type === domainType.short ? isFree(to.id) : sql`true`;
  return sql`${column} = ${from.id} AND ${scope.changes(sql`code.owner_id`) ?? sql`true`} AND ${mayUse(to)} AND ${free}`;
}

/**
 * Changes the next codes of a replacement and notes them. What is noted can be undone, also where the rest never comes to pass.
 * @returns how many; 0 when there is nothing left to do
 */
export async function replacePortion(replacement_id: number, pair: Pair, writer: Writer): Promise<number> {
  const { db } = writer;
  const { table } = codesOf(pair.from.type);
  const { rows } = await db.execute<Code>(sql`
    SELECT code.id::float8 AS id, code.owner_id::float8 AS owner_id FROM ${table} AS code
    WHERE ${replaceable(pair, writer)} ORDER BY code.id LIMIT ${portionSize} FOR UPDATE OF code`);
  if (rows.length === 0) return 0;
  await putDomain(rows, pair.from.type, pair.to.id, 'domain_replaced', writer);
  const ids = rows.map(({ id }) => id);
  await db.execute(sql`INSERT INTO domain_replacement_code SELECT ${replacement_id}, unnest(${sql.param(ids)}::bigint[])`);
  const owners = [...new Set(rows.map(({ owner_id }) => owner_id))];
  const counted = pair.from.type === domainType.short ? domain_replacement.short_codes : domain_replacement.live_codes;
  await db.execute(sql`
    UPDATE domain_replacement SET ${sql.identifier(counted.name)} = ${sql.identifier(counted.name)} + ${rows.length},
      owner_ids = ARRAY(SELECT DISTINCT id FROM unnest(owner_ids || ${sql.param(owners)}::bigint[]) AS owner (id) ORDER BY id)
    WHERE id = ${replacement_id}`);
  return rows.length;
}

/** Puts the former domain back on the next codes of a replacement that have the new one; each is taken from the note. */
export async function undoPortion(replacement_id: number, { from, to }: Pair, writer: Writer): Promise<number> {
  const { db, scope } = writer;
  const { table, column } = codesOf(from.type);
  const free = from.type === domainType.short ? isFree(from.id) : sql`true`;
  const { rows } = await db.execute<Code>(sql`
    SELECT code.id::float8 AS id, code.owner_id::float8 AS owner_id FROM ${table} AS code
    WHERE code.id IN (SELECT code_id FROM domain_replacement_code WHERE replacement_id = ${replacement_id})
      AND ${column} = ${to.id} AND ${scope.changes(sql`code.owner_id`) ?? sql`true`} AND ${mayUse(from)} AND ${free}
    ORDER BY code.id LIMIT ${portionSize} FOR UPDATE OF code`);
  if (rows.length === 0) return 0;
  await putDomain(rows, from.type, from.id, 'undone', writer);
  await db.execute(sql`UPDATE domain_replacement SET undone_codes = undone_codes + ${rows.length} WHERE id = ${replacement_id}`);
  return rows.length;
}

async function putDomain(
  codes: readonly Code[],
  type: 1 | 2 | 3,
  domain_id: number,
  action: 'domain_replaced' | 'undone',
  writer: Writer,
): Promise<void> {
  const { db, actor } = writer;
  const ids = codes.map(({ id }) => id);
  if (type === domainType.short) return moveLinks(ids, domain_id, writer);
  const column = sql.identifier(type === domainType.entry ? 'entry_domain_id' : 'landing_domain_id');
  await beginVersions(db, ids);
  await db.execute(sql`UPDATE live_code SET ${column} = ${domain_id}, version = version + 1, updated_at = now()
    WHERE id = ANY(${sql.param(ids)}::bigint[])`);
  await keepVersions({ db, actor }, ids, action);
}
