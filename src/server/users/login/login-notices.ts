import { sql } from 'drizzle-orm';
import type { LoginFailures } from '../../../contract/people/admin.ts';
import { isOver } from '../../kit/calls/attempts.ts';
import type { PublicContext } from '../../kit/calls/context.ts';
import { notify, type Speech } from '../../kit/messages/notify.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';

/** Addresses that are named; of more, only the number is told. */
const namedAddresses = 10;
const daySeconds = 86_400;

type Failures = { number: number; addresses: string[]; address_number: number; first_at: string; last_at: string };

/** The wrong guesses at a user's account since a moment, as the log has them; the addresses most guesses came from first. */
async function readFailures(db: Database, user_id: number, since: Date): Promise<Failures | undefined> {
  const { rows } = await db.execute<Failures>(sql`
    WITH failed AS (
      SELECT host(ip) AS address, count(*)::int AS number, min(at) AS first_at, max(at) AS last_at
      FROM log WHERE user_id = ${user_id} AND type = 'admin/login_failed' AND at > ${since.toISOString()} GROUP BY host(ip)
    ) SELECT sum(number)::int AS number, count(*)::int AS address_number, min(first_at) AS first_at, max(last_at) AS last_at,
      (array_agg(address ORDER BY number DESC, last_at DESC) FILTER (WHERE address IS NOT NULL))[:${sql.raw(String(namedAddresses))}] AS addresses
    FROM failed HAVING count(*) > 0`);
  const [found] = rows;
  return found && { ...found, addresses: found.addresses ?? [] };
}

/** Whether this is the first to tell a user of the day's failures: one statement decides among any number. */
async function claimDay(db: Database, user_id: number): Promise<boolean> {
  const { rows } = await db.execute(sql`
    INSERT INTO attempt (key, count, window_ends_at) VALUES (${`login:told:${user_id}`}, 1, now() + make_interval(secs => ${daySeconds}))
    ON CONFLICT (key) DO UPDATE SET window_ends_at = excluded.window_ends_at WHERE ${isOver} RETURNING key`);
  return rows.length > 0;
}

/** Tells a user that many have guessed at his account, once a day at most. Never fails: nobody waits for it. */
export async function tellOfFailures({ db, log }: PublicContext, user_id: number): Promise<void> {
  try {
    await transact(db, async (tx) => {
      if (!(await claimDay(tx, user_id))) return;
      const failures = await readFailures(tx, user_id, new Date(Date.now() - daySeconds * 1000));
      if (!failures) return;
      const { number, addresses, address_number, first_at, last_at } = failures;
      const words = ({ say, time }: Speech) => ({
        title: say('login.notice.title', { number }),
        content: [
          say('login.notice.content', { number, from: time(first_at), until: time(last_at) }),
          say('login.notice.addresses', { number: address_number, addresses: addresses.join(', ') }),
          '',
          say('login.notice.advice'),
        ],
      });
      await notify(tx, user_id, { kind: 'alert', place: 'security', words });
    });
  } catch (error) {
    log.error({ user_id, error: String(error) }, 'a user could not be told of failed logins');
  }
}

/** What a login tells of: failures since the one before, where there were as many as lock an account. A few are its owner's own. */
export async function failuresSince(
  { db, settings }: PublicContext,
  { id, login_at }: { id: number; login_at: string | null },
): Promise<LoginFailures | null> {
  if (login_at === null) return null;
  const { login_failure_limit } = await settings();
  const failures = await readFailures(db, id, new Date(login_at));
  if (!failures || failures.number < login_failure_limit) return null;
  const { number, addresses, last_at } = failures;
  return { number, addresses, last_at: new Date(last_at).toISOString() };
}
