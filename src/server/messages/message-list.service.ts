import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { messageList, SentMessage } from '../../contract/content/message-list.ts';
import { notifyStatus } from '../../contract/enums.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import { publish } from '../kit/postgres/bus.ts';
import type { Database } from '../kit/postgres/database.ts';
import { betweenDays, contains, equals, isOneOf, list } from '../kit/rows/list.ts';
import { role } from '../roles/roles.table.ts';
import { user_account } from '../users/users.table.ts';
import { countUnread, isFor, viewJoin } from './messages.public.ts';
import { site_message, site_message_receiver, site_message_view } from './messages.table.ts';

const shards = 16;

const sentFields = {
  id: site_message.id,
  title: site_message.title,
  content: site_message.content,
  kind: site_message.kind,
  audience: site_message.audience,
  role_id: site_message.role_id,
  role_name: sql<string | null>`${role.name}`,
  sender_id: site_message.sender_id,
  sender_account: sql<string | null>`${user_account.account}`,
  receiver_number: site_message.receiver_number,
  viewed_number:
    sql<number>`(SELECT coalesce(sum(number), 0) FROM site_message_count WHERE site_message_count.message_id = ${site_message.id})`.mapWith(
      Number,
    ),
  sent_at: site_message.sent_at,
};
const sentJoins = [
  [role, eq(role.id, site_message.role_id)],
  [user_account, eq(user_account.id, site_message.sender_id)],
] as const;

/** Marks what matches as viewed by the user; each message counts a user once, however often and from wherever he marks it. */
async function markViewed(db: Database, user_id: number, which?: SQL): Promise<number> {
  const { rows } = await db.execute<{ affected: number }>(sql`
    WITH seen AS (
      INSERT INTO site_message_view (user_id, message_id)
      SELECT ${user_id}, ${site_message.id} FROM ${site_message} WHERE ${and(isFor(user_id), which)} ORDER BY ${site_message.id}
      ON CONFLICT DO NOTHING RETURNING message_id
    ), counted AS (
      INSERT INTO site_message_count (message_id, shard, number)
      SELECT message_id, ${user_id}::bigint % ${shards}, 1 FROM seen ORDER BY message_id
      ON CONFLICT (message_id, shard) DO UPDATE SET number = site_message_count.number + 1
    ) SELECT count(*) AS affected FROM seen`);
  return rows[0]?.affected ?? 0;
}

type Audience = Pick<SentMessage, 'audience'> & { role_id?: number; user_ids?: number[] };

/** Whom a message is for, checked: only who sees all users may write to everybody or to a role. */
async function receiversOf(
  { audience, role_id, user_ids }: Audience,
  { db, scope }: Context,
): Promise<{ number: number; user_ids: number[] }> {
  if (audience === 'users') {
    if (!user_ids) throw invalidField('user_ids', 'required');
    const known = await db
      .select({ id: user_account.id })
      .from(user_account)
      .where(and(isOneOf(user_account.id, user_ids), scope.sees(user_account.id)));
    if (known.length !== new Set(user_ids).size) throw invalidField('user_ids', 'unknown_user');
    return { number: known.length, user_ids: known.map((row) => row.id) };
  }
  if (!scope.all) throw new AppError(403, 'forbidden');
  if (audience === 'all') return { number: await db.$count(user_account), user_ids: [] };
  if (role_id === undefined) throw invalidField('role_id', 'required');
  if ((await db.$count(role, eq(role.id, role_id))) === 0) throw invalidField('role_id', 'unknown_role');
  return { number: await db.$count(user_account, eq(user_account.role_id, role_id)), user_ids: [] };
}

async function readSent(db: Database, ids: readonly number[]): Promise<SentMessage[]> {
  const query = db.select(sentFields).from(site_message).$dynamic();
  for (const [table, on] of sentJoins) query.leftJoin(table, on);
  return query.where(isOneOf(site_message.id, ids));
}

export const messageListService: Service<typeof messageList> = {
  inquire: ({ notify_status, token: _token, ...input }, { db, actor }) =>
    list(db, input, {
      fields: {
        id: site_message.id,
        title: site_message.title,
        content: site_message.content,
        kind: site_message.kind,
        place: site_message.place,
        place_id: site_message.place_id,
        notify_status: sql<1 | 2>`CASE WHEN ${site_message_view.user_id} IS NULL THEN 1 ELSE 2 END`,
        sent_at: site_message.sent_at,
        viewed_at: site_message_view.viewed_at,
      },
      from: site_message,
      joins: [viewJoin(actor.user_id)],
      where: and(
        isFor(actor.user_id),
        notify_status === undefined ? undefined : sql`(${site_message_view.user_id} IS NULL) = ${notify_status === notifyStatus.unviewed}`,
      ),
      sorts: { id: site_message.id },
      key: site_message.id,
    }),

  unread: async (_input, { db, actor }) => ({ count: await countUnread(db, actor.user_id) }),

  async update_status({ id }, { db, actor }) {
    const affected = await markViewed(db, actor.user_id, eq(site_message.id, id));
    if (affected === 0 && (await db.$count(site_message, and(isFor(actor.user_id), eq(site_message.id, id)))) === 0) throw notFound();
    return { affected };
  },

  view_all: async (_input, { db, actor }) => ({ affected: await markViewed(db, actor.user_id) }),

  async inquire_sent({ search, audience, from, to, ...input }, { db, settings }) {
    // The ids first: to count is to look at every row, and their texts are long.
    const { content, ...page } = await list(db, input, {
      fields: { id: site_message.id },
      from: site_message,
      where: and(
        isNull(site_message.cleared_at),
        contains([site_message.title, site_message.content], search),
        equals(site_message.audience, audience),
        betweenDays(site_message.sent_at, { from, to }, (await settings()).time_zone),
      ),
      sorts: { id: site_message.id, receiver_number: site_message.receiver_number },
      key: site_message.id,
    });
    const ids = content.map((row) => row.id);
    const rows = new Map((await readSent(db, ids)).map((row) => [row.id, row]));
    return { ...page, content: ids.flatMap((id) => rows.get(id) ?? []) };
  },

  async send(input, context) {
    const { db, actor } = context;
    const { title, content, kind, audience } = input;
    const { number, user_ids } = await receiversOf(input, context);
    const role_id = audience === 'role' ? input.role_id : null;
    const [sent] = await db
      .insert(site_message)
      .values({ title, content, kind, audience, role_id, sender_id: actor.user_id, receiver_number: number })
      .returning({ id: site_message.id });
    if (!sent) throw new Error('the message row was not returned');
    if (user_ids.length > 0) await db.insert(site_message_receiver).values(user_ids.map((user_id) => ({ user_id, message_id: sent.id })));
    await publish(db, 'site_message', { id: sent.id });
    const [shown] = await readSent(db, [sent.id]);
    if (!shown) throw notFound();
    return shown;
  },

  async clear({ ids }, { db, audit }) {
    const cleared = await db
      .update(site_message)
      .set({ cleared_at: sql`now()` })
      .where(and(isNull(site_message.cleared_at), ids && isOneOf(site_message.id, ids)))
      .returning({ id: site_message.id, title: site_message.title });
    audit({ before: { number: cleared.length, messages: cleared.slice(0, 100) } });
    return { affected: cleared.length };
  },
};
