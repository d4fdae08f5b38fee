import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { claim } from '../../kit/jobs/leased-rows.ts';
import type { Database } from '../../kit/postgres/database.ts';
import type { Answer } from '../api/answers.ts';
import type { Update } from '../api/updates.ts';

/** Longer than a check takes; renewed while it runs. */
export const leaseSeconds = 15;
const maxAttempts = 5;

export type KeptUpdate = {
  id: number;
  claim: string;
  attempts: number;
  bot_id: number;
  chat_id: number | null;
  username: string;
  token: Buffer;
  state: 'waiting' | 'answering';
  update: Update | null;
  answers: Answer[] | null;
};

export const isOwn = ({ id, claim: own }: KeptUpdate): SQL => sql`telegram_update.id = ${id} AND telegram_update.claim = ${own}`;
export const leasedUntil = sql`now() + make_interval(secs => ${leaseSeconds})`;

/** Takes the oldest update of a chat that nobody works for: a chat is answered in the order in which it asked. */
export async function claimUpdate(db: Database): Promise<KeptUpdate | undefined> {
  const [claimed] = await claim<KeptUpdate>(db, {
    table: 'telegram_update',
    due: sql`
      SELECT telegram_update.id, telegram_bot.username, telegram_bot.token
      FROM telegram_update JOIN telegram_bot ON telegram_bot.id = telegram_update.bot_id
      WHERE state IN ('waiting', 'answering') AND next_attempt_at <= now() AND telegram_bot.enabled
        AND (telegram_update.claimed_until IS NULL OR telegram_update.claimed_until < now())
        AND NOT EXISTS (SELECT FROM telegram_update AS earlier WHERE earlier.bot_id = telegram_update.bot_id
          AND earlier.chat_id = telegram_update.chat_id AND earlier.id < telegram_update.id AND earlier.state IN ('waiting', 'answering'))
      ORDER BY telegram_update.id LIMIT 1`,
    set: sql`claim = ${randomUUID()}, claimed_until = ${leasedUntil}, attempts = attempts + 1`,
    returning: sql`telegram_update.id, telegram_update.claim, telegram_update.attempts, telegram_update.bot_id, telegram_update.chat_id,
      telegram_update.state, telegram_update.update, telegram_update.answers, due.username, due.token`,
  });
  return claimed;
}

/** Marks that it took effect; false where another worker has it now. */
export async function takeEffect(tx: Database, kept: KeptUpdate, effect: () => Promise<Answer[]>): Promise<Answer[] | undefined> {
  const { rowCount } = await tx.execute(sql`SELECT FROM telegram_update WHERE ${isOwn(kept)} AND state = 'waiting' FOR UPDATE`);
  if (!rowCount) return undefined;
  const answers = await effect();
  await tx.execute(sql`
    UPDATE telegram_update SET state = 'answering', update = NULL, answers = ${JSON.stringify(answers)}::jsonb, attempts = 1
    WHERE ${isOwn(kept)}`);
  return answers;
}

export const finish = (db: Database, kept: KeptUpdate): Promise<unknown> =>
  db.execute(sql`
    UPDATE telegram_update SET state = 'done', update = NULL, answers = NULL, claim = NULL, claimed_until = NULL WHERE ${isOwn(kept)}`);

/** What was said already is not said again. */
export const keepRest = (db: Database, kept: KeptUpdate, rest: readonly Answer[]): Promise<unknown> =>
  db.execute(sql`UPDATE telegram_update SET answers = ${JSON.stringify(rest)}::jsonb WHERE ${isOwn(kept)}`);

/** To be tried again after so many seconds, or later by how often it was; given up after the last time. */
export const putOff = (db: Database, kept: KeptUpdate, seconds: number): Promise<unknown> =>
  db.execute(sql`
    UPDATE telegram_update SET claim = NULL, claimed_until = NULL, next_attempt_at = now() + make_interval(secs => greatest(${seconds}, power(2, attempts))),
      state = CASE WHEN attempts >= ${maxAttempts} THEN 'failed' ELSE state END,
      update = CASE WHEN attempts >= ${maxAttempts} THEN NULL ELSE update END,
      answers = CASE WHEN attempts >= ${maxAttempts} THEN NULL ELSE answers END
    WHERE ${isOwn(kept)}`);

export const release = (db: Database, kept: KeptUpdate): Promise<unknown> =>
  db.execute(sql`UPDATE telegram_update SET claim = NULL, claimed_until = NULL, attempts = attempts - 1 WHERE ${isOwn(kept)}`);
