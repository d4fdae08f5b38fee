import { sql } from 'drizzle-orm';
import type { MessageKind, MessagePlace } from '../../../contract/enums.ts';
import { publish } from '../postgres/bus.ts';
import type { Database } from '../postgres/database.ts';

export type SystemMessage = {
  user_ids: readonly number[];
  kind: MessageKind;
  title: string;
  /** Plain text. */
  content: string;
  /** What it is about, where its reader finds it. */
  place?: MessagePlace;
  place_id?: number | undefined;
};

/** A site message from the system to users; their open pages show it when the transaction of `db` commits. Answers its id. */
export async function sendSystemMessage(db: Database, message: SystemMessage): Promise<number> {
  const { user_ids, kind, title, content, place = null, place_id = null } = message;
  const { rows } = await db.execute<{ id: number }>(sql`
    INSERT INTO site_message (title, content, kind, audience, receiver_number, place, place_id)
    VALUES (${title}, ${content}, ${kind}, 'users', ${user_ids.length}, ${place}, ${place_id}) RETURNING id`);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('the message row was not returned');
  await db.execute(sql`
    INSERT INTO site_message_receiver (user_id, message_id) SELECT user_id, ${id} FROM unnest(${sql.param(user_ids)}::bigint[]) AS given (user_id)`);
  await publish(db, 'site_message', { id });
  return id;
}
