import { z } from 'zod';
import { onlineStatuses, type RoleKind, roleKinds, userStatuses, yesNo } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, done, freezing, id, ids, line, oneOf, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { balanceEdits, signedAmount } from '../money/ledger.ts';
import { encrypted, passwordInput, sessionInfo } from './admin.ts';

export const phone = line(32).regex(/^[0-9+() -]*$/, 'invalid_phone');
export const profile = { name: line(64), phone, remark: line(200) };
/** Per cent with two decimals at most. */
const shareRatio = z.number().min(0).max(100).multipleOf(0.01);
const invitationCode = z
  .string()
  .trim()
  .min(4)
  .max(32)
  .regex(/^[A-Za-z0-9]+$/, 'code_letters_and_digits');

/** An agent is a customer who may invite others; administrators may, too. The code of a mere customer invites nobody. */
export const mayInvite = (kind: RoleKind): boolean => kind !== 'customer';

/** A user as lists show him: customers and agents in `user_list`, administrators in `administrators`. */
export const user = z.object({
  id,
  account: z.string(),
  name: z.string(),
  phone: z.string(),
  remark: z.string(),
  role_id: id,
  role_name: z.string(),
  role_kind: z.enum(roleKinds),
  superior_id: id.nullable(),
  superior_account: z.string().nullable(),
  invitation_code: z.string(),
  /** USDT with six decimals. */
  balance: z.string(),
  /** Per cent. */
  share_ratio: z.number(),
  member_expires_at: time.nullable(),
  expired: z.boolean(),
  /** 1 offline, 2 online (a call in the last two minutes); null while `online_detection` is off. */
  online_status: oneOf(onlineStatuses).nullable(),
  /** The last call made in a session that still exists, else the last login. */
  online_status_at: time.nullable(),
  disabled: oneOf(yesNo),
  ...freezing,
  status: oneOf(userStatuses),
  removed_at: time.nullable(),
  removed_by_account: z.string().nullable(),
  second_factor: z.boolean(),
  /** API tokens that may be used: neither revoked nor over. */
  api_token_number: count,
  register_ip: z.string().nullable(),
  login_ip: z.string().nullable(),
  login_at: time.nullable(),
  created_at: time,
  updated_at: time,
});
export type User = z.infer<typeof user>;

export const userSorts = [
  'id',
  'account',
  'name',
  'role_name',
  'balance',
  'share_ratio',
  'member_expires_at',
  'login_at',
  'created_at',
  'updated_at',
  'removed_at',
] as const;

export const userFilters = {
  /** A part of account, name, phone or remark. */
  search: z.string().max(64).optional(),
  role_id: id.optional(),
  disabled: oneOf(yesNo).optional(),
  frozen: z.boolean().optional(),
  /** 2 lists the removed ones instead of those that are there. */
  status: oneOf(userStatuses).optional(),
  online_status: oneOf(onlineStatuses).optional(),
  created_from: day.optional(),
  created_to: day.optional(),
};

/** What of a user's has to be decided about before he is removed. */
export const removal = z.object({
  id,
  account: z.string(),
  /** USDT with six decimals; who has some is not removed. */
  balance: z.string(),
  live_codes: count,
  removed_codes: count,
  domains: count,
  short_codes: count,
  /** Whom he invited: they go to his own superior, if he has one. */
  customers: count,
  superior_account: z.string().nullable(),
  api_token_number: count,
});
export type Removal = z.infer<typeof removal>;

/** What becomes of what a removed user leaves. */
export const removeInput = z.object({
  id,
  /** `transfer` gives codes, short codes and forwards to `to_user_id`; `remove` puts the codes into the recycle bin. */
  codes: z.enum(['transfer', 'remove']),
  to_user_id: id.optional(),
  /** With `transfer`: domains go along, or to the platform pool. Otherwise they go to the pool. */
  domains: z.enum(['user', 'pool']).optional(),
});

/** The calls of removing people, of customers as of administrators. */
export const removalCalls = (list: 'user_list' | 'administrators') => ({
  removal: call({
    summary: 'What of a user has to be decided about before he is removed.',
    access: requireAny(`${list}.remove`),
    input: z.object({ id }),
    output: removal,
  }),
  remove: call({
    summary:
      'Remove a user (status 2). His sessions and API tokens end, his account stays taken; what he leaves goes where it is told. Refused while he has a balance.',
    access: requireAny(`${list}.remove`),
    machines: false,
    input: removeInput,
    output: done,
    writes: true,
  }),
  restore: call({
    summary: 'Restore removed users. What was given away stays away; removed codes wait in the recycle bin.',
    access: requireAny(`${list}.remove`),
    machines: false,
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});

/** What makes a new user besides his role; the rules of account and password are the registration's. */
export const newUser = {
  account: z.string().max(64),
  password: passwordInput,
  encrypted,
  name: profile.name.optional(),
  phone: phone.optional(),
  remark: profile.remark.optional(),
};
/** Whether API tokens end with the sessions, too. */
export const revokeApiTokens = z.boolean().optional();
export const newPassword = { password: passwordInput, encrypted, revoke_api_tokens: revokeApiTokens };

export const userList = group('user_list', {
  inquire: call({
    summary: 'Customers and agents.',
    access: requireAny('user_list'),
    input: listInput(userSorts, {
      ...userFilters,
      superior_id: id.optional(),
      invitation_code: z.string().max(32).optional(),
      expired: z.boolean().optional(),
      /** Days on which it ends. */
      expires_from: day.optional(),
      expires_to: day.optional(),
    }),
    output: pageOf(user),
  }),
  options: call({
    summary: 'Users whose account contains the search text, for choosing one.',
    access: requireAny('domain_list.assign', 'user_list', 'qr_code_list_admin'),
    input: z.object({ search: z.string().max(64).optional() }),
    output: z.object({ content: z.array(z.object({ id, account: z.string(), name: z.string() })) }),
  }),
  add: call({
    summary: 'Make a customer or an agent.',
    access: requireAny('user_list.add'),
    input: z.object({
      ...newUser,
      role_id: id.optional(),
      superior_id: id.nullable().optional(),
      share_ratio: shareRatio.optional(),
      member_expires_at: time.nullable().optional(),
    }),
    output: user,
    writes: true,
    secrets: ['password'],
  }),
  update: call({
    summary: 'Change name, phone and remark.',
    access: requireAny('user_list.update'),
    input: z.object({ id, name: profile.name.optional(), phone: phone.optional(), remark: profile.remark.optional() }),
    output: user,
    writes: true,
  }),
  update_role: call({
    summary: 'Give users another role; their sessions end. A role of administrators needs the right to add administrators.',
    access: requireAny('user_list.role'),
    input: z.object({ ids, role_id: id }),
    output: done,
    writes: true,
  }),
  update_ratio: call({
    summary: 'Set the share ratio, in per cent.',
    access: requireAny('user_list.ratio', 'agent_divided_into.ratio'),
    input: z.object({ ids, share_ratio: shareRatio }),
    output: done,
    writes: true,
  }),
  update_invitation_code: call({
    summary: 'Set the invitation code: letters and digits that nobody else has.',
    access: requireAny('user_list.invitation'),
    input: z.object({ id, invitation_code: invitationCode }),
    output: user,
    writes: true,
  }),
  update_expiry: call({
    summary: 'Set when the membership ends; null never.',
    access: requireAny('user_list.expiry'),
    input: z.object({ ids, member_expires_at: time.nullable() }),
    output: done,
    writes: true,
  }),
  update_balance: call({
    summary:
      'Add to the balance of a user, or take from it with a negative amount; it never becomes less than 0. A gift, unless it is said to be a payment that came in elsewhere: agents get no shares of what is bought with gifts.',
    access: requireAny('user_list.balance'),
    machines: false,
    input: z.object({ id, amount: signedAmount, kind: z.enum(balanceEdits).optional(), remark: line(200).optional() }),
    output: user,
    writes: true,
  }),
  update_superior: call({
    summary: 'Put a user below another one, or below nobody. Nobody can stand below himself, however far.',
    access: requireAny('user_list.superior'),
    input: z.object({ id, superior_id: id.nullable() }),
    output: user,
    writes: true,
  }),
  update_password: call({
    summary: 'Give a user a new password; his sessions end, and his API tokens unless `revoke_api_tokens` is false.',
    access: requireAny('user_list.password'),
    machines: false,
    input: z.object({ id, ...newPassword }),
    output: done,
    writes: true,
    secrets: ['password'],
  }),
  remove_second_factor: call({
    summary: 'Take the second factor of a user who lost it away; his sessions end.',
    access: requireAny('user_list.password'),
    machines: false,
    input: z.object({ id }),
    output: done,
    writes: true,
  }),
  update_disabled: call({
    summary: 'Disable (2) users, whose sessions end and whose codes stop, or enable (1) them again.',
    access: requireAny('user_list.disable'),
    input: z.object({ ids, disabled: oneOf(yesNo) }),
    output: done,
    writes: true,
  }),
  ...removalCalls('user_list'),
  force_refresh: call({
    summary: 'End the sessions of these users; with `revoke_api_tokens` their API tokens, too.',
    access: requireAny('user_list.refresh'),
    input: z.object({ ids, revoke_api_tokens: revokeApiTokens }),
    output: done,
    writes: true,
  }),
  force_refresh_all: call({
    summary: 'End the sessions of all customers and agents; with `revoke_api_tokens` their API tokens, too.',
    access: requireAny('user_list.refresh'),
    input: z.object({ revoke_api_tokens: revokeApiTokens }),
    output: done,
    writes: true,
  }),
  log_in_as: call({
    summary: "Open a session as this user. It ends with the caller's own, after two hours at the latest, and is logged.",
    access: requireAny('user_list.log_in_as'),
    machines: false,
    input: z.object({ id }),
    output: sessionInfo,
  }),
});
