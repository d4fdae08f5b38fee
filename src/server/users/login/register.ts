import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import { disabledStatus } from '../../../contract/enums.ts';
import type { ParsedInputOf } from '../../../contract/kit/call.ts';
import type { admin, loginInfo } from '../../../contract/people/admin.ts';
import { normalAccount, registrationFault } from '../../../contract/people/registration.ts';
import { mayInvite } from '../../../contract/people/user-list.ts';
import type { Settings } from '../../../contract/settings.ts';
import { countAttempt } from '../../kit/calls/attempts.ts';
import { recordAct } from '../../kit/calls/audit.ts';
import type { PublicContext } from '../../kit/calls/context.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { plainPasswords } from '../../kit/calls/sealing.ts';
import { networkOf } from '../../kit/network/ip.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { defaultRoleId } from '../../roles/roles.public.ts';
import { role } from '../../roles/roles.table.ts';
import { insertUser } from '../new-user.ts';
import { user_account } from '../users.table.ts';
import { brokenRule, refuseCommonPassword } from './credentials.ts';
import { newDeviceToken } from './known-devices.ts';
import { hashPassword } from './passwords.ts';
import { describeSession, openSession } from './sessions.ts';

/** Accounts that one network may make in an hour: many people share an address, few need thirty accounts. */
const registrationsAnHour = 30;

function refuseClosed({ admin_register, no_registration_hint }: Settings): void {
  if (admin_register) return;
  if (no_registration_hint) throw new AppError(403, 'register.closed_hint', { params: { hint: no_registration_hint } });
  throw new AppError(403, 'register.closed');
}

/** The user whose invitation code this is; null without a code. Who may not invite has none that counts. */
async function inviterOf(db: Database, code: string): Promise<number | null> {
  if (code === '') return null;
  const isInviter = and(eq(user_account.invitation_code, code), eq(user_account.disabled, disabledStatus.no));
  const [inviter] = await db
    .select({ id: user_account.id, kind: role.kind })
    .from(user_account)
    .innerJoin(role, eq(role.id, user_account.role_id))
    .where(isInviter);
  if (!inviter || !mayInvite(inviter.kind)) throw brokenRule({ field: 'code', key: 'unknown_invitation_code' });
  return inviter.id;
}

export async function register(
  input: ParsedInputOf<(typeof admin)['calls']['register']>,
  context: PublicContext,
): Promise<z.infer<typeof loginInfo>> {
  const { db, ip } = context;
  const settings = await context.settings();
  refuseClosed(settings);
  const { password } = plainPasswords(input, ['password'], 'admin/register', context);
  const code = input.code?.trim() ?? '';
  const fault = registrationFault({ account: input.account, password, code });
  if (fault) throw brokenRule(fault);
  refuseCommonPassword('password', password);
  const superior_id = await inviterOf(db, code);
  await countAttempt(db, `register:ip:${networkOf(ip)}`, { max: registrationsAnHour, seconds: 3600 });
  const values = {
    account: normalAccount(input.account),
    password_hash: await hashPassword(password),
    role_id: await defaultRoleId(db),
    superior_id,
    share_ratio: Math.round(settings.default_share_ratio * 100),
    register_ip: ip,
  };
  const { id, token } = await transact(db, async (tx) => {
    const user_id = await insertUser(tx, values);
    const { account } = values;
    await recordAct(tx, context, { type: 'admin/register', user_id, content: { account, code, superior_id } });
    return { id: user_id, token: await openSession(tx, context, user_id, input.language) };
  });
  const session = await describeSession(context, id, { token, impersonator: null });
  const device_token = newDeviceToken(context, { id, password_hash: values.password_hash });
  return { ...session, device_token, failures: null };
}
