import { and, eq, sql } from 'drizzle-orm';
import type { admin } from '../../contract/admin.ts';
import { disabledStatus } from '../../contract/enums.ts';
import { normalAccount } from '../../contract/registration.ts';
import { countAttempt, forgetAttempts, networkOf, takeAttemptBack } from '../kit/attempts.ts';
import { recordAct } from '../kit/audit.ts';
import type { PublicContext, Service } from '../kit/context.ts';
import { type Database, transact } from '../kit/database.ts';
import { AppError } from '../kit/errors.ts';
import { plainPasswords } from '../kit/sealing.ts';
import { menuOf } from './menu.reads.ts';
import { isPassword } from './passwords.ts';
import { register } from './register.ts';
import { hasSecondFactor, spendCode } from './second-factor.ts';
import { describeSession, endSession, openSession } from './sessions.ts';
import { user_account } from './users.table.ts';

type Credentials = { account: string; password: string; totp?: string };
type Proved = { id: number; password_hash: string; has_second_factor: boolean };

async function fail(context: PublicContext, user_id: number | null, account: string, code: string): Promise<never> {
  await recordAct(context.db, context, { type: 'admin/login_failed', user_id, content: { account, reason: code } });
  throw new AppError(401, code);
}

/** Finds out whether somebody is who he says. Answers the same, and takes as long, for an account that does not exist. */
async function prove(context: PublicContext, { account, password, totp }: Credentials): Promise<Proved> {
  const { db } = context;
  const [found] = await db
    .select({ id: user_account.id, password_hash: user_account.password_hash, disabled: user_account.disabled })
    .from(user_account)
    .where(sql`lower(${user_account.account}) = lower(${account})`);
  if (!(await isPassword(password, found?.password_hash)) || !found) return fail(context, found?.id ?? null, account, 'login.wrong');
  if (found.disabled === disabledStatus.yes) throw new AppError(403, 'login.disabled');
  const has_second_factor = await hasSecondFactor(db, found.id);
  if (has_second_factor && !totp) throw new AppError(401, 'login.second_factor_required');
  if (has_second_factor && !(await spendCode(context, found.id, totp ?? '')))
    return fail(context, found.id, account, 'login.second_factor_wrong');
  return { id: found.id, password_hash: found.password_hash, has_second_factor };
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

export const adminService: Service<typeof admin> = {
  async login(input, context) {
    const { db } = context;
    const { login_failure_limit, login_failure_minutes } = await context.settings();
    const seconds = login_failure_minutes * 60;
    const account = normalAccount(input.account);
    const { password } = plainPasswords(input, ['password'], 'admin/login', context);
    const accountKey = `login:account:${account.toLowerCase()}`;
    const networkKey = `login:ip:${networkOf(context.ip)}`;
    // Counted before the password is looked at, so that parallel guesses can't all be in flight.
    await countAttempt(db, accountKey, { max: login_failure_limit, seconds });
    await countAttempt(db, networkKey, { max: login_failure_limit * 4, seconds });
    const proved = await prove(context, { account, password, totp: input.totp });
    // The network's count is others' too: who knows one password must not get new guesses at the rest by using it.
    await forgetAttempts(db, [accountKey]);
    await takeAttemptBack(db, networkKey);
    const token = await transact(db, async (tx) => {
      await refuseOutdated(tx, proved);
      await recordAct(tx, context, { type: 'admin/login', user_id: proved.id, content: {} });
      return openSession(tx, context, proved.id, input.language);
    });
    return describeSession(context, proved.id, { token, impersonator: null });
  },

  register,

  async logout(_input, { db, actor }) {
    await transact(db, (tx) => endSession(tx, actor.user_id, actor.session_id));
    return {};
  },

  get_info: (_input, context) => describeSession(context, context.actor.user_id, context.actor),

  get_token_menu: async (_input, { db, actor }) => ({ tree_menu_arr: await menuOf(db, actor.nodes) }),
};
