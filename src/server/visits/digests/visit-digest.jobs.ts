import type pg from 'pg';
import type { RecurringJob } from '../../kit/jobs/jobs.ts';
import { openDatabase } from '../../kit/postgres/database.ts';
import { readSettings } from '../../settings/settings.public.ts';
import { sendDigests } from './sending.ts';

export const visitDigestJobs = (pool: pg.Pool): RecurringJob[] => [
  {
    name: 'visits.digests',
    everyMinutes: 1,
    run: async () => sendDigests(openDatabase(pool), { now: new Date(), time_zone: (await readSettings(pool)).time_zone }),
  },
];
