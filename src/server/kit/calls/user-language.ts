import { sql } from 'drizzle-orm';
import type { Language } from '../../../contract/enums.ts';
import type { Database } from '../postgres/database.ts';

/** The language that a user last chose, else the site's: for what is written to him while he is away. */
export async function languageOfUser(db: Database, user_id: number): Promise<Language> {
  const { rows } = await db.execute<{ language: Language }>(sql`
    SELECT coalesce(language, (SELECT value #>> '{}' FROM setting WHERE key = 'default_language'), 'zh-CN') AS language
    FROM user_account WHERE id = ${user_id}`);
  return rows[0]?.language ?? 'zh-CN';
}
