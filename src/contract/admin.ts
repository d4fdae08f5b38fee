import { z } from 'zod';
import { languages, nodeTypes, roleKinds } from './enums.ts';
import { anybody, call, group, loggedIn } from './kit/call.ts';
import { count, id, line, oneOf, time } from './kit/fields.ts';

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
});
export type UserInfo = z.infer<typeof userInfo>;

const session = z.object({ token: z.string(), user_info: userInfo });

export const admin = group('admin', {
  login: call({
    summary: 'Log in with account and password.',
    access: anybody,
    input: z.object({
      account: line(64).min(1, 'required'),
      password: z.string().min(1, 'required').max(200),
      language: z.enum(languages).optional(),
    }),
    output: session,
    secrets: ['password'],
    limit: { max: 60, seconds: 60 },
  }),
  logout: call({ summary: 'End this session.', access: loggedIn, input: z.object({}), output: z.object({}) }),
  get_info: call({ summary: 'The logged-in user.', access: loggedIn, input: z.object({}), output: session }),
  get_token_menu: call({
    summary: 'The menu tree of the logged-in user: groups, screens and their buttons.',
    access: loggedIn,
    input: z.object({}),
    output: z.object({ tree_menu_arr: z.array(menuItem) }),
  }),
});
