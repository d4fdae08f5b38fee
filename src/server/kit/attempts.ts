import { sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { AppError } from './errors.ts';
import { canonicalCidr } from './ip.ts';

type Limit = { max: number; seconds: number };
type Counted = { count: number; seconds_left: number };

/**
 * Counts one attempt under a key and refuses it with 429 once `max` were counted in the window. One statement counts and
 * decides, so that parallel attempts can't slip through; it must not run in a transaction that the refusal rolls back.
 */
export async function countAttempt(db: Database, key: string, limit: Limit): Promise<void> {
  const { rows } = await db.execute<Counted>(sql`
    INSERT INTO attempt (key, count, window_ends_at) VALUES (${key}, 1, now() + make_interval(secs => ${limit.seconds}))
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN attempt.window_ends_at <= now() THEN 1 ELSE attempt.count + 1 END,
      window_ends_at = CASE WHEN attempt.window_ends_at <= now() THEN excluded.window_ends_at ELSE attempt.window_ends_at END
    RETURNING count, ceil(extract(epoch FROM window_ends_at - now()))::int AS seconds_left`);
  const counted = rows[0];
  if (counted && counted.count > limit.max) {
    throw new AppError(429, 'too_many_attempts', {
      retryAfterSeconds: counted.seconds_left,
      params: { minutes: Math.max(1, Math.ceil(counted.seconds_left / 60)) },
    });
  }
}

/** Forgets the attempts under these keys, after one that succeeded. */
export async function forgetAttempts(db: Database, keys: readonly string[]): Promise<void> {
  await db.execute(sql`DELETE FROM attempt WHERE key IN ${[...keys]}`);
}

/** Takes one attempt back that succeeded, and leaves those of others who share the key. */
export async function takeAttemptBack(db: Database, key: string): Promise<void> {
  await db.execute(sql`UPDATE attempt SET count = count - 1 WHERE key = ${key} AND count > 0`);
}

/** What attempts from an address are counted under: a subscriber of IPv6 has a whole /64 to choose addresses from. */
export const networkOf = (ip: string): string => (ip.includes(':') ? (canonicalCidr(`${ip}/64`) ?? ip) : ip);
