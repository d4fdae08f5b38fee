import { sql } from 'drizzle-orm';
import type { Settings } from '../../contract/settings.ts';
import type { Database } from '../kit/postgres/database.ts';
import { readSettings } from '../settings/settings.public.ts';

/** The settings, read over the call's own connection: transactions that wait for a second one each could exhaust the pool together. */
export const settingsOver = (db: Database): Promise<Settings> =>
  readSettings({ query: (text) => db.execute<{ key: string; value: unknown }>(sql.raw(text)) });
