import { randomBytes, randomInt } from 'node:crypto';
import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { RoleKind } from '../../../contract/enums.ts';
import { countAttempt, forgetAttempts } from '../../kit/calls/attempts.ts';
import type { PublicContext } from '../../kit/calls/context.ts';
import type { Database } from '../../kit/postgres/database.ts';
import type { Vault } from '../../kit/vault.ts';
import { recovery_code, second_factor } from '../users.table.ts';
import { matchingStep, totpSecretBytes } from './totp.ts';

const recoveryCodeCount = 10;
/** Without the characters that are easily taken for each other: 31 to the 10th power are 49 bits. */
const recoveryAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const recoveryLength = 10;
/** Of a million codes three hold at a time: a guesser has one chance in 16,000 a day. */
const triesADay = 20;

/** What the key of a user is sealed for; it opens for nobody else's row. */
export const totpLabel = (user_id: number): string => `totp:${user_id}`;

export async function hasSecondFactor(db: Database, user_id: number): Promise<boolean> {
  return (await db.$count(second_factor, and(eq(second_factor.user_id, user_id), isNotNull(second_factor.secret)))) > 0;
}

export const isMandatory = async ({ settings }: PublicContext, kind: RoleKind): Promise<boolean> =>
  (kind === 'super' || kind === 'administrator') && (await settings()).google_verification;

export const needsEnrolment = async (context: PublicContext, user_id: number, kind: RoleKind): Promise<boolean> =>
  (await isMandatory(context, kind)) && !(await hasSecondFactor(context.db, user_id));

/** Tries of a session, of a known device and of strangers are counted apart: nobody uses up those of another. */
const triesKey = (user_id: number, asker: string): string => (asker === '' ? `totp:${user_id}` : `totp:${user_id}:${asker}`);

export const countCodeTry = (db: Database, user_id: number, asker: string): Promise<void> =>
  countAttempt(db, triesKey(user_id, asker), { max: triesADay, seconds: 86_400 });

export const forgetCodeTries = (db: Database, user_id: number, asker: string): Promise<void> =>
  forgetAttempts(db, [triesKey(user_id, asker)]);

/**
 * Counts a try of a user's code and says whether it was right; a right one is used up. Not for transactions that a refusal rolls back.
 * @param asker whose tries are counted: a session, a known device, or strangers ('')
 */
export async function spendCode(context: PublicContext, user_id: number, code: string, asker: string): Promise<boolean> {
  await countCodeTry(context.db, user_id, asker);
  const isRight = await redeemCode(context, user_id, code);
  if (isRight) await forgetCodeTries(context.db, user_id, asker);
  return isRight;
}

/** The same without counting. For a user without a second factor the work is the same, and the answer no. */
export const redeemCode = (context: PublicContext, user_id: number, code: string): Promise<boolean> =>
  /^\d{6}$/.test(plainCode(code)) ? spendTotp(context, user_id, plainCode(code)) : spendRecoveryCode(context, user_id, code);

/** A code as apps and people write it: `123 456`, in full-width digits too. */
export const plainCode = (code: string): string => code.normalize('NFKC').replaceAll(/[\s-]/g, '');

async function spendTotp({ db, vault, now }: PublicContext, user_id: number, code: string): Promise<boolean> {
  const [factor] = await db.select({ secret: second_factor.secret }).from(second_factor).where(eq(second_factor.user_id, user_id));
  const key = factor?.secret ? vault.open(factor.secret, totpLabel(user_id)) : randomBytes(totpSecretBytes);
  const step = matchingStep(key, code, now);
  if (!factor?.secret || step === undefined) return false;
  // Of any number that use the same code at once, one moves the step on.
  const used = await db
    .update(second_factor)
    .set({ last_step: step })
    .where(and(eq(second_factor.user_id, user_id), lt(second_factor.last_step, step), eq(second_factor.secret, factor.secret)))
    .returning({ user_id: second_factor.user_id });
  return used.length === 1;
}

const hashOf = (vault: Vault, user_id: number, code: string): Buffer =>
  vault.mac(`${user_id}:${plainCode(code).toLowerCase()}`, 'recovery codes');

async function spendRecoveryCode({ db, vault }: PublicContext, user_id: number, code: string): Promise<boolean> {
  const used = await db
    .update(recovery_code)
    .set({ used_at: sql`now()` })
    .where(
      and(eq(recovery_code.user_id, user_id), eq(recovery_code.code_hash, hashOf(vault, user_id, code)), isNull(recovery_code.used_at)),
    )
    .returning({ user_id: recovery_code.user_id });
  return used.length === 1;
}

/** Replaces a user's recovery codes. The new ones, `abcde-fghjk`, are readable now and never again. */
export async function renewRecoveryCodes(tx: Database, vault: Vault, user_id: number): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () => {
    const letters = Array.from({ length: recoveryLength }, () => recoveryAlphabet[randomInt(recoveryAlphabet.length)]).join('');
    return `${letters.slice(0, recoveryLength / 2)}-${letters.slice(recoveryLength / 2)}`;
  });
  await tx.delete(recovery_code).where(eq(recovery_code.user_id, user_id));
  await tx.insert(recovery_code).values(codes.map((code) => ({ user_id, code_hash: hashOf(vault, user_id, code) })));
  return codes;
}
