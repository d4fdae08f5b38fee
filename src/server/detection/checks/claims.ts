import { type SQL, sql } from 'drizzle-orm';
import { leasedRows } from '../../kit/jobs/leased-rows.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { pool } from '../detectors/limits.ts';
import type { BlockStatus, Known } from './verdict.ts';

/** What a dead worker held is taken over after this time; a living one renews its claims. */
export const claimSeconds = 10;

/** An address under check. `key` names it among those of its portion. */
type Claimed = {
  id: number;
  claim: string;
  url: string | null;
  host: string;
  user_id: number /** The key of its most visited code. */;
  printed?: string | null;
};
export type ClaimedMonitor = Claimed & {
  domain_id: number | null;
  owner_id: number | null;
  block_status: BlockStatus | null;
  status_since: string | null;
  suspected_since: string | null;
  pending: Omit<Known, 'status'> | null;
  verdict_id: number | null;
  /** Hexadecimal. */
  digest: string | null;
  urgent: boolean;
};
export type ClaimedUrl = Claimed & { check_id: number; url: string };

export type Portion = { claim: string } & ({ kind: 'monitors'; rows: ClaimedMonitor[] } | { kind: 'urls'; rows: ClaimedUrl[] });

const monitors = leasedRows<ClaimedMonitor>('domain_monitor', { seconds: claimSeconds });
const urls = leasedRows<ClaimedUrl>('block_check_url', { seconds: claimSeconds });

const monitorFields = sql`domain_monitor.url, domain_monitor.host, coalesce(domain_monitor.owner_id, ${pool})::float8 AS user_id,
  domain_monitor.domain_id::float8 AS domain_id, domain_monitor.owner_id::float8 AS owner_id, domain_monitor.block_status, domain_monitor.status_since,
  domain_monitor.suspected_since, domain_monitor.pending, domain_monitor.verdict_id::float8 AS verdict_id,
  (SELECT code.file_name FROM live_code AS code LEFT JOIN live_code_total AS total ON total.live_code_id = code.id
    WHERE code.entry_domain_id = domain_monitor.domain_id AND code.open AND NOT code.removed
    ORDER BY total.visits DESC NULLS LAST, code.id LIMIT 1) AS printed,
  domain_monitor.urgent, (SELECT encode(digest, 'hex') FROM domain_verdict WHERE domain_verdict.id = domain_monitor.verdict_id) AS digest`;

async function claimMonitors(db: Database, due: SQL): Promise<Portion | undefined> {
  const rows = await monitors.claim(db, { due, returning: monitorFields });
  return rows[0] && { kind: 'monitors', claim: rows[0].claim, rows };
}

/** The addresses that have been due for longest. */
export const claimDue = (db: Database, limit: number): Promise<Portion | undefined> =>
  claimMonitors(
    db,
    sql`SELECT domain_monitor.id FROM domain_monitor
      WHERE NOT domain_monitor.paused AND domain_monitor.enabled AND NOT domain_monitor.over_quota AND domain_monitor.due_at <= now() AND ${monitors.isFree}
      ORDER BY domain_monitor.due_at LIMIT ${limit}`,
  );

/** Those that users asked for now, of each user in turn. */
export const claimUrgent = (db: Database, limit: number): Promise<Portion | undefined> =>
  claimMonitors(
    db,
    sql`SELECT domain_monitor.id FROM domain_monitor WHERE domain_monitor.urgent AND domain_monitor.enabled AND NOT domain_monitor.over_quota AND ${monitors.isFree}
      AND domain_monitor.id = ANY(ARRAY(
        SELECT id FROM (
          SELECT id, row_number() OVER (PARTITION BY owner_id ORDER BY id) AS turn FROM domain_monitor
          WHERE urgent AND enabled AND NOT over_quota AND ${monitors.isFree}
        ) AS queue ORDER BY turn, id LIMIT ${limit}))
      ORDER BY domain_monitor.id LIMIT ${limit}`,
  );

/** Addresses of lists, of each user in turn. */
export async function claimUrls(db: Database, limit: number): Promise<Portion | undefined> {
  const rows = await urls.claim(db, {
    due: sql`SELECT block_check_url.id, block_check.user_id::float8 AS user_id FROM block_check_url
      JOIN block_check ON block_check.id = block_check_url.check_id
      WHERE block_check_url.state = 'waiting' AND ${urls.isFree}
      AND block_check_url.id = ANY(ARRAY(
        SELECT id FROM (
          SELECT block_check_url.id, row_number() OVER (PARTITION BY block_check.user_id ORDER BY block_check_url.id) AS turn
          FROM block_check_url JOIN block_check ON block_check.id = block_check_url.check_id
          WHERE block_check_url.state = 'waiting' AND ${urls.isFree}
        ) AS queue ORDER BY turn, id LIMIT ${limit}))
      ORDER BY block_check_url.id LIMIT ${limit}`,
    returning: sql`block_check_url.check_id::float8 AS check_id, block_check_url.url, block_check_url.host, due.user_id`,
  });
  return rows[0] && { kind: 'urls', claim: rows[0].claim, rows };
}

/** Gives back a portion that was not checked: another worker may take it at once. */
export const release = (db: Database, { kind, rows }: Portion): Promise<boolean> =>
  kind === 'monitors' ? monitors.release(db, rows) : urls.release(db, rows);

/** Keeps a portion for its worker; says where it is another's by now. */
export const renew = (db: Database, { kind, rows }: Portion): Promise<'lost' | undefined> =>
  kind === 'monitors' ? monitors.renew(db, rows) : urls.renew(db, rows);
