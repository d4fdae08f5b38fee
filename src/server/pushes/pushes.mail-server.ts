import { sql } from 'drizzle-orm';
import type { Database } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { mail_server } from './pushes.table.ts';
import { type MailServer, openPassword } from './senders/mail.ts';

/** By which server mails are sent, with its password; undefined where none was set. */
export async function readMailServer(db: Database, vault: Vault): Promise<MailServer | undefined> {
  const [row] = await db.select().from(mail_server);
  if (!row) return undefined;
  const { rows } = await db.execute<{ value: string }>(sql`SELECT value #>> '{}' AS value FROM setting WHERE key = 'mail_proxy'`);
  return { ...row, password: row.password ? openPassword(vault, row.password) : '', proxy: rows[0]?.value ?? '' };
}
