import { and, asc, eq, lte } from 'drizzle-orm';
import type pg from 'pg';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { type Database, openDatabase, transactAgain } from '../kit/postgres/database.ts';
import { order_share } from './orders.table.ts';
import { releaseShare } from './settling.ts';
import { isCleared } from './share-flags.ts';

/** The others are found by the next run. */
const sharesAtOnce = 1000;

/**
 * Releases shares whose time is over, each in a transaction of its own.
 * @returns how many
 */
export async function releaseDueShares(db: Database, now: Date): Promise<number> {
  const due = await db
    .select({ id: order_share.id, agent_id: order_share.agent_id })
    .from(order_share)
    .where(and(eq(order_share.state, 'held'), lte(order_share.release_at, now.toISOString()), isCleared))
    .orderBy(asc(order_share.release_at), asc(order_share.id))
    .limit(sharesAtOnce);
  let released = 0;
  for (const share of due) if (await transactAgain(db, (tx) => releaseShare(tx, share, now))) released += 1;
  return released;
}

/** The shares' work that comes round by the clock. */
export const shareJobs = (pool: pg.Pool): RecurringJob[] => [
  { name: 'shares.release', everyMinutes: 5, offsetMinutes: 2, run: () => releaseDueShares(openDatabase(pool), new Date()) },
];
