import { z } from 'zod';
import { nodeTypes, roleKinds } from '../enums.ts';
import { call, group, loggedInOrEnrolling, publicAccess } from '../kit/call.ts';
import { count, freezing, id, line, oneOf, time } from '../kit/fields.ts';
import { maxSealedLength } from '../sealing.ts';
import { languageCode } from '../system/language.ts';

export type MenuItem = {
  id: number;
  name: string;
  path: string;
  type: 1 | 2;
  platform: number;
  icon: string;
  show_headshot: boolean;
  language_variables: string;
  children: MenuItem[];
  children_number: number;
};

/** A group or screen (type 1) or a button (type 2). A button's path is its screen's path and its own name: `qr_code_list.add`. */
export const menuItem: z.ZodType<MenuItem> = z.lazy(() =>
  z.object({
    id,
    name: z.string(),
    path: z.string(),
    type: oneOf(nodeTypes),
    platform: z.number(),
    icon: z.string(),
    show_headshot: z.boolean(),
    language_variables: z.string(),
    children: z.array(menuItem),
    children_number: count,
  }),
);

export const userInfo = z.object({
  id,
  account: z.string(),
  name: z.string(),
  role: z.object({ id, name: z.string(), kind: z.enum(roleKinds) }),
  member_expires_at: time.nullable(),
  all_codes_open: z.boolean(),
  ...freezing,
});
export type UserInfo = z.infer<typeof userInfo>;

/** A password, or with `encrypted: true` a sealed one (`sealing.ts`). What it must be like is `registration.ts`'s to say. */
export const passwordInput = z.string().max(maxSealedLength);
export const encrypted = z.boolean().optional();

export const sessionInfo = z.object({
  token: z.string(),
  user_info: userInfo,
  /** The administrator who opened this session as its user; screens say so in a banner. */
  impersonator: z.object({ id, account: z.string() }).nullable(),
  /** The site demands a second factor that this user has not set up: until he has, only `update_password`'s enrolment answers. */
  must_enrol: z.boolean(),
});

export const loginFailures = z.object({ number: count, addresses: z.array(z.string()), last_at: time });
export type LoginFailures = z.infer<typeof loginFailures>;

/** Names the device at its next login to this account, so that other people's wrong guesses don't lock it. It opens nothing by itself. */
export const deviceToken = z.string();

export const loginInfo = sessionInfo.extend({
  device_token: deviceToken,
  /** Failed logins since the one before, where there were many. */
  failures: loginFailures.nullable(),
});

export const admin = group('admin', {
  login: call({
    summary:
      'Log in. 401 `login.second_factor_required` asks for the same again with `code`, one of the app or a recovery code. 429 `login.locked`: too many have failed; a `device_token` of an earlier login, or the password with `code`, still get through.',
    access: publicAccess,
    input: z.object({
      account: line(64).min(1, 'required'),
      password: passwordInput.min(1, 'required'),
      /** Of the second factor. */
      code: z.string().trim().max(40).optional(),
      device_token: z.string().max(200).optional(),
      encrypted,
      language: languageCode.optional(),
    }),
    output: loginInfo,
    secrets: ['password', 'code', 'device_token'],
    limit: { max: 60, seconds: 60 },
    in_maintenance: true,
  }),
  register: call({
    summary: 'Make an account of the default role and log in. The rules stand in `registration.ts`, in their order.',
    access: publicAccess,
    input: z.object({
      account: z.string().max(64),
      password: passwordInput,
      code: z.string().max(64).optional(),
      encrypted,
      language: languageCode.optional(),
    }),
    output: loginInfo,
    secrets: ['password'],
    limit: { max: 30, seconds: 60 },
  }),
  logout: call({
    summary: 'End this session.',
    access: loggedInOrEnrolling,
    input: z.object({}),
    output: z.object({}),
    in_maintenance: true,
  }),
  get_info: call({
    summary: 'The logged-in user.',
    access: loggedInOrEnrolling,
    input: z.object({}),
    output: sessionInfo,
    in_maintenance: true,
  }),
  get_token_menu: call({
    summary: 'The menu tree of the logged-in user: groups, screens and their buttons.',
    access: loggedInOrEnrolling,
    input: z.object({}),
    output: z.object({ tree_menu_arr: z.array(menuItem) }),
  }),
});
