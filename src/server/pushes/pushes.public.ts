import { sql } from 'drizzle-orm';
import type { MessageKind, MessagePlace } from '../../contract/enums.ts';
import type { EventType } from '../../contract/events.ts';
import type { Database } from '../kit/postgres/database.ts';

/** Its owner has seen a push: it is told no more. Answers whether there was such a push of his. */
export async function seePush(db: Database, owner_id: number, push_id: number): Promise<boolean> {
  if (!Number.isSafeInteger(push_id)) return false;
  const { rowCount } = await db.execute(sql`
    UPDATE push SET seen_at = coalesce(seen_at, now()), repeat_at = NULL WHERE id = ${push_id} AND owner_id = ${owner_id}`);
  return (rowCount ?? 0) > 0;
}

/** What another feature tells a user by itself: written already, to be sent as it is. */
export type OwnPush = {
  owner_id: number;
  channel_ids: readonly number[];
  title: string;
  content: string;
  kind: MessageKind;
  place: MessagePlace;
  place_id: number;
};

/** Puts a push into the outbox, for those of the owner's channels at which something may arrive; in the transaction of what it tells. */
export async function sendPush(db: Database, { owner_id, channel_ids, title, content, kind, place, place_id }: OwnPush): Promise<void> {
  await db.execute(sql`
    WITH written AS (
      INSERT INTO push (owner_id, due_at, closed_at, title, content, kind, place, place_id, events)
      VALUES (${owner_id}, now(), now(), ${title}, ${content}, ${kind}, ${place}, ${place_id}, 1) RETURNING id
    )
    INSERT INTO push_delivery (push_id, channel_id, owner_id)
    SELECT written.id, push_channel.id, ${owner_id} FROM written, push_channel
    WHERE push_channel.id = ANY (${sql.param([...channel_ids])}::bigint[]) AND push_channel.owner_id = ${owner_id}
      AND push_channel.enabled AND push_channel.confirmed_at IS NOT NULL ORDER BY push_channel.id`);
}

/**
 * Has a user told of events by site messages, unless a rule of his names one of them already: what he asks to be told of would otherwise
 * reach nobody. He changes the rule as any other.
 */
export async function listenBySite(db: Database, owner_id: number, events: readonly EventType[]): Promise<void> {
  const named = sql`${sql.param([...events])}::text[]`;
  await db.execute(sql`
    WITH channel AS (
      SELECT id FROM push_channel WHERE owner_id = ${owner_id} AND kind = 'site' ORDER BY id LIMIT 1
    ), rule AS (
      INSERT INTO push_rule (owner_id, events) SELECT ${owner_id}, ${named} FROM channel
      WHERE NOT EXISTS (SELECT FROM push_rule WHERE owner_id = ${owner_id} AND events && ${named}) RETURNING id
    )
    INSERT INTO push_rule_channel (rule_id, channel_id) SELECT rule.id, channel.id FROM rule, channel`);
}

/** How many messages wait to be sent, of events that no push tells of yet included. */
export async function countWaitingPushes(db: Database): Promise<number> {
  const { rows } = await db.execute<{ number: number }>(sql`
    SELECT ((SELECT count(*) FROM push_delivery WHERE state = 'waiting') + (
      SELECT count(*) FROM push_rule_channel JOIN push_channel ON push_channel.id = push_rule_channel.channel_id
      WHERE push_channel.enabled AND push_channel.confirmed_at IS NOT NULL
        AND EXISTS (SELECT FROM push_event WHERE push_event.rule_id = push_rule_channel.rule_id AND push_id IS NULL)
        AND NOT EXISTS (SELECT FROM push WHERE push.rule_id = push_rule_channel.rule_id AND closed_at IS NULL)))::float8 AS number`);
  return rows[0]?.number ?? 0;
}
