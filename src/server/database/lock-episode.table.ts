import { integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core';
import type { EpisodeSession } from '../../contract/system/mysql-lock.ts';
import { idColumn, moment } from '../kit/rows/columns.ts';

/** A session as an episode keeps it; which part of ours it is follows from what it calls itself. */
export type KeptSession = Omit<EpisodeSession, 'part'>;

export const lock_episode = pgTable(
  'lock_episode',
  {
    id: idColumn(),
    session_id: integer('session_id').notNull(),
    session_began_at: moment('session_began_at').notNull(),
    began_at: moment('began_at').notNull(),
    seen_at: moment('seen_at').notNull(),
    lock: text('lock').notNull(),
    waiter: jsonb('waiter').$type<KeptSession>().notNull(),
    holder: jsonb('holder').$type<KeptSession>(),
  },
  (table) => [unique().on(table.session_id, table.session_began_at, table.began_at)],
);
