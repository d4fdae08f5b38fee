import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../kit/postgres/database.ts';

/** The whole host is forwarded: no path of it leads to a code. */
export const wholeHost = '/*';

/** The path of the rule that answers in the place of a code of this name on this domain, as rules go before codes; null where none does. */
export const coveringRule = (domain_id: SQL, name: SQL): SQL<string | null> => sql<string | null>`(
  SELECT rule.path FROM forward AS rule JOIN domain AS host ON host.id = rule.domain_id
  WHERE rule.domain_id = ${domain_id} AND rule.enabled AND (host.holder_id IS NULL OR host.holder_id = rule.owner_id)
    AND rule.path IN ('/' || ${name}, '/' || ${name} || '/*', ${wholeHost}) ORDER BY length(rule.path) LIMIT 1)`;

type Place = { domain_id: number; name: string };
export const placeKey = ({ domain_id, name }: Place): string => `${domain_id}/${name}`;

/** Of these places those that a rule has taken, with its path. */
export async function coveredPlaces(db: Database, places: readonly Place[]): Promise<Map<string, string>> {
  if (places.length === 0) return new Map();
  const { rows } = await db.execute<Place & { path: string }>(sql`
    SELECT * FROM (
      SELECT domain_id, name, ${coveringRule(sql`place.domain_id`, sql`place.name`)} AS path
      FROM jsonb_to_recordset(${JSON.stringify(places)}::jsonb) AS place (domain_id bigint, name text)) AS found
    WHERE path IS NOT NULL`);
  return new Map(rows.map(({ path, ...place }) => [placeKey(place), path]));
}
