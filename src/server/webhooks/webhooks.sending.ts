import { sql } from 'drizzle-orm';
import { keptAnswerBytes } from '../../contract/people/webhook.ts';
import { AppError } from '../kit/calls/errors.ts';
import { guardedRequest } from '../kit/network/guarded-client.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { tellOfStop } from './webhooks.notices.ts';
import { type ClaimedDelivery, deliveries } from './webhooks.outbox.ts';
import { secretLabel, signedHeaders } from './webhooks.signature.ts';

const timeoutMilliseconds = 10_000;
/** Seconds after the first, second … failed attempt: ten attempts over a day. */
const pauses = [5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200];
const maxPause = 86_400;
const jitter = 0.2;
/** A receiver to which nothing got through for so long, and to which a delivery was tried in vain to its last attempt. */
const failingHours = 12;

export type Sender = { db: Database; network: GuardedNetwork; vault: Vault; now: () => Date; random?: () => number };

type Outcome = {
  isDelivered: boolean;
  isGone: boolean;
  status: number | null;
  answer: string | null;
  error: string | null;
  error_params: Record<string, string | number> | null;
  duration_ms: number;
  /** Seconds that the receiver asked to be left alone for. */
  retry_after: number;
};

export const messageId = (event_id: number): string => `evt_${event_id}`;

/** What a receiver gets: the same bytes at every attempt. */
export const payloadOf = ({ type, at, data }: Pick<ClaimedDelivery, 'type' | 'at' | 'data'>): string =>
  JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });

/** The seconds that a Retry-After header means, which may name a moment instead; 0 where it means nothing. */
function secondsOf(retry_after = '', now: Date): number {
  const seconds = /^\d+$/.test(retry_after) ? Number(retry_after) : (Date.parse(retry_after) - now.getTime()) / 1000;
  return Math.max(0, seconds || 0);
}

async function request(delivery: ClaimedDelivery, { network, vault, now }: Sender): Promise<Outcome> {
  const startedAt = performance.now();
  const body = payloadOf(delivery);
  try {
    const key = vault.open(delivery.secret, secretLabel);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Livecode-Webhook/1',
      ...signedHeaders(key, { id: messageId(delivery.event_id), at: now(), body }),
    };
    const {
      status,
      headers: answered,
      body: answer,
      duration_ms,
    } = await guardedRequest(network, {
      url: delivery.url,
      method: 'POST',
      headers,
      body,
      timeout_ms: timeoutMilliseconds,
      maximum_bytes: keptAnswerBytes,
      cut: true,
    });
    return {
      isDelivered: status >= 200 && status < 300,
      isGone: status === 410,
      status,
      // PostgreSQL stores no NUL; a cut may have split a character.
      answer: answer.replaceAll('\u0000', '\ufffd'),
      error: null,
      error_params: null,
      duration_ms,
      retry_after: secondsOf(answered['retry-after'], now()),
    };
  } catch (error) {
    return {
      isDelivered: false,
      isGone: false,
      status: null,
      answer: null,
      // A secret that cannot be opened, say: it is given up like any other fault instead of being claimed for ever.
      error: error instanceof AppError ? error.code : 'internal',
      error_params: error instanceof AppError ? (error.details.params ?? null) : null,
      duration_ms: Math.round(performance.now() - startedAt),
      retry_after: 0,
    };
  }
}

/** Seconds until the next attempt after so many, or undefined where that was the last. */
export function pauseAfter(attempts: number, retry_after: number, random: () => number = Math.random): number | undefined {
  const pause = pauses[attempts - 1];
  if (pause === undefined) return undefined;
  const spread = pause * (1 + jitter * (2 * random() - 1));
  return Math.min(maxPause, Math.max(spread, retry_after));
}

/**
 * Makes one attempt and writes what came of it. An attempt whose result is lost with its worker is made again: a receiver may get an
 * event twice, under the same `webhook-id`.
 */
export async function attempt(delivery: ClaimedDelivery, sender: Sender, { isTest = false } = {}): Promise<Outcome> {
  const outcome = await request(delivery, sender);
  const pause =
    outcome.isDelivered || outcome.isGone || isTest ? undefined : pauseAfter(delivery.attempts, outcome.retry_after, sender.random);
  await transact(sender.db, async (tx) => {
    const state = outcome.isDelivered ? 'delivered' : pause === undefined ? 'failed' : 'waiting';
    const set = sql`state = ${state}, status = ${outcome.status}, answer = ${outcome.answer}, error = ${outcome.error},
      error_params = ${outcome.error_params && JSON.stringify(outcome.error_params)}::jsonb, duration_ms = ${outcome.duration_ms},
      next_attempt_at = now() + make_interval(secs => ${pause ?? 0})`;
    // Another worker took it over, or it was asked for anew, or removed.
    if (!(await deliveries.release(tx, delivery, set))) return;
    if (outcome.isDelivered) {
      await tx.execute(sql`UPDATE webhook SET failing_since = NULL WHERE id = ${delivery.webhook_id} AND failing_since IS NOT NULL`);
    } else if (!isTest) await blame(tx, delivery, outcome.isGone ? 'gone' : state === 'failed' ? 'failing' : undefined);
  });
  return outcome;
}

/** Remembers since when a receiver fails, and switches its webhook off where it is gone or has failed for too long. */
async function blame(tx: Database, { webhook_id, owner_id, url }: ClaimedDelivery, why: 'gone' | 'failing' | undefined): Promise<void> {
  await tx.execute(sql`UPDATE webhook SET failing_since = now() WHERE id = ${webhook_id} AND failing_since IS NULL`);
  if (why === undefined) return;
  const { rowCount } = await tx.execute(sql`
    UPDATE webhook SET enabled = false, stopped = ${why}, updated_at = now()
    WHERE id = ${webhook_id} AND enabled AND (${why === 'gone'} OR failing_since <= now() - make_interval(hours => ${failingHours}))`);
  if (rowCount) await tellOfStop(tx, { owner_id, url, why });
}
