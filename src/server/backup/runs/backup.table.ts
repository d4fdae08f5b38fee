import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { BackupKind, BackupOutcome } from '../../../contract/system/backup.ts';
import { idColumn, moment } from '../../kit/rows/columns.ts';

export const backup_run = pgTable(
  'backup_run',
  {
    id: idColumn(),
    kind: text('kind').$type<BackupKind>().notNull(),
    began_at: moment('began_at').notNull(),
    ended_at: moment('ended_at').notNull(),
    file_name: text('file_name').notNull(),
    bytes: bigint('bytes', { mode: 'number' }),
    sha256: text('sha256'),
    encrypted: boolean('encrypted'),
    holds_key: boolean('holds_key'),
    outcome: text('outcome').$type<BackupOutcome>().notNull(),
    message: text('message').notNull().default(''),
  },
  (table) => [index('backup_run_kind_id_idx').on(table.kind, table.id)],
);

export const backup_schedule = pgTable('backup_schedule', {
  id: integer('id').primaryKey().default(sql`1`),
  since: moment('since').notNull(),
  seen_at: moment('seen_at').notNull(),
  hours: integer('hours').notNull(),
  is_keyless: boolean('is_keyless').notNull(),
  key_kept_at: moment('key_kept_at'),
  backup_overdue_at: moment('backup_overdue_at'),
  drill_overdue_at: moment('drill_overdue_at'),
});
