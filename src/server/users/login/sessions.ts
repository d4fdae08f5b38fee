import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Language } from '../../../contract/enums.ts';
import type { sessionInfo, UserInfo } from '../../../contract/people/admin.ts';
import { socketTypes } from '../../../contract/socket.ts';
import { newToken, sessionDays } from '../../kit/calls/authentication.ts';
import type { Actor, PublicContext } from '../../kit/calls/context.ts';
import { notFound } from '../../kit/calls/errors.ts';
import { publish } from '../../kit/postgres/bus.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { role } from '../../roles/roles.table.ts';
import { session, user_account } from '../users.table.ts';
import { needsEnrolment } from './second-factor.ts';

type SessionInfo = z.infer<typeof sessionInfo>;

/** Session ids in one message of the bus, which takes less than 8000 bytes. */
const toldAtOnce = 400;
export const impersonationHours = 2;

async function readUserInfo(db: Database, user_id: number): Promise<UserInfo> {
  const [found] = await db
    .select({
      id: user_account.id,
      account: user_account.account,
      name: user_account.name,
      role: { id: role.id, name: role.name, kind: role.kind },
      member_expires_at: user_account.member_expires_at,
      all_codes_open: user_account.all_codes_open,
      frozen_at: user_account.frozen_at,
      frozen_reason: user_account.frozen_reason,
    })
    .from(user_account)
    .innerJoin(role, eq(role.id, user_account.role_id))
    .where(eq(user_account.id, user_id));
  if (!found) throw notFound();
  return found;
}

/** What a login and `get_info` answer. */
export async function describeSession(
  context: PublicContext,
  user_id: number,
  { token, impersonator }: Pick<Actor, 'token' | 'impersonator'>,
): Promise<SessionInfo> {
  const user_info = await readUserInfo(context.db, user_id);
  const must_enrol = await needsEnrolment(context, user_id, user_info.role.kind);
  return { token, user_info, impersonator, must_enrol };
}

/** Opens a session for a user who just proved who he is. The caller holds a lock on the user's row. */
export async function openSession(tx: Database, context: PublicContext, user_id: number, language?: Language): Promise<string> {
  const { token, hash } = newToken();
  const { ip, user_agent } = context;
  await tx.delete(session).where(and(eq(session.user_id, user_id), sql`${session.expires_at} <= now()`));
  const expires_at = sql`now() + make_interval(days => ${sessionDays})`;
  await tx.insert(session).values({ token_hash: hash, user_id, ip, user_agent, expires_at });
  await tx
    .update(user_account)
    .set({ login_ip: ip, login_at: sql`now()`, ...(language ? { language } : {}) })
    .where(eq(user_account.id, user_id));
  return token;
}

/** Opens a session as another user. It ends with the administrator's own and is never prolonged. */
export async function openSessionAs(tx: Database, context: PublicContext & { actor: Actor }, user_id: number): Promise<string> {
  const { token, hash } = newToken();
  const { ip, user_agent, actor } = context;
  const expires_at = sql`now() + make_interval(hours => ${impersonationHours})`;
  await tx.insert(session).values({ token_hash: hash, user_id, ip, user_agent, expires_at, impersonator_session_id: actor.session_id });
  return token;
}

/** Ends sessions, with those that were opened from them, and has their open pages load anew. Answers how many ended. */
async function end(tx: Database, which: SQL | undefined): Promise<number> {
  const inherited = tx.select({ id: session.id }).from(session).where(which);
  const ended = await tx
    .delete(session)
    .where(or(which, sql`${session.impersonator_session_id} IN ${inherited}`))
    .returning({ id: session.id });
  for (let from = 0; from < ended.length; from += toldAtOnce) {
    const session_ids = ended.slice(from, from + toldAtOnce).map(({ id }) => id);
    await publish(tx, 'push', { to: { session_ids }, type: socketTypes.reload });
  }
  return ended.length;
}

/** Ends all sessions of these users, but the one that is to be kept. */
export const endSessions = (tx: Database, user_ids: readonly number[], keptId?: number): Promise<number> =>
  end(tx, and(isOneOf(session.user_id, user_ids), keptId === undefined ? undefined : ne(session.id, keptId)));

/** Ends all sessions of the users that a condition on their rows names. */
export const endSessionsWhere = (tx: Database, users: SQL | undefined): Promise<number> =>
  end(tx, sql`${session.user_id} IN ${tx.select({ id: user_account.id }).from(user_account).where(users)}`);

/** Ends one session, if it is this user's. */
export const endSession = (tx: Database, user_id: number, session_id: number): Promise<number> =>
  end(tx, and(eq(session.user_id, user_id), eq(session.id, session_id)));
