import type pg from 'pg';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { openDatabase } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { readSettings } from '../settings/settings.public.ts';
import { applyRetention } from './logs.remove.ts';

export const logJobs = (pool: pg.Pool, vault: Vault): RecurringJob[] => [
  {
    name: 'logs.retention',
    cron: '37 * * * *',
    run: async () => applyRetention(openDatabase(pool), vault, { now: new Date(), ...(await readSettings(pool)) }),
  },
];
