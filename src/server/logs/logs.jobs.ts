import type pg from 'pg';
import { openDatabase } from '../kit/database.ts';
import type { RecurringJob } from '../kit/jobs.ts';
import type { Vault } from '../kit/vault.ts';
import { readSettings } from '../settings/settings.reads.ts';
import { applyRetention } from './logs.remove.ts';

export const logJobs = (pool: pg.Pool, vault: Vault): RecurringJob[] => [
  {
    name: 'logs.retention',
    everyMinutes: 60,
    offsetMinutes: 37,
    run: async () => applyRetention(openDatabase(pool), vault, { now: new Date(), ...(await readSettings(pool)) }),
  },
];
