import { z } from 'zod';
import { call, group, loggedInOrEnrolling, requireAny } from '../kit/call.ts';
import { count, done, id, time } from '../kit/fields.ts';
import { deviceToken, encrypted, passwordInput } from './admin.ts';
import { revokeApiTokens } from './user-list.ts';

const code = z.string().trim().min(1, 'required').max(40);
const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) });

export const ownSession = z.object({
  id,
  current: z.boolean(),
  ip: z.string().nullable(),
  /** Browser and system, such as `Chrome · Windows`; empty where they are not known. */
  device: z.string(),
  created_at: time,
  used_at: time,
  /** The administrator who opened it. */
  impersonator_account: z.string().nullable(),
});

/** What every user does about his own password, second factor and sessions. No administrator does it while he acts as a user. */
export const updatePassword = group('update_password', {
  update: call({
    summary: 'Change the own password; all other sessions end, with `revoke_api_tokens` the own API tokens, too.',
    access: requireAny('update_password.update'),
    machines: false,
    input: z.object({
      old_password: passwordInput,
      new_password: passwordInput,
      repeat_password: passwordInput,
      encrypted,
      revoke_api_tokens: revokeApiTokens,
    }),
    output: done.extend({ device_token: deviceToken }),
    secrets: ['old_password', 'new_password', 'repeat_password'],
  }),
  api_tokens: call({
    summary: 'How many API tokens of the own may be used.',
    access: requireAny('update_password'),
    machines: false,
    input: z.object({}),
    output: z.object({ number: count }),
  }),
  sessions: call({
    summary: 'The own sessions, newest use first.',
    access: requireAny('update_password'),
    machines: false,
    input: z.object({}),
    output: z.object({ content: z.array(ownSession) }),
  }),
  revoke_session: call({
    summary: 'End one of the own sessions.',
    access: requireAny('update_password'),
    machines: false,
    input: z.object({ id }),
    output: done,
    writes: true,
  }),
  revoke_other_sessions: call({
    summary: 'End all own sessions but this one.',
    access: requireAny('update_password'),
    machines: false,
    input: z.object({}),
    output: done,
    writes: true,
  }),
  second_factor: call({
    summary: 'Whether a second factor is set up, and how many recovery codes are left.',
    access: loggedInOrEnrolling,
    input: z.object({}),
    output: z.object({ enabled: z.boolean(), mandatory: z.boolean(), confirmed_at: time.nullable(), recovery_codes_left: count }),
  }),
  enrol_second_factor: call({
    summary:
      'A new key for an authenticator app, as base32 and as an otpauth address; it waits 15 minutes for `confirm_second_factor`. The password may be left out only where the site demands the enrolment; to replace a key its code is needed too.',
    access: loggedInOrEnrolling,
    proved: true,
    input: z.object({}),
    output: z.object({ secret: z.string(), url: z.string() }),
  }),
  confirm_second_factor: call({
    summary: 'Switch the second factor on with a first code. Answers the recovery codes, shown this once; all other sessions end.',
    access: loggedInOrEnrolling,
    input: z.object({ totp: code }),
    output: recoveryCodes,
    secrets: ['totp'],
  }),
  disable_second_factor: call({
    summary: 'Switch the second factor off, where the site does not demand it.',
    access: requireAny('update_password'),
    proved: { needs_code: true },
    input: z.object({}),
    output: done,
  }),
  renew_recovery_codes: call({
    summary: 'Ten new recovery codes; the former ones work no more.',
    access: requireAny('update_password'),
    proved: { needs_code: true },
    input: z.object({}),
    output: recoveryCodes,
  }),
});
