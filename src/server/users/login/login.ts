import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { disabledStatus } from '../../../contract/enums.ts';
import type { ParsedInputOf } from '../../../contract/kit/call.ts';
import type { admin, loginInfo } from '../../../contract/people/admin.ts';
import { normalAccount } from '../../../contract/people/registration.ts';
import { type FullBucket, type Reservation, reserveAttempt, tooManyAttempts } from '../../kit/calls/attempts.ts';
import { recordAct } from '../../kit/calls/audit.ts';
import type { PublicContext } from '../../kit/calls/context.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { plainPasswords } from '../../kit/calls/sealing.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { user_account } from '../users.table.ts';
import { newDeviceToken } from './known-devices.ts';
import { type LoginAccount, type LoginLimits, loginLimits } from './login-limits.ts';
import { failuresSince, tellOfFailures } from './login-notices.ts';
import { isPassword } from './passwords.ts';
import { countCodeTry, forgetCodeTries, hasSecondFactor, redeemCode, spendCode } from './second-factor.ts';
import { describeSession, openSession } from './sessions.ts';

type Credentials = { account: string; password: string; code: string | undefined };
type Found = LoginAccount & { login_at: string | null };
type Proved = Found & { has_second_factor: boolean };
/** What a guess is about: who asks, whose account it is, if there is one, and which failures stop it. */
type Guess = { context: PublicContext; credentials: Credentials; found: Found | undefined; limits: LoginLimits };

async function findAccount(db: Database, account: string): Promise<Found | undefined> {
  const [found] = await db
    .select({
      id: user_account.id,
      password_hash: user_account.password_hash,
      disabled: user_account.disabled,
      login_ip: user_account.login_ip,
      login_at: user_account.login_at,
    })
    .from(user_account)
    .where(sql`lower(${user_account.account}) = lower(${account})`);
  return found;
}

const askerOf = ({ device_id }: LoginLimits): string => (device_id === undefined ? '' : `device:${device_id}`);

/** Counts a wrong guess, logs it, and tells the owner where it was the one after which strangers are kept out. */
async function countFailure({ context, credentials, found }: Guess, reserved: Reservation, reason: string): Promise<void> {
  const content = { account: credentials.account, reason };
  await recordAct(context.db, context, { type: 'admin/login_failed', user_id: found?.id ?? null, content });
  const isFull = await reserved.fail();
  // Not waited for: an answer that takes longer would tell that there is such an account.
  if (isFull && found) void tellOfFailures(context, found.id);
}

/** Finds out whether a caller is the user of an account. Answers the same, and takes as long, for an account that does not exist. */
async function prove(guess: Guess, reserved: Reservation): Promise<Proved> {
  const { context, credentials, found, limits } = guess;
  const { password, code } = credentials;
  if (!(await isPassword(password, found?.password_hash)) || !found) {
    await countFailure(guess, reserved, 'login.wrong');
    throw new AppError(401, 'login.wrong');
  }
  if (found.disabled === disabledStatus.yes) throw new AppError(403, 'login.disabled');
  const has_second_factor = await hasSecondFactor(context.db, found.id);
  if (has_second_factor && !code) throw new AppError(401, 'login.second_factor_required');
  if (has_second_factor && !(await spendCode(context, found.id, code ?? '', askerOf(limits)))) {
    await countFailure(guess, reserved, 'login.second_factor_wrong');
    throw new AppError(401, 'login.second_factor_wrong');
  }
  return { ...found, has_second_factor };
}

/**
 * Lets the password and the second factor together through where too many have failed. Whatever is wrong, the answer, its time and the
 * work are the same, so that nobody learns whether a password was right. Counted in the network's bucket.
 */
async function proveBoth(guess: Guess, refusal: AppError): Promise<Proved> {
  const { context, credentials, found, limits } = guess;
  const reserved = await reserveAttempt(context.db, [limits.network]);
  if (reserved.full) throw tooManyAttempts(reserved.full.seconds_left);
  try {
    const isRight = await isPassword(credentials.password, found?.password_hash);
    const known = isRight && found?.disabled === disabledStatus.no ? found : undefined;
    const isCode = await isRightCode(guess, known);
    if (known && isCode) return { ...known, has_second_factor: true };
    await countFailure(guess, reserved, isRight ? 'login.second_factor_wrong' : 'login.wrong');
    throw refusal;
  } finally {
    await reserved.release();
  }
}

/** Whether the code is right, of an account whose password was: for any other the same work is done in vain, under a key of its own. */
async function isRightCode({ context, credentials, limits }: Guess, known: Found | undefined): Promise<boolean> {
  const asker = known ? askerOf(limits) : `unproved:${credentials.account.toLowerCase()}`;
  const hasTries = await countCodeTry(context.db, known?.id ?? 0, asker).then(
    () => true,
    () => false,
  );
  const isRight = await redeemCode(context, known && hasTries ? known.id : 0, credentials.code ?? '');
  if (isRight && known) await forgetCodeTries(context.db, known.id, asker);
  return isRight;
}

/** One answer for every account that is locked, whether or not it exists. */
function refusalOf({ limits }: Guess, full: FullBucket): AppError {
  return tooManyAttempts(full.seconds_left, full.key === limits.network.key ? undefined : 'login.locked');
}

async function check(guess: Guess): Promise<Proved> {
  const { context, credentials, limits } = guess;
  // Counted before the password is looked at, so that parallel guesses can't all be in flight.
  const reserved = await reserveAttempt(context.db, limits.buckets);
  if (reserved.full) {
    const refusal = refusalOf(guess, reserved.full);
    if (reserved.full.key === limits.network.key || !credentials.code) throw refusal;
    return proveBoth(guess, refusal);
  }
  try {
    const proved = await prove(guess, reserved);
    // The other buckets are shared: who knows one password must not get new guesses at the rest by using it.
    await reserved.release([limits.own.key]);
    return proved;
  } finally {
    // What was no wrong guess does not count: a missing code, a disabled account, a database that failed.
    await reserved.release();
  }
}

/**
 * Whether what was proved still holds, now that the user's row is locked: who changes a password or a second factor locks it too, and
 * ends all sessions that were opened before.
 */
async function refuseOutdated(tx: Database, { id, password_hash, has_second_factor }: Proved): Promise<void> {
  const unchanged = and(
    eq(user_account.id, id),
    eq(user_account.password_hash, password_hash),
    eq(user_account.disabled, disabledStatus.no),
  );
  const locked = await tx.select({ id: user_account.id }).from(user_account).where(unchanged).for('no key update');
  if (locked.length === 0 || (await hasSecondFactor(tx, id)) !== has_second_factor) throw new AppError(401, 'login.wrong');
}

/** Opens a session for a password and, where the user has one, a second factor. `docs/decisions/0030` says who is stopped when. */
export async function login(
  input: ParsedInputOf<(typeof admin)['calls']['login']>,
  context: PublicContext,
): Promise<z.infer<typeof loginInfo>> {
  const { db } = context;
  const account = normalAccount(input.account);
  const { password } = plainPasswords(input, ['password'], 'admin/login', context);
  const found = await findAccount(db, account);
  const limits = await loginLimits(context, { account, device_token: input.device_token }, found);
  const proved = await check({ context, credentials: { account, password, code: input.code }, found, limits });
  const failures = await failuresSince(context, proved);
  const token = await transact(db, async (tx) => {
    await refuseOutdated(tx, proved);
    await recordAct(tx, context, { type: 'admin/login', user_id: proved.id, content: {} });
    return openSession(tx, context, proved.id, input.language);
  });
  const session = await describeSession(context, proved.id, { token, impersonator: null });
  return { ...session, device_token: newDeviceToken(context, proved, limits.device_id), failures };
}
