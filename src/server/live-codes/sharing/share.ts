import { createHmac, timingSafeEqual } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { clockTolerance, countAttempt } from '../../kit/calls/attempts.ts';
import type { PublicContext } from '../../kit/calls/context.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { networkOf } from '../../kit/network/ip.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { readSecret } from '../../kit/secrets.ts';
import { live_code, live_code_key } from '../live-codes.table.ts';

/** Wrong passwords of one address (of IPv6, its /64) for one code, whichever page asks by whichever of its keys. The right one isn't counted: a viewer asks every 5 seconds. */
const wrongTries = { max: 10, seconds: 900 };

/** HMAC-SHA256 under the installation's key; with the code's id in it, the same password on two codes looks different. */
export async function hashSharePassword(id: number, password: string, db: Database): Promise<Buffer> {
  const key = await readSecret(db, 'share_password');
  return createHmac('sha256', key).update(`${id}:${password}`).digest();
}

type SharedCode = { id: number; name: string; file_name: string };

/**
 * The code of this key, its own or an alias, if this is its share password.
 * @param refusal the code of the answer 404
 * @throws AppError 404, the same for an unknown code, one that isn't shared or no longer, and a wrong password;
 * 429 after too many wrong ones, for the right one too
 */
export async function openShared(
  key: string,
  password: string,
  { db, ip, now }: PublicContext,
  refusal = 'share.not_available',
): Promise<SharedCode> {
  // A count for each key would give as many guesses again as a code has aliases.
  const counted = `share:${(await ownKeyOf(key, db)) ?? key}:${networkOf(ip)}`;
  const found = await db.transaction(async (transaction) => {
    const tx = transaction as unknown as Database;
    // One try at a time, so that parallel guesses can't all be looked at before the first is counted.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${counted}, 0))`);
    await refuseBlocked(tx, counted);
    const shared = await sharedCode(key, password, tx, now);
    if (!shared) await countAttempt(tx, counted, wrongTries);
    return shared;
  });
  if (!found) throw new AppError(404, refusal);
  return found;
}

/** Whether a code has aliases, and whoever opens it by its password is shown by which key visits came. */
export async function sharesKeys(db: Database, id: number): Promise<boolean> {
  const { rows } = await db.execute(sql`
    SELECT FROM live_code_share WHERE live_code_id = ${id} AND 'by_key' = ANY(figures)
      AND EXISTS (SELECT FROM live_code_key WHERE live_code_id = ${id} AND NOT own)`);
  return rows.length > 0;
}

async function ownKeyOf(key: string, db: Database): Promise<string | undefined> {
  const [code] = await db
    .select({ file_name: live_code.file_name })
    .from(live_code_key)
    .innerJoin(live_code, eq(live_code.id, live_code_key.live_code_id))
    .where(eq(live_code_key.key, key));
  return code?.file_name;
}

async function refuseBlocked(db: Database, key: string): Promise<void> {
  const { rows } = await db.execute<{ seconds_left: number }>(sql`
    SELECT ceil(extract(epoch FROM window_ends_at - now()))::int AS seconds_left FROM attempt
    WHERE key = ${key} AND count >= ${wrongTries.max} AND window_ends_at > now() AND window_ends_at <= now() + make_interval(secs => ${wrongTries.seconds}) + ${clockTolerance}::interval`);
  const blocked = rows[0];
  if (!blocked) return;
  const minutes = Math.max(1, Math.ceil(blocked.seconds_left / 60));
  throw new AppError(429, 'too_many_attempts', { retryAfterSeconds: Math.max(1, blocked.seconds_left), params: { minutes } });
}

async function sharedCode(key: string, password: string, db: Database, now: Date): Promise<SharedCode | undefined> {
  const [code] = await db
    .select({ id: live_code.id, name: live_code.name, file_name: live_code.file_name, hash: live_code.share_password_hash })
    .from(live_code_key)
    .innerJoin(live_code, eq(live_code.id, live_code_key.live_code_id))
    .where(
      and(
        eq(live_code_key.key, key),
        eq(live_code.removed, false),
        sql`NOT EXISTS (SELECT FROM live_code_share WHERE live_code_id = ${live_code.id} AND expires_at <= ${now.toISOString()}::timestamptz)`,
      ),
    );
  // An unknown code costs the same work as a known one.
  const given = await hashSharePassword(code?.id ?? 0, password, db);
  const isRight = timingSafeEqual(given, code?.hash ?? Buffer.alloc(given.length));
  return code?.hash && isRight ? { id: code.id, name: code.name, file_name: code.file_name } : undefined;
}
