import { eq, type SQL, sql } from 'drizzle-orm';
import { domain_replacement } from '../../domains/replacements.table.ts';
import { forward } from '../../forwards/forwards.table.ts';
import type { Writer } from './domain-replacement.codes.ts';
import type { Pair } from './domain-replacement.rules.ts';

type Place = Pair['to'];
type Access = Pick<Writer, 'scope'>;

/** As many as one domain may have; the constraint on paths has the last word. */
const mostPerDomain = 2000;

/**
 * Rules that can stand on a domain: it is the platform's, which only administrators put rules on, or their owner's; their path is free;
 * they would hide no code that is there; and they don't lead to the domain itself.
 */
function canStand({ id, host, holder_id }: Place, { scope }: Access): SQL {
  const isAllowed = holder_id === null ? (scope.all ? sql`true` : sql`false`) : sql`forward.owner_id = ${holder_id}`;
  const name = sql`lower(regexp_replace(substr(forward.path, 2), '/?\\*?$', ''))`;
  return sql`(${isAllowed} AND substring(lower(forward.url) from '^https?://([^/?#]+)') IS DISTINCT FROM ${host}
    AND NOT EXISTS (SELECT FROM forward AS other WHERE other.domain_id = ${id} AND other.path = forward.path)
    AND NOT EXISTS (SELECT FROM live_code AS code WHERE (code.entry_domain_id = ${id} OR code.landing_domain_id = ${id}) AND NOT code.removed
      AND (forward.path = '/*' OR code.file_name = ${name}))
    AND NOT EXISTS (SELECT FROM short_code AS code WHERE code.domain_id = ${id} AND (forward.path = '/*' OR code.short = ${name})))`;
}

const isOn = (domain_id: number, { scope }: Access): SQL =>
  sql`forward.domain_id = ${domain_id} AND ${scope.changes(forward.owner_id) ?? sql`true`}`;

/** How many rules of the former domain would move along, and how many would stay. */
export async function countForwards({ from, to }: Pair, { db, scope }: Pick<Writer, 'db' | 'scope'>) {
  const { rows } = await db.execute<{ forwards: number; staying_forwards: number }>(sql`
    SELECT count(*) FILTER (WHERE may)::float8 AS forwards, count(*) FILTER (WHERE NOT may)::float8 AS staying_forwards
    FROM (SELECT ${canStand(to, { scope })} AS may FROM ${forward} WHERE ${isOn(from.id, { scope })}) AS found`);
  const room = mostPerDomain - (await db.$count(forward, eq(forward.domain_id, to.id)));
  const { forwards, staying_forwards } = rows[0] ?? { forwards: 0, staying_forwards: 0 };
  const moving = Math.min(forwards, Math.max(0, room));
  return { forwards: moving, staying_forwards: staying_forwards + forwards - moving };
}

async function move(
  from: number,
  to: Place,
  limit: { number: number; among: SQL },
  writer: Writer,
): Promise<{ id: number; owner_id: number }[]> {
  const { rows } = await writer.db.execute<{ id: number; owner_id: number }>(sql`
    UPDATE forward SET domain_id = ${to.id}, updated_at = now() WHERE id IN (
      SELECT forward.id FROM ${forward} WHERE ${isOn(from, writer)} AND ${canStand(to, writer)} AND ${limit.among}
      ORDER BY forward.id LIMIT ${limit.number} FOR UPDATE)
    RETURNING id::float8 AS id, owner_id::float8 AS owner_id`);
  return rows;
}

/** Moves the rules of the former domain along, before its codes, and notes them. @returns how many */
export async function moveForwards(replacement_id: number, pair: Pair, writer: Writer): Promise<number> {
  const { forwards: number } = await countForwards(pair, writer);
  const moved = await move(pair.from.id, pair.to, { number, among: sql`true` }, writer);
  if (moved.length === 0) return 0;
  const ids = moved.map(({ id }) => id);
  const owners = [...new Set(moved.map(({ owner_id }) => owner_id))];
  await writer.db.execute(sql`INSERT INTO domain_replacement_forward SELECT ${replacement_id}, unnest(${sql.param(ids)}::bigint[])`);
  await writer.db.execute(sql`
    UPDATE ${domain_replacement} SET forwards = forwards + ${moved.length},
      owner_ids = ARRAY(SELECT DISTINCT id FROM unnest(owner_ids || ${sql.param(owners)}::bigint[]) AS owner (id) ORDER BY id)
    WHERE id = ${replacement_id}`);
  return moved.length;
}

/** Puts the noted rules back that still stand on the new domain, before its codes go back. @returns how many */
export async function returnForwards(replacement_id: number, { from, to }: Pair, writer: Writer): Promise<number> {
  const among = sql`forward.id IN (SELECT forward_id FROM domain_replacement_forward WHERE replacement_id = ${replacement_id})`;
  const { forwards } = await countForwards({ from: to, to: from }, writer);
  return (await move(to.id, from, { number: forwards, among }, writer)).length;
}
