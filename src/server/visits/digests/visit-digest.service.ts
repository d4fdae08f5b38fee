import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import { maxDigests, type VisitDigest, type visitDigest } from '../../../contract/visits/visit-digest.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { siteClock } from '../../kit/visits/site-clock.ts';
import { push_channel } from '../../pushes/pushes.table.ts';
import { user_account } from '../../users/users.table.ts';
import { nextTime } from './periods.ts';
import { sendNow } from './sending.ts';
import { visit_digest, visit_digest_channel } from './visit-digest.table.ts';

/** What somebody is told, and where, is his own business, also before administrators. */
const own = ({ actor }: Context) => eq(visit_digest.owner_id, actor.user_id);

const shownChannel = { id: push_channel.id, kind: push_channel.kind, name: push_channel.name, target: push_channel.target };

type DigestChannel = VisitDigest['channels'][number] & { digest_id: number };
const channelsOf = (db: Database, ids: readonly number[]): Promise<DigestChannel[]> =>
  db
    .select({ digest_id: visit_digest_channel.digest_id, ...shownChannel })
    .from(visit_digest_channel)
    .innerJoin(push_channel, eq(push_channel.id, visit_digest_channel.channel_id))
    .where(isOneOf(visit_digest_channel.digest_id, ids))
    .orderBy(asc(push_channel.id));

async function checkChannels(ids: readonly number[], { db, actor }: Context): Promise<void> {
  const known = await db.$count(push_channel, and(isOneOf(push_channel.id, ids), eq(push_channel.owner_id, actor.user_id)));
  if (known !== new Set(ids).size) throw invalidField('channel_ids', 'unknown_channel');
}

/** Two that are made at once must not both find room for one. */
async function refuseTooMany({ db, actor }: Context): Promise<void> {
  await db.select({ id: user_account.id }).from(user_account).where(eq(user_account.id, actor.user_id)).for('no key update');
  if ((await db.$count(visit_digest, eq(visit_digest.owner_id, actor.user_id))) >= maxDigests)
    throw new AppError(409, 'visit_digest.too_many', { params: { maximum: maxDigests } });
}

export const visitDigestService: Service<typeof visitDigest> = {
  async inquire(_input, context) {
    const rows = await context.db
      .select(getTableColumns(visit_digest))
      .from(visit_digest)
      .where(own(context))
      .orderBy(asc(visit_digest.id));
    const channels = Map.groupBy(
      await channelsOf(
        context.db,
        rows.map(({ id }) => id),
      ),
      ({ digest_id }) => digest_id,
    );
    const content = rows.map(({ told_from, told_to, ...row }) => {
      const found = (channels.get(row.id) ?? []).map(({ digest_id: _, ...channel }) => channel);
      const told = told_from && told_to ? { from: told_from, to: told_to } : null;
      return { ...row, told, channels: found, channel_ids: found.map(({ id }) => id) };
    });
    return { content };
  },

  async choices(_input, { db, actor }) {
    const channels = await db
      .select(shownChannel)
      .from(push_channel)
      .where(and(eq(push_channel.owner_id, actor.user_id), eq(push_channel.enabled, true), sql`${push_channel.confirmed_at} IS NOT NULL`))
      .orderBy(asc(push_channel.id));
    return { channels };
  },

  async add({ channel_ids, ...input }, context) {
    const { db, actor, now } = context;
    await checkChannels(channel_ids, context);
    await refuseTooMany(context);
    const next_at = nextTime(input, now, siteClock((await context.settings()).time_zone)).toISOString();
    const [row] = await db
      .insert(visit_digest)
      .values({ ...input, owner_id: actor.user_id, next_at })
      .returning({ id: visit_digest.id });
    if (!row) throw new Error('the digest was not returned');
    await db.insert(visit_digest_channel).values([...new Set(channel_ids)].map((channel_id) => ({ digest_id: row.id, channel_id })));
    context.audit({ after: { id: row.id, ...input, channel_ids } });
    return { id: row.id, next_at };
  },

  /** One that goes on comes at its next time: what was paused over is not made up for. */
  async update_enabled({ ids, enabled }, context) {
    const { db, now } = context;
    const clock = siteClock((await context.settings()).time_zone);
    const rows = await db
      .select(getTableColumns(visit_digest))
      .from(visit_digest)
      .where(and(isOneOf(visit_digest.id, ids), own(context)))
      .orderBy(asc(visit_digest.id))
      .for('update');
    const changed = rows.filter((row) => row.enabled !== enabled);
    for (const row of changed)
      await db
        .update(visit_digest)
        .set({ enabled, next_at: nextTime(row, now, clock).toISOString(), updated_at: now.toISOString() })
        .where(eq(visit_digest.id, row.id));
    context.audit({ before: changed, after: { enabled } });
    return { affected: changed.length };
  },

  async send({ id }, context) {
    const { db, now } = context;
    const [row] = await db
      .select({ id: visit_digest.id, name: visit_digest.name })
      .from(visit_digest)
      .where(and(eq(visit_digest.id, id), own(context)))
      .for('update');
    if (!row) throw notFound();
    await sendNow(db, id, { now, time_zone: (await context.settings()).time_zone });
    context.audit({ after: row });
    return { affected: 1 };
  },

  async remove({ ids }, context) {
    const before = await context.db
      .delete(visit_digest)
      .where(and(isOneOf(visit_digest.id, ids), own(context)))
      .returning();
    context.audit({ before });
    return { affected: before.length };
  },
};
