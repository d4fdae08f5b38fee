import { sql } from 'drizzle-orm';
import type { EventType } from '../../../contract/events.ts';
import type { Database } from '../postgres/database.ts';

/** One thing that happened to a row of `owner_id`; `data` names the row by `id` and tells what a receiver needs. */
export type Happening = { type: EventType; owner_id: number; data: Record<string, unknown> };

/** Records what happened in the transaction of `db`, so that it is told if and only if it is committed. */
export async function emitEvents(db: Database, happenings: readonly Happening[]): Promise<void> {
  if (happenings.length === 0) return;
  const rows = JSON.stringify(happenings);
  await db.execute(sql`INSERT INTO event (type, owner_id, data)
    SELECT type, owner_id, data FROM jsonb_to_recordset(${rows}::jsonb) AS given (type text, owner_id bigint, data jsonb)`);
}
