import { eq } from 'drizzle-orm';
import type { Proof } from '../../contract/kit/call.ts';
import { reserveAttempt, tooManyAttempts } from '../kit/calls/attempts.ts';
import { type Context, refuseImpersonator } from '../kit/calls/context.ts';
import { AppError, invalidField } from '../kit/calls/errors.ts';
import { plainPasswords } from '../kit/calls/sealing.ts';
import { isPassword } from './login/passwords.ts';
import { hasSecondFactor, spendCode } from './login/second-factor.ts';
import { user_account } from './users.table.ts';

/**
 * Checks the caller's own password, with as many tries as a login has, in each session its own: one that was stolen must not keep the
 * user from changing his password. Answers the hash that it was checked against.
 */
export async function checkPassword(context: Context, password: string, field: string): Promise<string> {
  const { db, actor } = context;
  const { login_failure_limit: max, login_failure_minutes } = await context.settings();
  const key = `password:${actor.user_id}:${actor.session_id}`;
  const reserved = await reserveAttempt(db, [{ key, max, seconds: login_failure_minutes * 60 }]);
  if (reserved.full) throw tooManyAttempts(reserved.full.seconds_left);
  const [found] = await db.select({ hash: user_account.password_hash }).from(user_account).where(eq(user_account.id, actor.user_id));
  if (!found || !(await isPassword(password, found.hash))) {
    await reserved.fail();
    throw invalidField(field, 'wrong_password');
  }
  await reserved.release([key]);
  return found.hash;
}

export const askerOf = ({ actor }: Context): string => `session:${actor.session_id}`;

async function checkCode(context: Context, code: string): Promise<void> {
  if (!(await spendCode(context, context.actor.user_id, code, askerOf(context)))) throw invalidField('totp', 'wrong_code');
}

/**
 * That the person behind a call is who his session says: by his password, and by a code where he has a second factor. Not within a
 * transaction: tries are counted also where the call is refused.
 * @param call its name, for which a sealed password was sealed
 * @param options with `needsCode` who has no second factor is refused
 */
export async function proveIdentity(
  context: Context,
  { password = '', totp = '', encrypted = false }: Proof,
  call: string,
  { needsCode = false } = {},
): Promise<void> {
  refuseImpersonator(context);
  const hasCode = await hasSecondFactor(context.db, context.actor.user_id);
  if (needsCode && !hasCode) throw new AppError(409, 'second_factor.not_enabled');
  // Who has to enrol first has a session that is good for nothing else yet, and gave its password a moment ago.
  const needsPassword = !context.actor.is_enrolling;
  if (needsPassword && password === '') throw invalidField('password', 'required');
  const plain = plainPasswords({ password, encrypted }, ['password'], call, context);
  if (hasCode && totp === '') throw invalidField('totp', 'required');
  if (needsPassword) await checkPassword(context, plain.password, 'password');
  if (hasCode) await checkCode(context, totp);
}
