import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type memberGift, namedUsers } from '../../contract/money/member-gift.ts';
import type { Service } from '../kit/calls/context.ts';
import { AppError, notFound } from '../kit/calls/errors.ts';
import { notify, type Speech } from '../kit/messages/notify.ts';
import type { Database } from '../kit/postgres/database.ts';
import { isOneOf, list } from '../kit/rows/list.ts';
import { role } from '../roles/roles.table.ts';
import { user_account } from '../users/users.table.ts';
import { member_gift, member_gift_user } from './orders.table.ts';

const dayMilliseconds = 86_400_000;
const giver = alias(user_account, 'giver');
const undoer = alias(user_account, 'undoer');
const receivers = sql`FROM ${member_gift_user} JOIN ${user_account} ON ${user_account.id} = ${member_gift_user.user_id}
  WHERE ${member_gift_user.gift_id} = ${member_gift.id}`;

const fields = {
  id: member_gift.id,
  days: member_gift.days,
  reason: member_gift.reason,
  given_by_account: giver.account,
  users: sql<number>`(SELECT count(*) FROM ${member_gift_user} WHERE ${member_gift_user.gift_id} = ${member_gift.id})`.mapWith(Number),
  accounts: sql<string[]>`ARRAY(SELECT ${user_account.account} ${receivers} ORDER BY ${user_account.id} LIMIT ${namedUsers})`,
  undone_at: member_gift.undone_at,
  undone_by_account: sql<string | null>`${undoer.account}`,
  created_at: member_gift.created_at,
};
const joins = [
  [giver, eq(giver.id, member_gift.given_by)],
  [undoer, eq(undoer.id, member_gift.undone_by)],
] as const;

type Receiver = { id: number; account: string; language: typeof user_account.$inferSelect.language; member_expires_at: string | null };

/** Customers and agents among these users, locked in the order of ids. */
const lockReceivers = (db: Database, ids: readonly number[]): Promise<Receiver[]> =>
  db
    .select({
      id: user_account.id,
      account: user_account.account,
      language: user_account.language,
      member_expires_at: user_account.member_expires_at,
    })
    .from(user_account)
    .innerJoin(role, eq(role.id, user_account.role_id))
    .where(and(isOneOf(user_account.id, ids), inArray(role.kind, ['customer', 'agent']), eq(user_account.status, 1)))
    .orderBy(asc(user_account.id))
    .for('no key update', { of: user_account });

const setEnd = (db: Database, id: number, end: string) =>
  db.update(user_account).set({ member_expires_at: end, updated_at: sql`now()` }).where(eq(user_account.id, id));

export const memberGiftService: Service<typeof memberGift> = {
  inquire: ({ account, ...input }, { db }) =>
    list(db, input, {
      fields,
      from: member_gift,
      joins,
      where: account ? sql`EXISTS (SELECT ${receivers} AND strpos(${user_account.account}, ${account}) > 0)` : undefined,
      sorts: member_gift,
      key: member_gift.id,
    }),

  async add({ ids, days, reason }, { db, actor, now, audit }) {
    const found = await lockReceivers(db, ids);
    if (found.length === 0) throw notFound();
    const members = found.flatMap(({ member_expires_at: end, ...user }) => (end === null ? [] : [{ ...user, end }]));
    if (members.length === 0) throw new AppError(409, 'member_gift.all_endless');
    const [gift] = await db.insert(member_gift).values({ days, reason, given_by: actor.user_id }).returning({ id: member_gift.id });
    if (!gift) throw new Error('the gift was not returned');
    for (const { id, end } of members) {
      const expires_at = new Date(Math.max(now.getTime(), Date.parse(end)) + days * dayMilliseconds).toISOString();
      await setEnd(db, id, expires_at);
      await db.insert(member_gift_user).values({ gift_id: gift.id, user_id: id, previous_expires_at: end, expires_at });
      const words = ({ say, time }: Speech) => {
        const params = { days, reason, time: time(expires_at) };
        return { title: say('push_text.gift.one', params), content: say('push_text.gift.line', params) };
      };
      await notify(db, id, { kind: 'info', place: 'membership', words });
    }
    audit({ after: { days, reason, accounts: members.map(({ account }) => account) } });
    return { affected: members.length, left_out: found.length - members.length };
  },

  async undo({ id }, { db, actor, audit }) {
    const [gift] = await db
      .update(member_gift)
      .set({ undone_at: sql`now()`, undone_by: actor.user_id })
      .where(and(eq(member_gift.id, id), isNull(member_gift.undone_at)))
      .returning();
    if (!gift) throw new AppError(409, 'member_gift.undone_already');
    const given = await db.select().from(member_gift_user).where(eq(member_gift_user.gift_id, id));
    const before = new Map(given.map((row) => [row.user_id, row]));
    const members = await lockReceivers(db, [...before.keys()]);
    for (const { id: user_id, member_expires_at: end } of members) {
      const row = before.get(user_id);
      if (!row || end === null) continue;
      // What was bought or given since then stays.
      const back = end === row.expires_at ? row.previous_expires_at : new Date(Date.parse(end) - gift.days * dayMilliseconds).toISOString();
      await setEnd(db, user_id, back);
    }
    audit({ before: { days: gift.days, accounts: members.map(({ account }) => account) } });
    return { affected: members.length };
  },
};
