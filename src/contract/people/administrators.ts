import { z } from 'zod';
import { yesNo } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { done, id, ids, oneOf } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { newPassword, newUser, phone, profile, removalCalls, revokeApiTokens, user, userFilters, userSorts } from './user-list.ts';

export const administrators = group('administrators', {
  inquire: call({
    summary: 'Administrators and super administrators.',
    access: requireAny('administrators'),
    input: listInput(userSorts, userFilters),
    output: pageOf(user),
  }),
  add: call({
    summary: 'Make an administrator. Nobody can give a role that may do more than his own.',
    access: requireAny('administrators.add'),
    machines: false,
    input: z.object({ ...newUser, role_id: id }),
    output: user,
    writes: true,
    secrets: ['password'],
  }),
  update: call({
    summary: "Change name, phone, remark and role. With another role the user's sessions end.",
    access: requireAny('administrators.update'),
    machines: false,
    input: z.object({
      id,
      name: profile.name.optional(),
      phone: phone.optional(),
      remark: profile.remark.optional(),
      role_id: id.optional(),
    }),
    output: user,
    writes: true,
  }),
  update_password: call({
    summary: 'Give an administrator a new password; his sessions end, and his API tokens unless `revoke_api_tokens` is false.',
    access: requireAny('administrators.password'),
    machines: false,
    input: z.object({ id, ...newPassword }),
    output: done,
    writes: true,
    secrets: ['password'],
  }),
  remove_second_factor: call({
    summary: 'Take the second factor of an administrator who lost it away; his sessions end.',
    access: requireAny('administrators.password'),
    machines: false,
    input: z.object({ id }),
    output: done,
    writes: true,
  }),
  update_disabled: call({
    summary: 'Disable (2) administrators, whose sessions end, or enable (1) them again.',
    access: requireAny('administrators.disable'),
    input: z.object({ ids, disabled: oneOf(yesNo) }),
    output: done,
    writes: true,
  }),
  ...removalCalls('administrators'),
  force_refresh: call({
    summary: 'End the sessions of these administrators; with `revoke_api_tokens` their API tokens, too.',
    access: requireAny('administrators.refresh'),
    input: z.object({ ids, revoke_api_tokens: revokeApiTokens }),
    output: done,
    writes: true,
  }),
  force_refresh_all: call({
    summary: "End the sessions of all administrators but the caller's; with `revoke_api_tokens` their API tokens, too.",
    access: requireAny('administrators.refresh'),
    input: z.object({ revoke_api_tokens: revokeApiTokens }),
    output: done,
    writes: true,
  }),
});
