import type pg from 'pg';
import { openDatabase } from '../kit/database.ts';
import type { RecurringJob } from '../kit/jobs.ts';
import { speak } from '../kit/messages.ts';
import { readLanguages } from '../languages/languages.reads.ts';
import { readSettings } from '../settings/settings.reads.ts';
import { tellOfExhausted } from './live-codes.exhausted.ts';
import { remindOfExpiries } from './live-codes.reminders.ts';

/** The live codes' work that comes round by the clock. */
export const liveCodeJobs = (pool: pg.Pool): RecurringJob[] => [
  {
    name: 'codes.exhausted',
    everyMinutes: 1,
    async run() {
      const languages = await readLanguages(pool);
      speak(languages);
      return tellOfExhausted(openDatabase(pool), { now: new Date(), language: languages.default_language });
    },
  },
  {
    name: 'codes.remind',
    everyMinutes: 5,
    async run() {
      const languages = await readLanguages(pool);
      speak(languages);
      const { target_reminder_hours: hours, time_zone } = await readSettings(pool);
      return remindOfExpiries(openDatabase(pool), { now: new Date(), hours, time_zone, language: languages.default_language });
    },
  },
];
