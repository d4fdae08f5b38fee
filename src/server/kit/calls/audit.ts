import { tokenSource } from '../../../contract/people/api-token.ts';
import type { Database } from '../postgres/database.ts';
import { log } from '../rows/tables.ts';
import type { Actor, PublicContext } from './context.ts';

type Act = {
  /** The call, such as `user_list/update`, or what became of it, such as `admin/login_failed`. */
  type: string;
  /** Whose act it was, where it isn't the logged-in caller's: a login's. */
  user_id?: number | null;
  /** The call's input without its secrets. */
  content: object;
  changes?: { before?: unknown; after?: unknown } | undefined;
};

/** Writes one row of the log. Calls with `writes: true` get theirs by themselves; the others say what they did. */
export async function recordAct(db: Database, context: PublicContext & { actor?: Actor }, act: Act): Promise<void> {
  const { actor, ip, user_agent } = context;
  const { type, content, changes = null } = act;
  const isCallers = act.user_id === undefined;
  const user_id = isCallers ? (actor?.user_id ?? null) : act.user_id;
  const impersonator_id = isCallers ? (actor?.impersonator?.id ?? null) : null;
  const source = actor?.api_token ? tokenSource(actor.api_token) : 'api';
  await db.insert(log).values({ user_id, impersonator_id, type, content, changes, source, ip, user_agent });
}
