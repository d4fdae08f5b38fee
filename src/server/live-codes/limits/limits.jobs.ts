import type pg from 'pg';
import type { RecurringJob } from '../../kit/jobs/jobs.ts';
import { speak } from '../../kit/messages/messages.ts';
import { openDatabase } from '../../kit/postgres/database.ts';
import { readLanguages } from '../../languages/languages.public.ts';
import { readSettings } from '../../settings/settings.public.ts';
import { tellOfExhausted } from './exhausted.ts';
import { remindOfExpiries } from './reminders.ts';

/** The live codes' work that comes round by the clock. */
export const liveCodeJobs = (pool: pg.Pool): RecurringJob[] => [
  {
    name: 'codes.exhausted',
    cron: '* * * * *',
    async run() {
      const languages = await readLanguages(pool);
      speak(languages);
      return tellOfExhausted(openDatabase(pool), { now: new Date(), language: languages.default_language });
    },
  },
  {
    name: 'codes.remind',
    cron: '*/5 * * * *',
    async run() {
      const languages = await readLanguages(pool);
      speak(languages);
      const { target_reminder_hours: hours, time_zone } = await readSettings(pool);
      return remindOfExpiries(openDatabase(pool), { now: new Date(), hours, time_zone, language: languages.default_language });
    },
  },
];
