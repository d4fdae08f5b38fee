import { sql } from 'drizzle-orm';
import { keptAnswerCharacters } from '../../contract/detection/shield-push.ts';
import type { Language } from '../../contract/enums.ts';
import { sendTelegram } from '../bots/bots.public.ts';
import { AppError } from '../kit/calls/errors.ts';
import { languageOfUser } from '../kit/calls/user-language.ts';
import { translate } from '../kit/messages/messages.ts';
import { sendSystemMessage } from '../kit/messages/site-messages.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import { truncate } from '../kit/texts.ts';
import { readMailServer } from './pushes.mail-server.ts';
import { tellOfStop } from './pushes.notices.ts';
import { type ClaimedPush, deliveries } from './pushes.outbox.ts';
import { linkOf } from './pushes.text.ts';
import { sendMail } from './senders/mail.ts';
import { openRobot, sendToRobot } from './senders/robots.ts';
import type { Means, Written } from './senders/sending.types.ts';

/** Seconds after the first, second … failed attempt: nine attempts over some eight hours. News of yesterday helps nobody. */
const pauses = [10, 30, 120, 600, 1_800, 3_600, 7_200, 14_400];
const maxPause = 86_400;
const jitter = 0.2;
/** A channel at which nothing arrived for so long is switched off. */
const failingHours = 24;
/** The same again would fail again. */
const finalCodes = new Set(['push.refused', 'push.unbound', 'telegram.forbidden', 'telegram.chat_gone', 'telegram.not_bound']);
/** What the button below a Telegram message answers with, before the number of its push. */
export const seenButton = 'push_seen';

type Outcome = {
  isDelivered: boolean;
  isFinal: boolean;
  answer: string | null;
  error: string | null;
  error_params: Record<string, string | number> | null;
  duration_ms: number;
  /** Seconds that the receiver asked to be left alone for. */
  retry_after: number;
};

/** A push in the words of its receiver. */
export function written(push: ClaimedPush, language: Language, site_url: string): Written {
  const { title, content, round } = push;
  return {
    title: round > 1 ? translate(language, 'push_text.again', { round, title }) : title,
    content,
    link: linkOf(push, site_url),
    linkText: translate(language, 'push_text.link'),
    seenText: translate(language, 'shield_push.mark_seen'),
  };
}

const linkLine = ({ link, linkText }: Written): string => (link === '' ? '' : `\n\n${linkText}: ${link}`);

/** Sends to a receiver outside and answers what it said. */
async function sendOut(push: ClaimedPush, text: Written, { db, network, vault, now, site }: Means): Promise<string> {
  const whole = `${text.title}\n\n${text.content}${linkLine(text)}`;
  switch (push.kind) {
    case 'site':
      return '';
    case 'email': {
      const server = await readMailServer(db, vault);
      if (!server) throw new AppError(409, 'push.no_mail_server');
      const body = `${text.content}${linkLine(text)}\n`;
      return sendMail(network, server, { to: push.target, subject: text.title, text: body, id: `push-${push.id}` });
    }
    case 'telegram': {
      const { rows } = await db.execute<{ bot_id: number; chat_id: number }>(sql`
        SELECT bot_id, chat_id FROM telegram_chat WHERE id = ${push.telegram_chat_id} AND user_id = ${push.owner_id}`);
      const [chat] = rows;
      if (!chat) throw new AppError(409, 'push.unbound');
      const { link, linkText, seenText } = text;
      const buttons = [
        ...(push.is_test ? [] : [[{ text: seenText, data: `${seenButton}:${push.push_id}` }]]),
        ...(link === '' ? [] : [[{ text: linkText, url: link }]]),
      ];
      const { message_id } = await sendTelegram(db, network, vault, { ...chat, text: `${text.title}\n\n${text.content}`, buttons });
      return `message_id ${message_id}`;
    }
    default: {
      if (!push.secret) throw new AppError(409, 'push.refused', { params: { reason: '-' } });
      const proxy = (await site())[`${push.kind}_robot_proxy`] ?? '';
      return sendToRobot(network, push.kind, openRobot(vault, push.secret), { text: whole, now: now(), proxy });
    }
  }
}

async function request(push: ClaimedPush, text: Written, means: Means): Promise<Outcome> {
  const startedAt = performance.now();
  const outcome = { answer: null, error: null, error_params: null, retry_after: 0 };
  try {
    const answer = await sendOut(push, text, means);
    const kept = truncate(answer.replaceAll('\0', '\ufffd'), keptAnswerCharacters);
    return { ...outcome, isDelivered: true, isFinal: false, answer: kept, duration_ms: Math.round(performance.now() - startedAt) };
  } catch (error) {
    const { code, details } = error instanceof AppError ? error : { code: 'internal', details: {} };
    return {
      ...outcome,
      isDelivered: false,
      isFinal: finalCodes.has(code),
      error: code,
      error_params: details.params ?? null,
      retry_after: details.retryAfterSeconds ?? 0,
      duration_ms: Math.round(performance.now() - startedAt),
    };
  }
}

/** Seconds until the next attempt after so many, or undefined where that was the last. */
export function pauseAfter(attempts: number, retry_after: number, random: () => number = Math.random): number | undefined {
  const pause = pauses[attempts - 1];
  if (pause === undefined) return undefined;
  return Math.min(maxPause, Math.max(pause * (1 + jitter * (2 * random() - 1)), retry_after));
}

/**
 * Makes one attempt and writes what came of it. A site message is written with it: it is told exactly once. What is sent out is sent again
 * only where its worker ended before the answer was written.
 */
export async function attempt(push: ClaimedPush, means: Means, { isTest = false } = {}): Promise<Outcome> {
  const language = push.language ?? (await languageOfUser(means.db, push.owner_id));
  const text = written(push, language, (await means.site()).site_url);
  const outcome = await request(push, text, means);
  const pause = outcome.isDelivered || outcome.isFinal || isTest ? undefined : pauseAfter(push.attempts, outcome.retry_after);
  await transact(means.db, async (tx) => {
    const state = outcome.isDelivered ? 'delivered' : pause === undefined ? 'failed' : 'waiting';
    const set = sql`state = ${state}, answer = ${outcome.answer}, error = ${outcome.error},
      error_params = ${outcome.error_params && JSON.stringify(outcome.error_params)}::jsonb, duration_ms = ${outcome.duration_ms},
      next_attempt_at = now() + make_interval(secs => ${pause ?? 0})`;
    // Another worker took it over, or it was asked for anew, or removed.
    if (!(await deliveries.release(tx, push, set))) return;
    if (push.kind === 'site') await writeMessage(tx, push, text);
    if (outcome.retry_after > 0) await pauseReceiver(tx, push.channel_id, outcome.retry_after);
    if (outcome.isDelivered)
      await tx.execute(sql`UPDATE push_channel SET failing_since = NULL WHERE id = ${push.channel_id} AND failing_since IS NOT NULL`);
    else if (!isTest) await blame(tx, push);
  });
  return outcome;
}

async function writeMessage(tx: Database, { id, owner_id, message_kind, place, place_id }: ClaimedPush, text: Written): Promise<void> {
  const message = {
    kind: message_kind,
    title: text.title,
    content: text.content,
    ...(place ? { place } : {}),
    ...(place_id ? { place_id } : {}),
  };
  const message_id = await sendSystemMessage(tx, { user_ids: [owner_id], ...message });
  await tx.execute(sql`UPDATE push_delivery SET site_message_id = ${message_id} WHERE id = ${id}`);
}

/** What else waits for this receiver waits as long as it asked for. */
const pauseReceiver = (tx: Database, channel_id: number, seconds: number) =>
  tx.execute(sql`
    UPDATE push_channel SET free_at = greatest(free_at, now() + make_interval(secs => ${Math.min(seconds, maxPause)})) WHERE id = ${channel_id}`);

/** Remembers since when a channel fails, and switches it off where that is too long. */
async function blame(tx: Database, { channel_id, owner_id }: ClaimedPush): Promise<void> {
  await tx.execute(sql`UPDATE push_channel SET failing_since = now() WHERE id = ${channel_id} AND failing_since IS NULL`);
  const { rows } = await tx.execute<{ name: string; target: string; kind: string }>(sql`
    UPDATE push_channel SET enabled = false, stopped = 'failing', updated_at = now()
    WHERE id = ${channel_id} AND enabled AND failing_since <= now() - make_interval(hours => ${failingHours}) RETURNING name, target, kind`);
  const [stopped] = rows;
  if (stopped) await tellOfStop(tx, { owner_id, ...stopped });
}
