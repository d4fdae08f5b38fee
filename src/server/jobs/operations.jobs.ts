import type { RecurringJob } from '../kit/jobs/jobs.ts';
import type { Database } from '../kit/postgres/database.ts';
import { removeExpiredFiles } from './operations.files.ts';

export const operationJobs = (db: Database, dataDir: string): RecurringJob[] => [
  { name: 'operations.files', cron: '*/15 * * * *', run: () => removeExpiredFiles(db, dataDir) },
];
