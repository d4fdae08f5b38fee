import { sql } from 'drizzle-orm';
import type { Database } from '../kit/postgres/database.ts';
import { chatOf, type Update, update } from './api/updates.ts';

/** More of one chat are not kept while they wait: whoever writes so much reads no answers. */
const maxWaiting = 30;

/** The updates that can be understood. */
export const readUpdates = (values: readonly unknown[]): Update[] =>
  values.flatMap((value) => {
    const parsed = update.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });

/**
 * Keeps what a bot was sent, to take effect by a worker: each update once, however often it comes. Answers how many were new.
 */
export async function keepUpdates(tx: Database, bot_id: number, updates: readonly Update[]): Promise<number> {
  if (updates.length === 0) return 0;
  const rows = updates.map((one) => ({ update_id: one.update_id, chat_id: chatOf(one)?.id ?? null, update: one }));
  const { rowCount } = await tx.execute(sql`
    WITH given AS (
      SELECT update_id, chat_id, update, row_number() OVER (PARTITION BY chat_id ORDER BY update_id) AS place
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given (update_id bigint, chat_id bigint, update jsonb)
    )
    INSERT INTO telegram_update (bot_id, update_id, chat_id, update)
    SELECT ${bot_id}, update_id, chat_id, update FROM given
    WHERE place + (SELECT count(*) FROM telegram_update AS own WHERE own.bot_id = ${bot_id} AND own.chat_id = given.chat_id
      AND own.state IN ('waiting', 'answering')) <= ${maxWaiting}
    ORDER BY update_id
    ON CONFLICT (bot_id, update_id) DO NOTHING`);
  return rowCount ?? 0;
}

const keptDays = 30;

/** Forgets what was dealt with long ago, and codes that nobody can use any more. */
export async function purgeUpdates(db: Database): Promise<void> {
  await db.execute(sql`DELETE FROM telegram_update WHERE received_at < now() - make_interval(days => ${keptDays})`);
  await db.execute(sql`DELETE FROM telegram_code WHERE expires_at < now() - interval '1 day'`);
}
