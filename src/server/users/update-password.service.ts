import { randomBytes } from 'node:crypto';
import { and, desc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { passwordChangeFault } from '../../contract/people/registration.ts';
import type { updatePassword } from '../../contract/people/update-password.ts';
import { revokeTokensOf, usableTokensOf } from '../kit/calls/api-tokens.ts';
import { recordAct } from '../kit/calls/audit.ts';
import { type Context, refuseImpersonator, type Service } from '../kit/calls/context.ts';
import { AppError, invalidField } from '../kit/calls/errors.ts';
import { plainPasswords } from '../kit/calls/sealing.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import { askerOf, checkPassword } from './identity.public.ts';
import { brokenRule, refuseCommonPassword } from './login/credentials.ts';
import { deviceOf } from './login/device.ts';
import { newDeviceToken } from './login/known-devices.ts';
import { hashPassword } from './login/passwords.ts';
import { countCodeTry, forgetCodeTries, isMandatory, plainCode, renewRecoveryCodes, totpLabel } from './login/second-factor.ts';
import { endSession, endSessions } from './login/sessions.ts';
import { base32, matchingStep, otpauthUrl, totpSecretBytes } from './login/totp.ts';
import { recovery_code, second_factor, session, user_account } from './users.table.ts';

const pendingMinutes = 15;

/** Logins lock the user's row too: none slips in between with what held before. */
const lockOneself = (tx: Database, { actor }: Context) =>
  tx.select({ id: user_account.id }).from(user_account).where(eq(user_account.id, actor.user_id)).for('no key update');

const opener = alias(session, 'opener');
const impersonator = alias(user_account, 'impersonator');

export const updatePasswordService: Service<typeof updatePassword> = {
  async update(input, context) {
    const { db, actor } = context;
    refuseImpersonator(context);
    const fields = ['old_password', 'new_password', 'repeat_password'] as const;
    const plain = plainPasswords(input, fields, 'update_password/update', context);
    const fault = passwordChangeFault({ account: actor.account, ...plain });
    if (fault) throw brokenRule(fault);
    refuseCommonPassword('new_password', plain.new_password);
    const checked = await checkPassword(context, plain.old_password, 'old_password');
    const password_hash = await hashPassword(plain.new_password);
    return transact(db, async (tx) => {
      const changed = await tx
        .update(user_account)
        .set({ password_hash, updated_at: sql`now()` })
        .where(and(eq(user_account.id, actor.user_id), eq(user_account.password_hash, checked)))
        .returning({ id: user_account.id });
      if (changed.length === 0) throw new AppError(409, 'conflict.changed');
      const revoked = input.revoke_api_tokens ? await revokeTokensOf(tx, [actor.user_id]) : [];
      const changes = revoked.length > 0 ? { before: { api_tokens: revoked } } : undefined;
      const content = { revoke_api_tokens: input.revoke_api_tokens ?? false };
      await recordAct(tx, context, { type: 'update_password/update', content, changes });
      const affected = await endSessions(tx, [actor.user_id], actor.session_id);
      return { affected, device_token: newDeviceToken(context, { id: actor.user_id, password_hash }) };
    });
  },

  async api_tokens(_input, context) {
    const { db, actor } = context;
    refuseImpersonator(context);
    const [found] = await db
      .select({ number: usableTokensOf(actor.user_id) })
      .from(user_account)
      .where(eq(user_account.id, actor.user_id));
    return { number: found?.number ?? 0 };
  },

  async sessions(_input, context) {
    const { db, actor } = context;
    refuseImpersonator(context);
    const rows = await db
      .select({
        id: session.id,
        ip: session.ip,
        user_agent: session.user_agent,
        created_at: session.created_at,
        used_at: session.used_at,
        impersonator_account: impersonator.account,
      })
      .from(session)
      .leftJoin(opener, eq(opener.id, session.impersonator_session_id))
      .leftJoin(impersonator, eq(impersonator.id, opener.user_id))
      .where(and(eq(session.user_id, actor.user_id), gt(session.expires_at, sql`now()`)))
      .orderBy(desc(session.used_at), desc(session.id));
    const content = rows.map(({ user_agent, ...row }) => ({ ...row, current: row.id === actor.session_id, device: deviceOf(user_agent) }));
    return { content };
  },

  async revoke_session({ id }, context) {
    refuseImpersonator(context);
    return { affected: await endSession(context.db, context.actor.user_id, id) };
  },

  async revoke_other_sessions(_input, context) {
    refuseImpersonator(context);
    return { affected: await endSessions(context.db, [context.actor.user_id], context.actor.session_id) };
  },

  async second_factor(_input, context) {
    const { db, actor } = context;
    const own = eq(recovery_code.user_id, actor.user_id);
    const [found] = await db.select().from(second_factor).where(eq(second_factor.user_id, actor.user_id));
    const confirmed_at = found?.confirmed_at ?? null;
    const mandatory = await isMandatory(context, actor.role.kind);
    const recovery_codes_left = await db.$count(recovery_code, and(own, sql`${recovery_code.used_at} IS NULL`));
    return { enabled: confirmed_at !== null, mandatory, confirmed_at, recovery_codes_left };
  },

  async enrol_second_factor(_input, context) {
    const { db, actor, vault } = context;
    const secret = randomBytes(totpSecretBytes);
    const pending = { pending_secret: vault.seal(secret, totpLabel(actor.user_id)), pending_at: context.now.toISOString() };
    await db
      .insert(second_factor)
      .values({ user_id: actor.user_id, ...pending })
      .onConflictDoUpdate({ target: second_factor.user_id, set: pending });
    const { admin_title } = await context.settings();
    return { secret: base32(secret), url: otpauthUrl(secret, admin_title, actor.account) };
  },

  async confirm_second_factor({ totp }, context) {
    const { db, actor, vault, now } = context;
    refuseImpersonator(context);
    await countCodeTry(db, actor.user_id, askerOf(context));
    const isMine = eq(second_factor.user_id, actor.user_id);
    const [pending] = await db
      .select()
      .from(second_factor)
      .where(and(isMine, isNotNull(second_factor.pending_secret)));
    const latest = now.getTime() - pendingMinutes * 60_000;
    if (!pending?.pending_secret || Date.parse(pending.pending_at ?? '') < latest) throw new AppError(409, 'second_factor.not_pending');
    const step = matchingStep(vault.open(pending.pending_secret, totpLabel(actor.user_id)), plainCode(totp), now);
    if (step === undefined) throw invalidField('totp', 'wrong_code');
    const recovery_codes = await transact(db, async (tx) => {
      await lockOneself(tx, context);
      const confirmed = await tx
        .update(second_factor)
        .set({ secret: pending.pending_secret, pending_secret: null, pending_at: null, last_step: step, confirmed_at: now.toISOString() })
        .where(and(isMine, eq(second_factor.pending_secret, pending.pending_secret ?? Buffer.alloc(0))))
        .returning({ user_id: second_factor.user_id });
      if (confirmed.length === 0) throw new AppError(409, 'second_factor.not_pending');
      await endSessions(tx, [actor.user_id], actor.session_id);
      await recordAct(tx, context, { type: 'update_password/confirm_second_factor', content: {} });
      return renewRecoveryCodes(tx, vault, actor.user_id);
    });
    await forgetCodeTries(db, actor.user_id, askerOf(context));
    return { recovery_codes };
  },

  async disable_second_factor(_input, context) {
    if (await isMandatory(context, context.actor.role.kind)) throw new AppError(409, 'second_factor.mandatory');
    return transact(context.db, async (tx) => {
      await lockOneself(tx, context);
      const removed = await tx.delete(second_factor).where(eq(second_factor.user_id, context.actor.user_id)).returning();
      await recordAct(tx, context, { type: 'update_password/disable_second_factor', content: {} });
      return { affected: removed.length };
    });
  },

  renew_recovery_codes: (_input, context) =>
    transact(context.db, async (tx) => {
      await lockOneself(tx, context);
      await recordAct(tx, context, { type: 'update_password/renew_recovery_codes', content: {} });
      return { recovery_codes: await renewRecoveryCodes(tx, context.vault, context.actor.user_id) };
    }),
};
