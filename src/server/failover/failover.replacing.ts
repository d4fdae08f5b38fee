import { sql } from 'drizzle-orm';
import type { Scope } from '../kit/calls/context.ts';
import { scopeOf } from '../kit/calls/context.ts';
import { type Database, transactRedoable } from '../kit/postgres/database.ts';
import {
  beginReplacement,
  endReplacement,
  moveForwards,
  type Pair,
  replacePortion,
  type Writer,
} from '../live-codes/replacement/domain-replacement.public.ts';
import { type Candidate, isStillFit } from './failover.candidates.ts';
import type { Claimed } from './failover.incidents.ts';

export type Replacing = Pair & { replacement_id: number };
export type Maker = Omit<Writer, 'db' | 'scope' | 'actor'>;

/** Whose codes move: those of a domain's holder, or everybody's that stand on the pool. */
export const scopeOver = (holder_id: number | null): Scope => (holder_id === null ? scopeOf(0, 'super') : scopeOf(holder_id, 'customer'));

export const writerFor = (holder_id: number | null, db: Database, maker: Maker): Writer => ({
  ...maker,
  db,
  scope: scopeOver(holder_id),
  actor: { user_id: null, impersonator: null },
});

/** Begins a replacement in the transaction that chose its domain, forwards first. */
export async function begin(failover_id: number, pair: Pair, maker: Maker, db: Database): Promise<Replacing> {
  const writer = writerFor(pair.from.holder_id, db, maker);
  const replacement_id = await beginReplacement(pair, writer, failover_id);
  await moveForwards(replacement_id, pair, writer);
  await db.execute(sql`
    UPDATE failover SET replacement_id = ${replacement_id}, started_at = coalesce(started_at, now()), holder_id = ${pair.from.holder_id},
      onto_pool = onto_pool OR ${pair.to.holder_id === null} WHERE id = ${failover_id}`);
  return { ...pair, replacement_id };
}

/** The replacement that a killed worker left half-way. */
export async function underWay(failover_id: number, from: Candidate, db: Database): Promise<Replacing | undefined> {
  const { rows } = await db.execute<Candidate & { replacement_id: number }>(sql`
    SELECT replacement.id::float8 AS replacement_id, domain.id::float8 AS id, domain.host, domain.type::integer AS type,
      domain.holder_id::float8 AS holder_id
    FROM failover JOIN domain_replacement AS replacement ON replacement.id = failover.replacement_id
      JOIN domain ON domain.id = replacement.to_domain_id
    WHERE failover.id = ${failover_id}`);
  const [found] = rows;
  if (!found) return undefined;
  const { replacement_id, ...to } = found;
  return { from, to, replacement_id };
}

type Moving = Replacing & { claimed: Claimed; maker: Maker; signal: AbortSignal };

/**
 * Moves codes portion after portion, each in a transaction of its own.
 * @returns whether the new domain has all that it can take; not so where it became unfit itself meanwhile, and where there is nothing more
 *   to do: the old one is normal again, or somebody undid what was done
 */
export async function moveCodes(moving: Moving, db: Database): Promise<boolean> {
  for (;;) {
    moving.signal.throwIfAborted();
    const number = await transactRedoable(db, (tx) => movePortion(moving, tx));
    if (number === undefined || number === 0) return number === 0;
  }
}

async function movePortion({ from, to, replacement_id, claimed, maker }: Moving, db: Database): Promise<number | undefined> {
  // In one order, so that two replacements that concern the same domains never wait for each other.
  await db.execute(sql`SELECT FROM domain WHERE id IN (${from.id}, ${to.id}) ORDER BY id FOR SHARE`);
  if (!(await goesOn(replacement_id, claimed, db)) || !(await isStillFit(to, db))) return undefined;
  return replacePortion(replacement_id, { from, to }, writerFor(from.holder_id, db, maker));
}

async function goesOn(replacement_id: number, { id, claim }: Claimed, db: Database): Promise<boolean> {
  const { rows } = await db.execute<{ is_undone: boolean }>(
    sql`SELECT undone_at IS NOT NULL AS is_undone FROM domain_replacement WHERE id = ${replacement_id} FOR UPDATE`,
  );
  if (rows[0]?.is_undone !== false) return false;
  const { rows: held } = await db.execute(sql`
    SELECT FROM domain_incident WHERE id = ${id} AND claim = ${claim} AND ended_at IS NULL AND handling IN ('waiting', 'paused') FOR SHARE`);
  return held.length > 0;
}

/** Tells the owners, and frees the failover for the next replacement. */
export async function end({ replacement_id }: Replacing, { id: incident_id }: Claimed, db: Database): Promise<void> {
  await db.execute(sql`UPDATE failover SET replacement_id = NULL WHERE replacement_id = ${replacement_id}`);
  await endReplacement(replacement_id, db, { automatic: true, incident_id });
}
