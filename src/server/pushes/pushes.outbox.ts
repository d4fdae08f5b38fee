import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { ChannelKind } from '../../contract/detection/shield-push.ts';
import type { Language, MessageKind, MessagePlace } from '../../contract/enums.ts';
import { leasedRows } from '../kit/jobs/leased-rows.ts';
import { type Database, transact } from '../kit/postgres/database.ts';

/** Seconds between two messages to one receiver: robots take 20 a minute, Telegram one a second in a chat and 20 a minute in a group. */
const robotPause = 3.1;
const pauses: Record<ChannelKind, number> = {
  site: 0,
  email: 1,
  telegram: 1.1,
  wecom: robotPause,
  dingtalk: robotPause,
  feishu: robotPause,
};

export type ClaimedPush = {
  id: number;
  claim: string;
  push_id: number;
  channel_id: number;
  owner_id: number;
  round: number;
  attempts: number;
  kind: ChannelKind;
  target: string;
  secret: Buffer | null;
  telegram_chat_id: number | null;
  language: Language | null;
  is_test: boolean;
  title: string;
  content: string;
  message_kind: MessageKind;
  place: MessagePlace | null;
  place_id: number | null;
  /** Whose screens are those of all users. */
  is_administrator: boolean;
};

/** The lease is longer than an attempt can take: after that its worker is gone, and another one tries. */
export const deliveries = leasedRows<ClaimedPush>('push_delivery', { seconds: 60 });

const claimedColumns = sql`push_delivery.id, push_delivery.push_id, push_delivery.channel_id, push_delivery.owner_id, push_delivery.round,
  push_channel.kind, push_channel.target, push_channel.secret, push_channel.telegram_chat_id, push_channel.receiver, user_account.language,
  push.is_test, push.title, push.content, push.kind AS message_kind, push.place, push.place_id,
  EXISTS (SELECT FROM role WHERE role.id = user_account.role_id AND role.kind IN ('super', 'administrator')) AS is_administrator`;

const pauseOf = sql`CASE push_channel.kind ${sql.join(
  Object.entries(pauses).map(([kind, seconds]) => sql`WHEN ${sql.raw(`'${kind}'`)} THEN ${sql.raw(String(seconds))}`),
  sql` `,
)} END`;
const groupPause = sql.raw(String(robotPause));

/** More than one, because other workers may be taking the first ones at this moment. */
const candidates = 16;

/**
 * Takes what has waited longest at a channel whose receiver takes something now, none of a user who has too many under way. Of any number
 * of workers one gets it, and the receiver is left alone for its pause, whoever else sends to it.
 */
export async function claimPush(db: Database, busyOwners: readonly number[] = []): Promise<ClaimedPush | undefined> {
  const { rows } = await db.execute<ClaimedPush>(sql`
    WITH RECURSIVE queue AS (
      (SELECT channel_id FROM push_delivery WHERE state = 'waiting' ORDER BY channel_id LIMIT 1)
      UNION ALL
      SELECT (SELECT channel_id FROM push_delivery WHERE state = 'waiting' AND channel_id > queue.channel_id ORDER BY channel_id LIMIT 1)
      FROM queue WHERE queue.channel_id IS NOT NULL
    ), candidate AS (
      SELECT next.id FROM queue JOIN push_channel ON push_channel.id = queue.channel_id
      CROSS JOIN LATERAL (
        SELECT push_delivery.id, push_delivery.next_attempt_at FROM push_delivery JOIN push ON push.id = push_delivery.push_id
        WHERE push_delivery.channel_id = push_channel.id AND push_delivery.state = 'waiting' AND push_delivery.next_attempt_at <= now()
          AND ${deliveries.isFree} AND push.closed_at IS NOT NULL
        ORDER BY push_delivery.next_attempt_at, push_delivery.id LIMIT 1
      ) AS next
      WHERE push_channel.enabled AND push_channel.free_at <= now()
        AND NOT EXISTS (SELECT FROM telegram_chat WHERE telegram_chat.id = push_channel.telegram_chat_id AND telegram_chat.muted_until > now())
        AND NOT push_channel.owner_id = ANY (${sql.param([...busyOwners])}::bigint[])
      ORDER BY next.next_attempt_at, next.id LIMIT ${candidates}
    ), due AS (
      SELECT ${claimedColumns}, ${pauseOf} AS pause FROM candidate JOIN push_delivery ON push_delivery.id = candidate.id
        JOIN push_channel ON push_channel.id = push_delivery.channel_id JOIN user_account ON user_account.id = push_delivery.owner_id
        JOIN push ON push.id = push_delivery.push_id
      WHERE push_delivery.state = 'waiting' AND ${deliveries.isFree} AND push_channel.enabled AND push_channel.free_at <= now()
        AND NOT user_account.disabled
      ORDER BY push_delivery.next_attempt_at, push_delivery.id LIMIT 1 FOR UPDATE OF push_delivery, push_channel SKIP LOCKED
    ), paced AS (
      UPDATE push_channel SET free_at = clock_timestamp() + make_interval(secs => greatest(due.pause, CASE WHEN EXISTS (
        SELECT FROM telegram_chat WHERE telegram_chat.id = due.telegram_chat_id AND telegram_chat.kind <> 'private') THEN ${groupPause} ELSE 0 END))
      FROM due, LATERAL (
        SELECT same.id FROM push_channel AS same WHERE same.receiver = due.receiver AND due.pause > 0 ORDER BY same.id FOR UPDATE SKIP LOCKED
      ) AS own
      WHERE push_channel.id = own.id
    )
    UPDATE push_delivery SET ${deliveries.taken()}, attempts = push_delivery.attempts + 1, tried_at = now()
    FROM due WHERE push_delivery.id = due.id RETURNING push_delivery.claim, push_delivery.attempts, due.*`);
  return rows[0];
}

/** Gives back what was claimed and not tried. */
export const releasePush = (db: Database, push: ClaimedPush) => deliveries.release(db, push, sql`attempts = attempts - 1`);

type TestText = { title: string; content: string };

/** A test to a channel, claimed: nobody else sends it, and it is tried once. */
export async function makeTest(
  db: Database,
  channel: { id: number; owner_id: number },
  { title, content }: TestText,
): Promise<ClaimedPush> {
  const { rows } = await transact(db, async (tx) => {
    const { rows: made } = await tx.execute<{ id: number }>(sql`
      INSERT INTO push (owner_id, is_test, due_at, closed_at, title, content, place)
      VALUES (${channel.owner_id}, true, now(), now(), ${title}, ${content}, 'pushes') RETURNING id`);
    return tx.execute<ClaimedPush>(sql`
      WITH push_delivery AS (
        INSERT INTO push_delivery (push_id, channel_id, owner_id, state, attempts, claim, tried_at)
        VALUES (${made[0]?.id}, ${channel.id}, ${channel.owner_id}, 'failed', 1, ${randomUUID()}, now()) RETURNING *
      )
      SELECT ${claimedColumns}, push_delivery.claim, push_delivery.attempts FROM push_delivery
        JOIN push_channel ON push_channel.id = push_delivery.channel_id JOIN user_account ON user_account.id = push_delivery.owner_id
        JOIN push ON push.id = push_delivery.push_id`);
  });
  const [made] = rows;
  if (!made) throw new Error('the test was not returned');
  return made;
}

const keptDays = 30;
const purgedAtOnce = 5_000;

/** Forgets what was told long ago; what is told still, again and again, ends with it. */
export async function purgePushes(db: Database): Promise<number> {
  for (let purged = 0; ; ) {
    const { rowCount } = await db.execute(sql`
      DELETE FROM push WHERE id IN (
        SELECT id FROM push WHERE created_at < now() - make_interval(days => ${keptDays}) ORDER BY created_at LIMIT ${purgedAtOnce})`);
    purged += rowCount ?? 0;
    if ((rowCount ?? 0) < purgedAtOnce) return purged;
  }
}
