import { sql } from 'drizzle-orm';
import type { Language } from '../../contract/enums.ts';
import type { Database } from '../kit/database.ts';
import { translate } from '../kit/messages.ts';
import { sendSystemMessage } from '../kit/site-messages.ts';

/** The language that a user last chose, else the site's. */
async function languageOfUser(db: Database, user_id: number): Promise<Language> {
  const { rows } = await db.execute<{ language: Language }>(sql`
    SELECT coalesce(language, (SELECT value #>> '{}' FROM setting WHERE key = 'default_language'), 'zh-CN') AS language
    FROM user_account WHERE id = ${user_id}`);
  return rows[0]?.language ?? 'zh-CN';
}

type Stop = { owner_id: number; url: string; why: 'gone' | 'failing' };

/** Tells the owner that his webhook was switched off. */
export async function tellOfStop(db: Database, { owner_id, url, why }: Stop): Promise<void> {
  const language = await languageOfUser(db, owner_id);
  await sendSystemMessage(db, {
    user_ids: [owner_id],
    title: translate(language, 'webhook.notice.stopped'),
    content: translate(language, `webhook.notice.${why}`, { url }),
  });
}
