import type { admin } from '../../contract/admin.ts';
import type { Service } from '../kit/context.ts';
import { transact } from '../kit/database.ts';
import { login } from './login.ts';
import { menuOf } from './menu.reads.ts';
import { register } from './register.ts';
import { describeSession, endSession } from './sessions.ts';

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
