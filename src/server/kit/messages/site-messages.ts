import { sql } from 'drizzle-orm';
import type { MessageKind } from '../../../contract/enums.ts';
import { publish } from '../postgres/bus.ts';
import type { Database } from '../postgres/database.ts';

export type SystemMessage = { user_ids: readonly number[]; kind: MessageKind; title: string /** Plain text. */; content: string };

/** A site message from the system to users; their open pages show it when the transaction of `db` commits. */
export async function sendSystemMessage(db: Database, { user_ids, kind, title, content }: SystemMessage): Promise<void> {
  const { rows } = await db.execute<{ id: number }>(sql`
    INSERT INTO site_message (title, content, kind, audience, receiver_number) VALUES (${title}, ${content}, ${kind}, 'users', ${user_ids.length}) RETURNING id`);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('the message row was not returned');
  await db.execute(sql`
    INSERT INTO site_message_receiver (user_id, message_id) SELECT user_id, ${id} FROM unnest(${sql.param(user_ids)}::bigint[]) AS given (user_id)`);
  await publish(db, 'site_message', { id });
}
