import type pg from 'pg';
import { registeredNames, type SourceGroup } from './sources.ts';

type Owned = SourceGroup & { owner_id: number | null };

/** Any constant, as long as nothing else in the product locks it. */
const sourceLock = 7_301_190_253;
/** Rows that an owner gets in an hour at most, of each kind; what is more is counted together. */
export const newRowsPerHour = 300;

/**
 * Adds a batch's unmeant visits to their rows, late in its transaction. A referring page of the code's owner's own domains, or of the
 * platform's, is meant; so are the hosts that were allowed.
 */
export async function addSources(client: pg.ClientBase, groups: readonly SourceGroup[]): Promise<void> {
  if (groups.length === 0) return;
  const foreign = await withoutMeant(client, await withOwners(client, groups));
  if (foreign.length === 0) return;
  // One after the other: which rows are there already decides which ones are new.
  await client.query('SELECT pg_advisory_xact_lock($1)', [sourceLock]);
  const fresh = await addToKnown(client, foreign);
  if (fresh.length > 0) await addNew(client, fresh);
}

/** The codes' owners; visits of codes that are deleted by now are nobody's. */
async function withOwners(client: pg.ClientBase, groups: readonly SourceGroup[]): Promise<Owned[]> {
  const ids = (of: (group: SourceGroup) => number) => [...new Set(groups.map(of))].filter((id) => id > 0);
  const { rows } = await client.query<{ code: string; owner_id: string }>({
    name: 'source_owners',
    text: `SELECT id || ' 0' AS code, owner_id FROM live_code WHERE id = ANY ($1::bigint[])
      UNION ALL SELECT '0 ' || id, owner_id FROM short_code WHERE id = ANY ($2::bigint[])`,
    values: [ids(({ live_code_id }) => live_code_id), ids(({ short_code_id }) => short_code_id)],
  });
  const owners = new Map(rows.map(({ code, owner_id }) => [code, Number(owner_id)]));
  return groups.flatMap((group): Owned[] => {
    const owner_id = owners.get(`${group.live_code_id} ${group.short_code_id}`);
    if (group.kind === 'unknown_host') return [{ ...group, owner_id: null }];
    return owner_id === undefined ? [] : [{ ...group, owner_id }];
  });
}

async function withoutMeant(client: pg.ClientBase, groups: readonly Owned[]): Promise<Owned[]> {
  const hosts = [...new Set(groups.map(({ host }) => host))].filter((host) => host !== '');
  const pairs = hosts.flatMap((host) => registeredNames(host).map((name) => ({ host, name })));
  const { rows } = await client.query<{ host: string; owner_id: string | null; is_domain: boolean }>({
    name: 'meant_sources',
    // A domain is known by its name, also where it is registered with a port.
    text: `SELECT given.host, domain.holder_id AS owner_id, true AS is_domain FROM unnest($1::text[], $2::text[]) AS given (host, name)
        JOIN domain ON domain.host = given.name
      UNION ALL SELECT host, owner_id, false FROM visit_source_rule WHERE action = 'allow' AND host = ANY ($3::text[])`,
    values: [pairs.map(({ host }) => host), pairs.map(({ name }) => name), hosts],
  });
  // The platform's domains are everybody's; an allowed host only his who allowed it, and unknown hosts are the administrators'.
  const meant = new Set(rows.map(({ host, owner_id, is_domain }) => `${host} ${is_domain && owner_id === null ? 'all' : owner_id}`));
  return groups.filter(
    ({ kind, host, owner_id }) =>
      kind === 'forged' || kind === 'replayed' || (!meant.has(`${host} ${owner_id}`) && (kind !== 'referer' || !meant.has(`${host} all`))),
  );
}

const columns = (groups: readonly Owned[]): unknown[] => [
  groups.map(({ kind }) => kind),
  groups.map(({ owner_id }) => owner_id),
  groups.map(({ host }) => host),
  groups.map(({ live_code_id, ip }) => (live_code_id === 0 || ip === null ? null : live_code_id)),
  groups.map(({ short_code_id, ip }) => (short_code_id === 0 || ip === null ? null : short_code_id)),
  groups.map(({ ip }) => ip),
  groups.map(({ visits }) => visits),
  groups.map(({ first_at }) => new Date(first_at).toISOString()),
  groups.map(({ last_at }) => new Date(last_at).toISOString()),
];
const given = `unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::inet[], $7::bigint[], $8::timestamptz[], $9::timestamptz[])
  WITH ORDINALITY AS given (kind, owner_id, host, live_code_id, short_code_id, ip, visits, first_at, last_at, place)`;

/** Answers the groups that have no row yet. */
async function addToKnown(client: pg.ClientBase, groups: readonly Owned[]): Promise<Owned[]> {
  const { rows } = await client.query<{ place: string }>({
    name: 'known_sources',
    // Each group looks its row up by the index of the key, whose missing parts must be asked for as such.
    text: `UPDATE visit_source AS source SET visits = source.visits + given.visits, first_at = least(source.first_at, given.first_at),
        last_at = greatest(source.last_at, given.last_at)
      FROM ${given} CROSS JOIN LATERAL (
        SELECT id FROM visit_source AS known WHERE known.kind = given.kind AND known.host = given.host AND known.ip = given.ip
          AND known.owner_id = given.owner_id AND known.live_code_id = given.live_code_id AND known.short_code_id IS NULL
        UNION ALL
        SELECT id FROM visit_source AS known WHERE known.kind = given.kind AND known.host = given.host AND known.ip = given.ip
          AND known.owner_id = given.owner_id AND known.live_code_id IS NULL AND known.short_code_id = given.short_code_id
        UNION ALL
        SELECT id FROM visit_source AS known WHERE known.kind = given.kind AND known.host = given.host AND known.ip = given.ip
          AND given.owner_id IS NULL AND known.owner_id IS NULL AND known.live_code_id IS NULL AND known.short_code_id IS NULL
      ) AS found
      WHERE source.id = found.id RETURNING given.place`,
    values: columns(groups),
  });
  const known = new Set(rows.map(({ place }) => Number(place)));
  return groups.filter((_, index) => !known.has(index + 1));
}

async function addNew(client: pg.ClientBase, groups: readonly Owned[]): Promise<void> {
  const { rows } = await client.query<{ kind: string; owner_id: string | null; count: string }>({
    name: 'new_sources',
    text: `SELECT kind, owner_id, count(*) AS count FROM visit_source
      WHERE kind = ANY ($1::text[]) AND created_at > now() - interval '1 hour' AND (owner_id = ANY ($2::bigint[]) OR owner_id IS NULL)
      GROUP BY kind, owner_id`,
    values: [[...new Set(groups.map(({ kind }) => kind))], [...new Set(groups.map(({ owner_id }) => owner_id))]],
  });
  const made = new Map(rows.map(({ kind, owner_id, count }) => [`${kind} ${owner_id}`, Number(count)]));
  const wanted = new Map<string, Owned>();
  for (const group of groups) {
    const owner = `${group.kind} ${group.owner_id}`;
    const count = made.get(owner) ?? 0;
    const isNew = group.ip !== null && count < newRowsPerHour;
    if (isNew) made.set(owner, count + 1);
    const kept = isNew ? group : { ...group, host: '', live_code_id: 0, short_code_id: 0, ip: null };
    const key = isNew ? `${owner} ${group.host} ${group.live_code_id} ${group.short_code_id} ${group.ip}` : owner;
    const same = wanted.get(key);
    if (same === undefined) wanted.set(key, { ...kept });
    else {
      same.visits += kept.visits;
      same.first_at = Math.min(same.first_at, kept.first_at);
      same.last_at = Math.max(same.last_at, kept.last_at);
    }
  }
  await client.query({
    name: 'add_sources',
    text: `INSERT INTO visit_source AS known (kind, owner_id, host, live_code_id, short_code_id, ip, visits, first_at, last_at)
      SELECT kind, owner_id, host, live_code_id, short_code_id, ip, visits, first_at, last_at FROM ${given}
      ON CONFLICT (kind, owner_id, host, live_code_id, short_code_id, ip) DO UPDATE SET visits = known.visits + excluded.visits,
        first_at = least(known.first_at, excluded.first_at), last_at = greatest(known.last_at, excluded.last_at)`,
    values: columns([...wanted.values()]),
  });
}
