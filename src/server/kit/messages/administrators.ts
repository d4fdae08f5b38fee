import { sql } from 'drizzle-orm';
import type { Language } from '../../../contract/enums.ts';
import type { Database } from '../postgres/database.ts';
import { type SystemMessage, sendSystemMessage } from './site-messages.ts';

/** Tells every administrator who can act, in his language. */
export async function tellAdministrators(
  tx: Database,
  default_language: Language,
  words: (language: Language) => Pick<SystemMessage, 'title' | 'content' | 'place' | 'place_id'>,
): Promise<void> {
  const { rows } = await tx.execute<{ language: Language; ids: number[] }>(sql`
    SELECT coalesce(language, ${default_language}) AS language, array_agg(user_account.id::float8) AS ids
    FROM user_account JOIN role ON role.id = role_id
    WHERE role.kind IN ('super', 'administrator') AND NOT disabled AND status = 1 GROUP BY 1`);
  for (const { language, ids } of rows) await sendSystemMessage(tx, { user_ids: ids, kind: 'alert', ...words(language) });
}
