import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { leasedRows } from '../kit/jobs/leased-rows.ts';
import { type Database, transact } from '../kit/postgres/database.ts';

const eventsAtOnce = 500;

export type ClaimedDelivery = {
  id: number;
  claim: string;
  attempts: number;
  webhook_id: number;
  url: string;
  host: string;
  secret: Buffer;
  owner_id: number;
  event_id: number;
  type: string;
  data: unknown;
  at: string;
};

/** The lease is longer than an attempt can take: after that its worker is gone, and another one tries. */
export const deliveries = leasedRows<ClaimedDelivery>('webhook_delivery', { seconds: 60 });

/** Only where `marked` is an event and `user_account` the webhook's owner. */
const isAsked = sql`NOT user_account.disabled AND webhook.enabled AND webhook.created_at <= marked.at AND marked.type <> 'webhook.test'
  AND (webhook.events = '{}' OR marked.type = ANY(webhook.events))`;

/** Each webhook that asked for an event, beside the event; only where `marked` are events. */
const wanted = sql`
  SELECT webhook.id AS webhook_id, marked.id AS event_id FROM marked JOIN webhook ON webhook.owner_id = marked.owner_id
    JOIN user_account ON user_account.id = webhook.owner_id
  WHERE ${isAsked}
  UNION ALL
  SELECT webhook.id, marked.id FROM marked JOIN webhook ON webhook.all_users AND webhook.owner_id <> marked.owner_id
    JOIN user_account ON user_account.id = webhook.owner_id JOIN role ON role.id = user_account.role_id
  WHERE role.kind IN ('super', 'administrator') AND ${isAsked}`;

/** Makes a delivery of every new event for every webhook that asked for it, in the transaction that marks it as told. Answers how many events. */
export async function fanOut(db: Database): Promise<number> {
  const { rows } = await db.execute<{ number: number }>(sql`
    WITH taken AS (
      SELECT id FROM event WHERE NOT told ORDER BY id LIMIT ${eventsAtOnce} FOR UPDATE SKIP LOCKED
    ), marked AS (
      UPDATE event SET told = true FROM taken WHERE event.id = taken.id RETURNING event.id, event.type, event.owner_id, event.at
    ), wanted AS (
      ${wanted}
    ), made AS (
      INSERT INTO webhook_delivery (webhook_id, event_id) SELECT webhook_id, event_id FROM wanted
      ORDER BY event_id, webhook_id
      ON CONFLICT DO NOTHING
    )
    SELECT count(*)::int AS number FROM marked`);
  return rows[0]?.number ?? 0;
}

/** What waits to be sent, of events that nothing was made of yet included. */
export async function countWaiting(db: Database): Promise<number> {
  const { rows } = await db.execute<{ number: number }>(sql`
    WITH marked AS (SELECT id, type, owner_id, at FROM event WHERE NOT told), wanted AS (${wanted})
    SELECT ((SELECT count(*) FROM webhook_delivery WHERE state = 'waiting') + (SELECT count(*) FROM wanted))::float8 AS number`);
  return rows[0]?.number ?? 0;
}

/** More than one, because other workers may be taking the first ones at this moment. */
const candidatesEach = 16;

/** Whose deliveries are under way, a user once for each of his, and how many he may have. */
type Owners = { underWay: readonly number[]; most: number };

/**
 * Takes a delivery of the user who has the fewest under way, of his the one that has been due for longest, but none to a host that is busy. Of
 * any number of workers one gets it.
 */
export async function claimDelivery(
  db: Database,
  busyHosts: readonly string[],
  { underWay, most }: Owners = { underWay: [], most: 1 },
): Promise<ClaimedDelivery | undefined> {
  const ownersLoad = sql`cardinality(array_positions(${sql.param([...underWay])}::bigint[], webhook.owner_id))`;
  const [claimed] = await deliveries.claim(db, {
    due: sql`
      WITH RECURSIVE queue AS (
        (SELECT webhook_id FROM webhook_delivery WHERE state = 'waiting' ORDER BY webhook_id LIMIT 1)
        UNION ALL
        SELECT (SELECT webhook_id FROM webhook_delivery WHERE state = 'waiting' AND webhook_id > queue.webhook_id ORDER BY webhook_id LIMIT 1)
        FROM queue WHERE queue.webhook_id IS NOT NULL
      ), candidate AS (
        SELECT next.id, ${ownersLoad} AS load FROM queue JOIN webhook ON webhook.id = queue.webhook_id JOIN user_account ON user_account.id = webhook.owner_id
        CROSS JOIN LATERAL (
          SELECT id, next_attempt_at FROM webhook_delivery
          WHERE webhook_id = webhook.id AND state = 'waiting' AND next_attempt_at <= now() AND ${deliveries.isFree}
          ORDER BY next_attempt_at, id LIMIT ${candidatesEach}
        ) AS next
        WHERE webhook.enabled AND NOT user_account.disabled AND NOT webhook.host = ANY(${sql.param([...busyHosts])}::text[])
          AND ${ownersLoad} < ${most}
        ORDER BY load, next.next_attempt_at, next.id LIMIT ${candidatesEach}
      )
      SELECT webhook_delivery.id, webhook.id AS webhook_id, webhook.url, webhook.host, webhook.secret, webhook.owner_id, event.id AS event_id,
        event.type, event.data, event.at
      FROM candidate JOIN webhook_delivery ON webhook_delivery.id = candidate.id JOIN webhook ON webhook.id = webhook_delivery.webhook_id
        JOIN event ON event.id = webhook_delivery.event_id
      WHERE webhook_delivery.state = 'waiting' AND ${deliveries.isFree}
      ORDER BY candidate.load, webhook_delivery.next_attempt_at, webhook_delivery.id LIMIT 1`,
    set: sql`attempts = attempts + 1, tried_at = now()`,
    returning: sql`webhook_delivery.attempts, due.*`,
  });
  return claimed;
}

/** Gives back a delivery that was claimed and not tried. */
export const releaseDelivery = (db: Database, delivery: ClaimedDelivery) => deliveries.release(db, delivery, sql`attempts = attempts - 1`);

/** A test event with its delivery, claimed: nobody else sends it, and it is tried once. */
export async function makeTest(db: Database, webhook: { id: number; owner_id: number }, data: object): Promise<ClaimedDelivery> {
  const { rows } = await transact(db, async (tx) => {
    const { rows: events } = await tx.execute<{ id: number }>(sql`
      INSERT INTO event (type, owner_id, data, told) VALUES ('webhook.test', ${webhook.owner_id}, ${JSON.stringify(data)}::jsonb, true) RETURNING id`);
    return tx.execute<ClaimedDelivery>(sql`
      WITH made AS (
        INSERT INTO webhook_delivery (webhook_id, event_id, state, attempts, claim, tried_at)
        VALUES (${webhook.id}, ${events[0]?.id}, 'failed', 1, ${randomUUID()}, now()) RETURNING *
      )
      SELECT made.id, made.claim, made.attempts, webhook.id AS webhook_id, webhook.url, webhook.host, webhook.secret, webhook.owner_id,
        event.id AS event_id, event.type, event.data, event.at
      FROM made JOIN webhook ON webhook.id = made.webhook_id JOIN event ON event.id = made.event_id`);
  });
  const [made] = rows;
  if (!made) throw new Error('the test delivery was not returned');
  return made;
}

const keptDays = 30;
const purgedAtOnce = 5_000;

/** Forgets what happened long ago, and what was sent of it. */
export async function purgeEvents(db: Database): Promise<number> {
  for (let purged = 0; ; ) {
    const { rowCount } = await db.execute(sql`
      DELETE FROM event WHERE id IN (
        SELECT id FROM event WHERE at < now() - make_interval(days => ${keptDays}) ORDER BY at LIMIT ${purgedAtOnce})`);
    purged += rowCount ?? 0;
    if ((rowCount ?? 0) < purgedAtOnce) return purged;
  }
}
