import { eq, sql } from 'drizzle-orm';
import type { admin, UserInfo } from '../../contract/admin.ts';
import { countAttempt, forgetAttempts } from '../kit/attempts.ts';
import { newToken, sessionDays } from '../kit/authentication.ts';
import type { PublicContext, Service } from '../kit/context.ts';
import type { Database } from '../kit/database.ts';
import { AppError, notFound } from '../kit/errors.ts';
import { log } from '../kit/tables.ts';
import { role } from '../roles/roles.table.ts';
import { menuOf } from './menu.reads.ts';
import { isPassword } from './passwords.ts';
import { session, user_account } from './users.table.ts';

async function userInfo(db: Database, user_id: number): Promise<UserInfo> {
  const [found] = await db
    .select({
      id: user_account.id,
      account: user_account.account,
      name: user_account.name,
      role: { id: role.id, name: role.name, kind: role.kind },
      member_expires_at: user_account.member_expires_at,
      all_codes_open: user_account.all_codes_open,
    })
    .from(user_account)
    .innerJoin(role, eq(role.id, user_account.role_id))
    .where(eq(user_account.id, user_id));
  if (!found) throw notFound();
  return found;
}

async function openSession(context: PublicContext, user_id: number): Promise<string> {
  const { token, hash } = newToken();
  const { db, ip, user_agent } = context;
  const expires_at = sql`now() + make_interval(days => ${sessionDays})`;
  await db.insert(session).values({ token_hash: hash, user_id, ip, user_agent, expires_at });
  await db.update(user_account).set({ login_ip: ip, login_at: sql`now()` }).where(eq(user_account.id, user_id));
  await db.insert(log).values({ user_id, type: 'admin/login', content: {}, source: 'api', ip, user_agent });
  return token;
}

export const adminService: Service<typeof admin> = {
  async login(input, context) {
    const { db } = context;
    const { login_failure_limit, login_failure_minutes } = await context.settings();
    const seconds = login_failure_minutes * 60;
    const account = input.account.toLowerCase();
    const keys = [`login:account:${account}`, `login:ip:${context.ip}`] as const;
    // Counted before the password is looked at, so that parallel guesses can't all be in flight; a success forgets the account's.
    await countAttempt(db, keys[0], { max: login_failure_limit, seconds });
    await countAttempt(db, keys[1], { max: login_failure_limit * 4, seconds });
    const [found] = await db
      .select()
      .from(user_account)
      .where(eq(sql`lower(${user_account.account})`, account));
    if (!(await isPassword(input.password, found?.password_hash)) || !found) {
      await db.insert(log).values({
        user_id: found?.id ?? null,
        type: 'admin/login_failed',
        content: { account },
        source: 'api',
        ip: context.ip,
        user_agent: context.user_agent,
      });
      throw new AppError(401, 'login.wrong');
    }
    if (found.disabled === 2) throw new AppError(403, 'login.disabled');
    await forgetAttempts(db, keys);
    return { token: await openSession(context, found.id), user_info: await userInfo(db, found.id) };
  },

  async logout(_input, { db, actor }) {
    await db.delete(session).where(eq(session.id, actor.session_id));
    return {};
  },

  get_info: async (_input, { db, actor }) => ({ token: actor.token, user_info: await userInfo(db, actor.user_id) }),

  get_token_menu: async (_input, { db, actor }) => ({ tree_menu_arr: await menuOf(db, actor.nodes) }),
};
