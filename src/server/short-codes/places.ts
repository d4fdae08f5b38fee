import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { blockStatus, domainType } from '../../contract/enums.ts';
import { isHealthy, usableBy } from '../domains/domains.public.ts';
import { domain } from '../domains/domains.table.ts';
import type { Database } from '../kit/postgres/database.ts';
import { randomText } from './url-key-platform.templates.ts';

/** A short domain on which links can be made. */
export type Place = { id: number; host: string; wildcard: boolean; is_blocked: boolean };

const placeFields = {
  id: domain.id,
  host: domain.host,
  wildcard: sql<boolean>`${domain.host} LIKE '*.%'`,
  is_blocked: sql<boolean>`${domain.block_status} IS NOT DISTINCT FROM ${blockStatus.blocked}`,
};

/** The short domains that this owner's links may stand on, the best one first. */
export const placesOf = (db: Database, owner_id: number): Promise<Place[]> =>
  db
    .select(placeFields)
    .from(domain)
    .where(and(usableBy(owner_id), eq(domain.type, domainType.short)))
    .orderBy(sql`NOT (${isHealthy})`, sql`${domain.holder_id} IS NULL`, asc(domain.host))
    .limit(500);

/**
 * The short domain for this owner's links: the wished one where he may use it, else his first healthy one, else the platform's; undefined
 * where there is none.
 * @param wildcard only one that serves every name below it
 */
export async function findPlace(
  db: Database,
  owner_id: number,
  { id, wildcard }: { id?: number | null | undefined; wildcard?: boolean },
): Promise<Place | undefined> {
  const wished = id ? eq(domain.id, id) : isHealthy;
  const [found] = await db
    .select(placeFields)
    .from(domain)
    .where(and(usableBy(owner_id), eq(domain.type, domainType.short), wished, wildcard ? sql`${domain.host} LIKE '*.%'` : undefined))
    // A name that serves only itself is shorter, and stays what it is.
    .orderBy(sql`${domain.holder_id} IS NULL`, sql`${domain.host} LIKE '*.%'`, asc(domain.id))
    .limit(1);
  return found;
}

const labelLength = 6;
export const newLabel = (length = labelLength): string => `${randomText(1, 'abcdefghjkmnpqrstuvwxyz')}${randomText(length - 1)}`;

/** `{scheme}://{host}/{short}`; under a wildcard name the label takes the place of its `*`. */
export function ownLink(scheme: string, { host, label, short }: { host: string; label: string | null; short: string }): string {
  const name = host.startsWith('*.') ? `${label ?? 's'}${host.slice(1)}` : host;
  return `${scheme}://${name}/${short}`;
}

/** Which of these domains the platform itself holds, so that its links may be anybody's. */
export async function areOpenToAll(db: Database, ids: readonly number[]): Promise<boolean> {
  const found = await db.$count(domain, and(inArray(domain.id, [...ids]), eq(domain.type, domainType.short), isNull(domain.holder_id)));
  return found === new Set(ids).size;
}
