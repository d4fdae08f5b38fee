import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { RecurringJob } from '../../kit/jobs/jobs.ts';
import { openDatabase } from '../../kit/postgres/database.ts';
import type { Vault } from '../../kit/vault.ts';
import { readSettings } from '../../settings/settings.public.ts';
import { settleRuns } from './settling.ts';
import { startSchedules } from './starting.ts';

export const scheduleJobs = (pool: pg.Pool, vault: Vault): RecurringJob[] => [
  {
    name: 'servers.schedules',
    everyMinutes: 1,
    async run() {
      const db = openDatabase(pool);
      const { default_language } = await readSettings(pool);
      const { rows } = await db.execute<{ now: Date }>(sql`SELECT now() AS now`);
      const now = new Date(rows[0]?.now ?? Date.now());
      await settleRuns(db, now);
      return startSchedules(db, { now, language: default_language, vault });
    },
  },
];
