import { type SQL, sql } from 'drizzle-orm';
import type { UnfitReason } from '../../contract/detection/shield-configuration.ts';
import { blockStatus } from '../../contract/enums.ts';
import { isCertified, leadsHere } from '../domains/domains.public.ts';
import type { Database } from '../kit/postgres/database.ts';
import type { DomainType } from './failover.rules.ts';

export type Candidate = { id: number; host: string; type: DomainType; holder_id: number | null };

const hasIncident = (kind: 'blocked' | 'suspected'): SQL =>
  sql`EXISTS (SELECT FROM domain_incident AS open WHERE open.domain_id = domain.id AND open.kind = ${kind} AND open.ended_at IS NULL)`;

/** What `unfit` and `isFit` ask of `domain`. */
export const knownOfDomain = sql`LEFT JOIN domain_check ON domain_check.domain_id = domain.id
  LEFT JOIN domain_monitor AS monitor ON monitor.domain_id = domain.id`;

/** Why a domain cannot take another's place, whenever it was checked; null: it can. */
const fault = sql`WHEN NOT domain.enabled THEN 'off' WHEN domain.frozen_at IS NOT NULL THEN 'frozen'
  WHEN domain.block_status = ${blockStatus.blocked} OR ${hasIncident('blocked')} THEN 'blocked'
  WHEN domain.block_status = ${blockStatus.failed} THEN 'failed'
  WHEN domain.block_status IS NULL OR monitor.id IS NULL THEN 'unchecked'
  WHEN monitor.suspected_since IS NOT NULL OR ${hasIncident('suspected')} THEN 'suspected'
  WHEN NOT ${leadsHere} THEN 'elsewhere' WHEN NOT ${isCertified} THEN 'certificate' WHEN monitor.paused THEN 'unwatched'`;

/** The same, and it has to have been checked within so many minutes. */
const unfit = (minutes: number | SQL): SQL =>
  sql`CASE ${fault} WHEN monitor.checked_at IS NULL OR monitor.checked_at < now() - make_interval(mins => ${minutes}::integer) THEN 'stale' END`;

export const isHealthyNow: SQL = sql`(CASE ${fault} END) IS NULL`;
/** It could take a place once, or so it was meant: of one that is off or was never checked nobody says so. */
export const isLost: SQL = sql`(CASE ${fault} END) NOT IN ('off', 'unchecked')`;
export const isFit = (minutes: number | SQL): SQL => sql`(${unfit(minutes)}) IS NULL`;

const isHeldBy = (holder_id: number | null): SQL => sql`domain.holder_id IS NOT DISTINCT FROM ${holder_id}::bigint`;

type Wanted = { holder_id: number | null; type: DomainType; minutes: number; besides: readonly number[] };

/** The domains that can take a place, the one first whose turn it is: that got none before, or longest ago. */
export async function candidatesOf({ holder_id, type, minutes, besides }: Wanted, db: Database): Promise<Candidate[]> {
  const { rows } = await db.execute<Candidate>(sql`
    SELECT domain.id::float8 AS id, domain.host, domain.type::integer AS type, domain.holder_id::float8 AS holder_id
    FROM domain ${knownOfDomain}
    WHERE ${isHeldBy(holder_id)} AND domain.type = ${type} AND domain.id <> ALL(${sql.param([...besides])}::bigint[]) AND ${isFit(minutes)}
    ORDER BY (SELECT max(id) FROM domain_replacement WHERE to_domain_id = domain.id AND failover_id IS NOT NULL) NULLS FIRST, domain.id
    LIMIT 20`);
  return rows;
}

/** Whether it still can, in the transaction that puts codes on it: its row is locked against becoming blocked meanwhile. */
export async function isStillFit({ id }: Pick<Candidate, 'id'>, db: Database): Promise<boolean> {
  const { rows } = await db.execute(sql`SELECT FROM domain ${knownOfDomain} WHERE domain.id = ${id} AND ${isHealthyNow}`);
  return rows.length > 0;
}

export type Unfit = { domain_id: number; host: string; pool: boolean; reason: UnfitReason };

/** The domains of a holder that cannot take a place, and why. */
export async function unfitOf({ holder_id, type, minutes, besides }: Wanted, db: Database): Promise<Unfit[]> {
  const { rows } = await db.execute<Unfit>(sql`
    SELECT domain.id::float8 AS domain_id, domain.host, domain.holder_id IS NULL AS pool, ${unfit(minutes)} AS reason
    FROM domain ${knownOfDomain}
    WHERE ${isHeldBy(holder_id)} AND domain.type = ${type} AND domain.id <> ALL(${sql.param([...besides])}::bigint[])
      AND NOT ${isFit(minutes)} ORDER BY domain.id LIMIT 50`);
  return rows;
}
