import type { Database } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { mail_server } from './pushes.table.ts';
import { type MailServer, openPassword } from './senders/mail.ts';

/** By which server mails are sent, with its password; undefined where none was set. */
export async function readMailServer(db: Database, vault: Vault): Promise<MailServer | undefined> {
  const [row] = await db.select().from(mail_server);
  return row && { ...row, password: row.password ? openPassword(vault, row.password) : '' };
}
