import { type Push, publish, type Receivers } from '../postgres/bus.ts';
import type { Database } from '../postgres/database.ts';

const idsPerMessage = 400;

/** Sends a message to open pages, over all web servers, when the transaction of `db` commits. Who has no page open gets nothing. */
export async function pushToPages(db: Database, push: Push): Promise<void> {
  for (const to of portions(push.to)) await publish(db, 'push', { ...push, to });
}

/** Many receivers do not fit one message of the bus. */
function portions(to: Receivers): Receivers[] {
  if ('user_ids' in to) return portionsOf(to.user_ids).map((user_ids) => ({ user_ids }));
  if ('session_ids' in to) return portionsOf(to.session_ids).map((session_ids) => ({ session_ids }));
  return [to];
}

const portionsOf = (ids: readonly number[]): number[][] =>
  Array.from({ length: Math.ceil(ids.length / idsPerMessage) }, (_, index) =>
    ids.slice(index * idsPerMessage, (index + 1) * idsPerMessage),
  );
