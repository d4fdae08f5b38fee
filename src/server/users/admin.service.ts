import type { admin } from '../../contract/people/admin.ts';
import type { Service } from '../kit/calls/context.ts';
import { transact } from '../kit/postgres/database.ts';
import { login } from './login/login.ts';
import { register } from './login/register.ts';
import { describeSession, endSession } from './login/sessions.ts';
import { menuOf } from './menu.public.ts';

export const adminService: Service<typeof admin> = {
  login,

  register,

  async logout(_input, { db, actor }) {
    await transact(db, (tx) => endSession(tx, actor.user_id, actor.session_id));
    return {};
  },

  get_info: (_input, context) => describeSession(context, context.actor.user_id, context.actor),

  get_token_menu: async (_input, { db, actor }) => ({ tree_menu_arr: await menuOf(db, actor.nodes) }),
};
