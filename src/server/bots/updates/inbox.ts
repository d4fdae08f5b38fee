import { sql } from 'drizzle-orm';
import { leasedRows } from '../../kit/jobs/leased-rows.ts';
import type { Database } from '../../kit/postgres/database.ts';
import type { Answer } from '../api/answers.ts';
import type { Update } from '../api/updates.ts';

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

/** The lease is longer than a check takes; it is renewed while one runs. */
export const updates = leasedRows<KeptUpdate>('telegram_update', {
  seconds: 15,
  retry: { at: 'next_attempt_at', seconds: sql`power(2, attempts)` },
});

/** Takes the oldest update of a chat that nobody works for: a chat is answered in the order in which it asked. */
export async function claimUpdate(db: Database): Promise<KeptUpdate | undefined> {
  const [claimed] = await updates.claim(db, {
    due: sql`
      SELECT telegram_update.id, telegram_bot.username, telegram_bot.token
      FROM telegram_update JOIN telegram_bot ON telegram_bot.id = telegram_update.bot_id
      WHERE state IN ('waiting', 'answering') AND next_attempt_at <= now() AND telegram_bot.enabled
        AND ${updates.isFree}
        AND NOT EXISTS (SELECT FROM telegram_update AS earlier WHERE earlier.bot_id = telegram_update.bot_id
          AND earlier.chat_id = telegram_update.chat_id AND earlier.id < telegram_update.id AND earlier.state IN ('waiting', 'answering'))
      ORDER BY telegram_update.id LIMIT 1`,
    set: sql`attempts = attempts + 1`,
    returning: sql`telegram_update.attempts, telegram_update.bot_id, telegram_update.chat_id, telegram_update.state, telegram_update.update,
      telegram_update.answers, due.username, due.token`,
  });
  return claimed;
}

/** Marks that it took effect; false where another worker has it now. */
export async function takeEffect(tx: Database, kept: KeptUpdate, effect: () => Promise<Answer[]>): Promise<Answer[] | undefined> {
  const { rowCount } = await tx.execute(sql`SELECT FROM telegram_update WHERE ${updates.isOwn(kept)} AND state = 'waiting' FOR UPDATE`);
  if (!rowCount) return undefined;
  const answers = await effect();
  await tx.execute(sql`
    UPDATE telegram_update SET state = 'answering', update = NULL, answers = ${JSON.stringify(answers)}::jsonb, attempts = 1
    WHERE ${updates.isOwn(kept)}`);
  return answers;
}

export const finish = (db: Database, kept: KeptUpdate): Promise<unknown> =>
  updates.release(db, kept, sql`state = 'done', update = NULL, answers = NULL`);

/** What was said already is not said again. */
export const keepRest = (db: Database, kept: KeptUpdate, rest: readonly Answer[]): Promise<unknown> =>
  db.execute(sql`UPDATE telegram_update SET answers = ${JSON.stringify(rest)}::jsonb WHERE ${updates.isOwn(kept)}`);

/** To be tried again after so many seconds, or later by how often it was; given up after the last time. */
export const putOff = (db: Database, kept: KeptUpdate, seconds: number): Promise<unknown> =>
  updates.fail(db, kept, {
    minSeconds: seconds,
    set: sql`state = CASE WHEN attempts >= ${maxAttempts} THEN 'failed' ELSE state END,
      update = CASE WHEN attempts >= ${maxAttempts} THEN NULL ELSE update END,
      answers = CASE WHEN attempts >= ${maxAttempts} THEN NULL ELSE answers END`,
  });

export const release = (db: Database, kept: KeptUpdate): Promise<unknown> => updates.release(db, kept, sql`attempts = attempts - 1`);
