import { sql } from 'drizzle-orm';
import { settingsOf } from '../../../contract/settings.ts';
import type { Database } from '../../kit/postgres/database.ts';
import type { TestApp, TestUser } from '../../kit/testing/app.ts';
import { claimIncident, wakeWaiting } from '../failover.incidents.ts';
import { handle } from '../failover.run.ts';

const maker = { now: new Date(), settings: async () => settingsOf([]) };

/** Does all that is due, as a worker does; `signal` breaks it off as a worker that stops. */
export async function workOff(db: Database, signal = new AbortController().signal): Promise<void> {
  await wakeWaiting(db);
  for (let claimed = await claimIncident(db); claimed; claimed = await claimIncident(db)) await handle({ db, claimed, maker, signal });
}

/** Domains as the checks leave them: watched, and normal a moment ago. */
export async function markHealthy(db: Database, ids: readonly number[]): Promise<void> {
  const all = sql.param([...ids]);
  await db.execute(sql`UPDATE domain SET block_status = 1 WHERE id = ANY(${all}::bigint[])`);
  await db.execute(sql`
    UPDATE domain_monitor SET block_status = 1, status_since = clock_timestamp(), checked_at = clock_timestamp(), suspected_since = NULL
    WHERE domain_id = ANY(${all}::bigint[])`);
  await db.execute(sql`
    UPDATE domain_incident SET ended_at = now(), handling = CASE handling WHEN 'waiting' THEN 'over' ELSE handling END
    WHERE domain_id = ANY(${all}::bigint[]) AND kind = 'blocked' AND ended_at IS NULL`);
}

/** The verdict of the checks that a domain is blocked, in one transaction. */
export const markBlocked = (db: Database, ids: readonly number[]): Promise<void> =>
  db.transaction(async (tx) => {
    const all = sql.param([...ids]);
    await tx.execute(sql`UPDATE domain SET block_status = 2 WHERE id = ANY(${all}::bigint[])`);
    await tx.execute(
      sql`UPDATE domain_monitor SET block_status = 2, status_since = clock_timestamp() WHERE domain_id = ANY(${all}::bigint[])`,
    );
    await tx.execute(sql`INSERT INTO domain_incident (domain_id, kind, handling) SELECT unnest(${all}::bigint[]), 'blocked', 'waiting'
      ON CONFLICT DO NOTHING`);
    await tx.execute(sql`SELECT pg_notify('livecode', '{"topic":"domain_incident","payload":null}')`);
  });

let made = 0;
/** A healthy domain of this user; of the pool where an administrator says so. */
export async function addHealthy(test_app: TestApp, as: TestUser, type: 1 | 2 | 3 = 1, more: { holder_id?: null } = {}) {
  made += 1;
  const { body } = await test_app.call(as, 'domain_list', 'add', { host: `failover-${made}.example.com`, type, ...more });
  await markHealthy(test_app.db, [body.id]);
  return body;
}

export const addCode = async (
  test_app: TestApp,
  as: TestUser,
  domains: { entry_domain_id?: number | null; landing_domain_id?: number | null },
) =>
  (
    await test_app.call(as, 'qr_code_list', 'add', {
      name: 'code',
      entry_domain_id: null,
      landing_domain_id: null,
      ...domains,
      targets: [{ kind: 'url', content: 'https://example.com/' }],
    })
  ).body;
