import type pg from 'pg';
import type { RecurringJob } from '../../kit/jobs/jobs.ts';
import { openDatabase } from '../../kit/postgres/database.ts';
import { readSettings } from '../../settings/settings.public.ts';
import { lookAtVisits } from './looking.ts';

export const visitRuleJobs = (pool: pg.Pool): RecurringJob[] => [
  {
    name: 'visits.rules',
    everyMinutes: 5,
    run: async () => lookAtVisits(openDatabase(pool), { now: new Date(), time_zone: (await readSettings(pool)).time_zone }),
  },
];
