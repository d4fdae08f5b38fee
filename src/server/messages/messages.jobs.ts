import { sql } from 'drizzle-orm';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import type { Database } from '../kit/postgres/database.ts';

const rowsAtOnce = 5000;

/** Deletes what was cleared, the views in small steps first, so that no statement locks a hundred thousand rows. */
export async function purgeClearedMessages(db: Database): Promise<number> {
  let messages = 0;
  for (;;) {
    const { rows } = await db.execute<{ id: number }>(sql`SELECT id FROM site_message WHERE cleared_at IS NOT NULL ORDER BY id LIMIT 100`);
    if (rows.length === 0) return messages;
    for (const { id } of rows) {
      await deleteInSteps(db, 'site_message_view', id);
      await deleteInSteps(db, 'site_message_receiver', id);
      messages += (await db.execute(sql`DELETE FROM site_message WHERE id = ${id}`)).rowCount ?? 0;
    }
  }
}

async function deleteInSteps(db: Database, table: 'site_message_view' | 'site_message_receiver', message_id: number): Promise<void> {
  const name = sql.identifier(table);
  for (;;) {
    const deleted = await db.execute(
      sql`DELETE FROM ${name} WHERE (user_id, message_id) IN (SELECT user_id, message_id FROM ${name} WHERE message_id = ${message_id} LIMIT ${rowsAtOnce})`,
    );
    if ((deleted.rowCount ?? 0) < rowsAtOnce) return;
  }
}

export const messageJobs = (db: Database): RecurringJob[] => [
  { name: 'messages.purge', cron: '17 * * * *', run: () => purgeClearedMessages(db) },
];
