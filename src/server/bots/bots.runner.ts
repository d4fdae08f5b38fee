import type pg from 'pg';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { openDatabase } from '../kit/postgres/database.ts';
import type { BotsOptions } from './bots.options.ts';
import { startPolling } from './bots.polling.ts';
import { purgeUpdates } from './bots.receive.ts';
import { startHandling } from './updates/handling.ts';

/** Everything that bots do by themselves: fetch what they are sent, act on it, answer. */
export function startBots(options: BotsOptions & { pool: pg.Pool }): { stop: () => Promise<void> } {
  const loops = [startPolling(options), startHandling(options)];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

export const botJobs = (pool: pg.Pool): RecurringJob[] => [
  { name: 'telegram.purge', everyMinutes: 60, offsetMinutes: 47, run: () => purgeUpdates(openDatabase(pool)) },
];
