import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../kit/postgres/database.ts';
import { user_account } from '../users/users.table.ts';
import { site_message, site_message_receiver, site_message_view } from './messages.table.ts';

/**
 * The messages a user has: those to him, to his present role and to everybody, but nothing older than his account. Starts from the
 * few broadcasts and his own rows, so that other users' messages cost him nothing.
 */
export const isFor = (user_id: number): SQL => sql`${site_message.cleared_at} IS NULL AND ${site_message.id} IN (
  SELECT broadcast.id FROM site_message AS broadcast JOIN user_account AS receiver ON receiver.id = ${user_id}
  WHERE broadcast.audience <> 'users' AND broadcast.cleared_at IS NULL AND broadcast.sent_at >= receiver.created_at
    AND (broadcast.audience = 'all' OR broadcast.role_id = receiver.role_id)
  UNION ALL SELECT message_id FROM site_message_receiver WHERE user_id = ${user_id})`;

/** The view row of this user beside a message. */
export const viewJoin = (user_id: number) =>
  [site_message_view, sql`${site_message_view.message_id} = ${site_message.id} AND ${site_message_view.user_id} = ${user_id}`] as const;

export const countUnread = async (db: Database, user_id: number): Promise<number> => {
  const [view, on] = viewJoin(user_id);
  const [counted] = await db
    .select({ count: sql<number>`count(*)`.mapWith(Number) })
    .from(site_message)
    .leftJoin(view, on)
    .where(and(isFor(user_id), isNull(site_message_view.user_id)));
  return counted?.count ?? 0;
};

/** A message and which of these users it is for; undefined when it was taken back meanwhile. */
export async function messageFor(db: Database, id: number, user_ids: readonly number[]) {
  const [message] = await db
    .select({
      id: site_message.id,
      title: site_message.title,
      content: site_message.content,
      audience: site_message.audience,
      role_id: site_message.role_id,
    })
    .from(site_message)
    .where(and(eq(site_message.id, id), isNull(site_message.cleared_at)));
  if (!message || user_ids.length === 0) return message && { ...message, receivers: [] };
  return { ...message, receivers: await receiversAmong(db, message, user_ids) };
}

async function receiversAmong(
  db: Database,
  message: { id: number; audience: string; role_id: number | null },
  user_ids: readonly number[],
): Promise<number[]> {
  if (message.audience === 'all') return [...user_ids];
  const rows =
    message.audience === 'role'
      ? await db
          .select({ id: user_account.id })
          .from(user_account)
          .where(and(inArray(user_account.id, [...user_ids]), eq(user_account.role_id, message.role_id ?? 0)))
      : await db
          .select({ id: site_message_receiver.user_id })
          .from(site_message_receiver)
          .where(and(eq(site_message_receiver.message_id, message.id), inArray(site_message_receiver.user_id, [...user_ids])));
  return rows.map((row) => row.id);
}
