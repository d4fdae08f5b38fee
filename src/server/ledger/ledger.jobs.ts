import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { notifyAdministrators } from '../kit/messages/notify.ts';
import { type Database, openDatabase, transact } from '../kit/postgres/database.ts';
import { readSettings } from '../settings/settings.public.ts';
import { verifyLedger } from './ledger.verify.ts';

/** In the night of the site's time zone, when little is moved. */
const nightlyHour = 3;

type Options = { now: Date; time_zone: string };

/** Verifies the ledger where it was not since the last night, and tells all administrators what does not add up. */
export async function verifyNightly(db: Database, { now, time_zone }: Options): Promise<boolean> {
  const night = (moment: ReturnType<typeof sql>) =>
    sql`(${moment} AT TIME ZONE ${time_zone} - make_interval(hours => ${nightlyHour}))::date`;
  const { rows } = await db.execute<{ is_due: boolean }>(sql`
    SELECT NOT EXISTS (SELECT FROM ledger_verification WHERE ${night(sql`at`)} >= ${night(sql`${now.toISOString()}::timestamptz`)}) AS is_due`);
  if (!rows[0]?.is_due) return false;
  return transact(db, async (tx) => {
    const { faults } = await verifyLedger(tx);
    if (faults.length > 0)
      await notifyAdministrators(tx, {
        words: ({ say }) => ({ title: say('bill.alert.title', { number: faults.length }), content: say('bill.alert.content') }),
      });
    return true;
  });
}

export const ledgerJobs = (pool: pg.Pool): RecurringJob[] => [
  {
    name: 'ledger.verify',
    everyMinutes: 60,
    offsetMinutes: 11,
    run: async () => verifyNightly(openDatabase(pool), { now: new Date(), ...(await readSettings(pool)) }),
  },
];
