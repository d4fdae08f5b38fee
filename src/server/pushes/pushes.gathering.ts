import { sql } from 'drizzle-orm';
import type { RobotKind } from '../../contract/detection/shield-push.ts';
import type { EventType } from '../../contract/events.ts';
import { languageOfUser } from '../kit/calls/user-language.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import { type QuietHours, quietUntil } from './pushes.quiet.ts';
import { isUrgent, type Told, textOf } from './pushes.text.ts';

/** Events that come so soon after the first one are told together. */
export const groupSeconds = 6;
const rulesAtOnce = 100;
const pushesAtOnce = 50;
/** More are counted, but not read. */
const readEvents = 500;

/** What the site says of itself to those who are told. */
export type Site = { time_zone: string; site_url: string } & Partial<Record<`${RobotKind}_robot_proxy`, string>>;

/** Channels of a rule at which something may arrive. */
const usableChannels = (rule_id: number) => sql`
  SELECT push_channel.id FROM push_rule_channel JOIN push_channel ON push_channel.id = push_rule_channel.channel_id
  WHERE push_rule_channel.rule_id = ${rule_id} AND push_channel.enabled AND push_channel.confirmed_at IS NOT NULL`;

/** Puts events that rules have to tell of into pushes that are open still, or into new ones. Answers in how many rules there were some. */
export async function gather(db: Database): Promise<number> {
  const { rows } = await db.execute<{ rule_id: number }>(
    sql`SELECT DISTINCT rule_id FROM push_event WHERE push_id IS NULL ORDER BY rule_id LIMIT ${rulesAtOnce}`,
  );
  for (const { rule_id } of rows) await transact(db, (tx) => gatherOf(tx, rule_id));
  return rows.length;
}

async function gatherOf(tx: Database, rule_id: number): Promise<void> {
  // Another worker that gathers for this rule takes what is there.
  const { rows } = await tx.execute<{ owner_id: number }>(
    sql`SELECT owner_id FROM push_rule WHERE id = ${rule_id} FOR NO KEY UPDATE SKIP LOCKED`,
  );
  const [rule] = rows;
  if (!rule) return;
  const push_id = (await openPush(tx, rule_id)) ?? (await newPush(tx, rule_id, rule.owner_id));
  await tx.execute(sql`UPDATE push_event SET push_id = ${push_id} WHERE rule_id = ${rule_id} AND push_id IS NULL`);
}

async function openPush(tx: Database, rule_id: number): Promise<number | undefined> {
  const { rows } = await tx.execute<{ id: number }>(
    sql`SELECT id FROM push WHERE rule_id = ${rule_id} AND closed_at IS NULL FOR NO KEY UPDATE`,
  );
  return rows[0]?.id;
}

async function newPush(tx: Database, rule_id: number, owner_id: number): Promise<number> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    INSERT INTO push (owner_id, rule_id, due_at) VALUES (${owner_id}, ${rule_id}, now() + make_interval(secs => ${groupSeconds})) RETURNING id`);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('the push row was not returned');
  await tx.execute(sql`
    INSERT INTO push_delivery (push_id, channel_id, owner_id, next_attempt_at)
    SELECT ${id}, usable.id, ${owner_id}, now() + make_interval(secs => ${groupSeconds}) FROM (${usableChannels(rule_id)}) AS usable ORDER BY usable.id`);
  return id;
}

type Due = QuietHours & { id: number; owner_id: number; repeat_minutes: number | null };

/** Writes the pushes whose time has come, so that they are sent; those that fall into quiet hours wait for their end. Answers how many. */
export async function closeDue(db: Database, site: Site, now: Date): Promise<number> {
  for (let closed = 0; closed < pushesAtOnce; closed += 1) if (!(await transact(db, (tx) => closeNext(tx, site, now)))) return closed;
  return pushesAtOnce;
}

async function closeNext(tx: Database, site: Site, now: Date): Promise<boolean> {
  const { rows } = await tx.execute<Due>(sql`
    SELECT push.id, push.owner_id, push_rule.repeat_minutes, push_rule.quiet_from, push_rule.quiet_to
    FROM push LEFT JOIN push_rule ON push_rule.id = push.rule_id
    WHERE push.closed_at IS NULL AND push.due_at <= now() ORDER BY push.due_at, push.id LIMIT 1 FOR NO KEY UPDATE OF push SKIP LOCKED`);
  const [due] = rows;
  if (!due) return false;
  const until = quietUntil(now, due, site.time_zone);
  if (until) {
    await tx.execute(sql`UPDATE push SET held = true, due_at = ${until.toISOString()} WHERE id = ${due.id}`);
    await tx.execute(sql`UPDATE push_delivery SET next_attempt_at = ${until.toISOString()} WHERE push_id = ${due.id}`);
    return true;
  }
  await close(tx, due, site);
  return true;
}

async function close(tx: Database, { id, owner_id, repeat_minutes }: Due, site: Site): Promise<void> {
  const { rows } = await tx.execute<Told & { number: number }>(sql`
    SELECT event.id, event.type, event.data, event.at, incident.handling, count(*) OVER ()::int AS number
    FROM push_event JOIN event ON event.id = push_event.event_id
    LEFT JOIN LATERAL (
      SELECT handling FROM domain_incident
      WHERE event.type = 'domain.blocked' AND domain_incident.domain_id::text = event.data ->> 'id' AND domain_incident.kind = 'blocked'
      ORDER BY domain_incident.id DESC LIMIT 1
    ) AS incident ON true
    WHERE push_event.push_id = ${id} ORDER BY event.id LIMIT ${readEvents}`);
  const number = rows[0]?.number ?? 0;
  // Its rule was removed, and with it what it had to tell.
  if (number === 0) return void (await tx.execute(sql`DELETE FROM push WHERE id = ${id}`));
  const { title, content, kind, place, place_id } = textOf(rows, { ...site, number, language: await languageOfUser(tx, owner_id) });
  const isRepeated = repeat_minutes !== null && rows.some(({ type }) => isUrgent(type as EventType));
  await tx.execute(sql`
    UPDATE push SET closed_at = now(), held = false, title = ${title}, content = ${content}, kind = ${kind}, place = ${place}, place_id = ${place_id},
      events = ${number}, repeat_at = CASE WHEN ${isRepeated} THEN now() + make_interval(mins => ${repeat_minutes ?? 0}) END
    WHERE id = ${id}`);
}

type Unseen = QuietHours & { id: number; rule_id: number | null; owner_id: number; repeat_minutes: number | null; enabled: boolean | null };

/** Tells again what nobody has seen. A channel at which the last time waits still is left alone. Answers how many. */
export async function repeatUnseen(db: Database, site: Site, now: Date): Promise<number> {
  for (let repeated = 0; repeated < pushesAtOnce; repeated += 1)
    if (!(await transact(db, (tx) => repeatNext(tx, site, now)))) return repeated;
  return pushesAtOnce;
}

async function repeatNext(tx: Database, site: Site, now: Date): Promise<boolean> {
  const { rows } = await tx.execute<Unseen>(sql`
    SELECT push.id, push.rule_id, push.owner_id, push_rule.repeat_minutes, push_rule.enabled, push_rule.quiet_from, push_rule.quiet_to
    FROM push LEFT JOIN push_rule ON push_rule.id = push.rule_id
    WHERE push.repeat_at <= now() ORDER BY push.repeat_at, push.id LIMIT 1 FOR NO KEY UPDATE OF push SKIP LOCKED`);
  const [unseen] = rows;
  if (!unseen) return false;
  const { id, rule_id, owner_id, repeat_minutes, enabled } = unseen;
  if (rule_id === null || repeat_minutes === null || !enabled) {
    await tx.execute(sql`UPDATE push SET repeat_at = NULL WHERE id = ${id}`);
    return true;
  }
  const until = quietUntil(now, unseen, site.time_zone);
  if (until) {
    await tx.execute(sql`UPDATE push SET repeat_at = ${until.toISOString()} WHERE id = ${id}`);
    return true;
  }
  await tx.execute(sql`
    UPDATE push SET round = round + 1, repeat_at = now() + make_interval(mins => ${repeat_minutes}) WHERE id = ${id}`);
  await tx.execute(sql`
    INSERT INTO push_delivery (push_id, channel_id, owner_id, round)
    SELECT ${id}, usable.id, ${owner_id}, push.round FROM (${usableChannels(rule_id)}) AS usable JOIN push ON push.id = ${id}
    WHERE NOT EXISTS (SELECT FROM push_delivery WHERE push_id = ${id} AND channel_id = usable.id AND state = 'waiting')
    ORDER BY usable.id`);
  return true;
}
