import { setTimeout as sleep } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../postgres/database.ts';
import { AppError } from './errors.ts';

/** Moments that differ by more were taken from a clock that was set since. */
export const clockTolerance = '1 minute';

type Limit = { max: number; seconds: number };
type Counted = { count: number; seconds_left: number };

/** Failures that are counted together: `max` of them within `seconds` fill it until the window ends. */
export type Bucket = Limit & { key: string };
export type FullBucket = { key: string; seconds_left: number };

/** An attempt that is under way; the first of the two calls ends it, another one does nothing. */
export type Reservation = {
  full?: undefined;
  /** It was wrong and stays counted. Answers whether it filled a bucket. */
  fail: () => Promise<boolean>;
  /** Takes it back. The failures under the keys in `forgotten` are forgotten with it, not those whose checks are under way. */
  release: (forgotten?: readonly string[]) => Promise<void>;
};

/** How long one waits for the checks of others, and how often it looks whether they have ended. */
const maxWaitMilliseconds = 10_000;
const firstPauseMilliseconds = 25;
const maxPauseMilliseconds = 400;

/** 429 with the time until the window ends. */
export const tooManyAttempts = (seconds_left: number, code = 'too_many_attempts'): AppError =>
  new AppError(429, code, {
    retryAfterSeconds: Math.max(1, seconds_left),
    params: { minutes: Math.max(1, Math.ceil(seconds_left / 60)) },
  });

/**
 * For `ON CONFLICT`. A window that ends much later than one that begins now was opened by a clock ahead of this one; one that ends a little later, by an
 * attempt at the same moment.
 */
export const isOver = sql`(attempt.window_ends_at <= now() OR attempt.window_ends_at > excluded.window_ends_at + ${clockTolerance}::interval)`;

/**
 * Counts one attempt under a key and refuses it with 429 once `max` were counted in the window. One statement counts and
 * decides, so that parallel attempts can't slip through; it must not run in a transaction that the refusal rolls back.
 */
export async function countAttempt(db: Database, key: string, limit: Limit): Promise<void> {
  const { rows } = await db.execute<Counted>(sql`
    INSERT INTO attempt (key, count, window_ends_at) VALUES (${key}, 1, now() + make_interval(secs => ${limit.seconds}))
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN ${isOver} THEN 1 ELSE attempt.count + 1 END,
      window_ends_at = CASE WHEN ${isOver} THEN excluded.window_ends_at ELSE attempt.window_ends_at END
    RETURNING count, ceil(extract(epoch FROM window_ends_at - now()))::int AS seconds_left`);
  const counted = rows[0];
  if (counted && counted.count > limit.max) throw tooManyAttempts(counted.seconds_left);
}

/**
 * Counts an attempt in all buckets before it is checked, so that parallel guesses can't all be looked at. Where a bucket holds `max`
 * failures the attempt is refused; where some of them are still being checked it waits for how they end, because right ones don't
 * count. Must not run in a transaction.
 */
export async function reserveAttempt(db: Database, buckets: readonly Bucket[]): Promise<Reservation | { full: FullBucket }> {
  const deadline = performance.now() + maxWaitMilliseconds;
  for (let pause = firstPauseMilliseconds; ; pause = Math.min(pause * 2, maxPauseMilliseconds)) {
    const full = (await readFailures(db, buckets)) ?? (await tryToReserve(db, buckets));
    if (!full) return reservationOf(db, buckets);
    if (full.isFinal || performance.now() > deadline) return { full };
    await sleep(pause);
  }
}

type Blocking = FullBucket & { isFinal: boolean };
type BucketRow = Counted & { key: string; in_flight: number };

const secondsLeft = sql`ceil(extract(epoch FROM window_ends_at - now()))::int AS seconds_left`;
const keysOf = (buckets: readonly Bucket[]) => sql.param(buckets.map(({ key }) => key));
const secondsOf = (buckets: readonly Bucket[]) => sql.param(buckets.map(({ seconds }) => seconds));
const given = (buckets: readonly Bucket[]) => sql`unnest(${keysOf(buckets)}::text[], ${secondsOf(buckets)}::int[]) AS given (key, seconds)`;

/** The first bucket in which more than `max` would be counted, in the order in which they were named. */
function blockingOf(buckets: readonly Bucket[], rows: readonly BucketRow[], counted: number): Blocking | undefined {
  for (const { key, max } of buckets) {
    const row = rows.find((found) => found.key === key);
    if (row && row.count + 1 - counted > max) return { key, seconds_left: row.seconds_left, isFinal: row.count - row.in_flight >= max };
  }
  return undefined;
}

/** A refusal costs one reading: a flood of guesses must not make rows wait for each other. */
async function readFailures(db: Database, buckets: readonly Bucket[]): Promise<Blocking | undefined> {
  const { rows } = await db.execute<BucketRow>(sql`
    SELECT key, count, in_flight, ${secondsLeft} FROM attempt JOIN ${given(buckets)} USING (key)
    WHERE window_ends_at > now() AND window_ends_at <= now() + make_interval(secs => seconds) + ${clockTolerance}::interval`);
  return blockingOf(buckets, rows, 0);
}

/** Counts in all buckets by one statement, which locks the rows in the order of their keys, and takes it back where one has no room. */
async function tryToReserve(db: Database, buckets: readonly Bucket[]): Promise<Blocking | undefined> {
  const { rows } = await db.execute<BucketRow>(sql`
    INSERT INTO attempt (key, count, in_flight, window_ends_at)
    SELECT key, 1, 1, now() + make_interval(secs => seconds)
    FROM ${given(buckets)} ORDER BY key
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN ${isOver} THEN 1 ELSE attempt.count + 1 END,
      in_flight = CASE WHEN ${isOver} THEN 1 ELSE attempt.in_flight + 1 END,
      window_ends_at = CASE WHEN ${isOver} THEN excluded.window_ends_at ELSE attempt.window_ends_at END
    RETURNING key, count, in_flight, ${secondsLeft}`);
  const blocking = blockingOf(buckets, rows, 1);
  if (blocking) await settle(db, buckets, takenBack);
  return blocking;
}

const takenBack = sql`greatest(count - 1, 0)`;

/** Ends the check of an attempt in all its buckets, locked in the order in which they were counted. */
async function settle(db: Database, buckets: readonly Bucket[], count: SQL): Promise<BucketRow[]> {
  const { rows } = await db.execute<BucketRow>(sql`
    WITH own AS (SELECT key FROM attempt WHERE key = ANY(${keysOf(buckets)}::text[]) ORDER BY key FOR UPDATE)
    UPDATE attempt SET count = ${count}, in_flight = greatest(in_flight - 1, 0) FROM own WHERE attempt.key = own.key
    RETURNING attempt.key, count, in_flight, ${secondsLeft}`);
  return rows;
}

function reservationOf(db: Database, buckets: readonly Bucket[]): Reservation {
  let isSettled = false;
  async function settleOnce(count: SQL): Promise<BucketRow[]> {
    if (isSettled) return [];
    isSettled = true;
    return settle(db, buckets, count);
  }
  return {
    async fail() {
      const rows = await settleOnce(sql`count`);
      return buckets.some(({ key, max }) => rows.some((row) => row.key === key && row.count - row.in_flight >= max));
    },
    async release(forgotten = []) {
      const isForgotten = sql`attempt.key = ANY(${sql.param([...forgotten])}::text[])`;
      await settleOnce(sql`CASE WHEN ${isForgotten} THEN greatest(in_flight - 1, 0) ELSE ${takenBack} END`);
    },
  };
}

/** Forgets the attempts under these keys, after one that succeeded. */
export async function refundAttempts(db: Database, keys: readonly string[]): Promise<void> {
  await db.execute(sql`DELETE FROM attempt WHERE key IN ${[...keys]}`);
}
