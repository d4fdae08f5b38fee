import type { Database } from '../kit/database.ts';
import type { RecurringJob } from '../kit/jobs.ts';
import { removeExpiredFiles } from './operations.files.ts';

export const operationJobs = (db: Database, dataDir: string): RecurringJob[] => [
  { name: 'operations.files', everyMinutes: 15, run: () => removeExpiredFiles(db, dataDir) },
];
