import { eq } from 'drizzle-orm';
import type pg from 'pg';
import { platformOwners } from '../../detection/detection.public.ts';
import type { RecurringJob } from '../../kit/jobs/jobs.ts';
import { emitEvents } from '../../kit/messages/events.ts';
import { type Database, openDatabase, transact } from '../../kit/postgres/database.ts';
import { readPayConfig } from '../tron.means.ts';
import { tron_position } from '../tron.table.ts';
import type { Position } from './scan.ts';

/** A node that was away for a moment is no news, nor is a site that catches up with what came while it stood still. */
const patienceMinutes = 5;

/** Whether there is more to read than was read: it fails, is not at the end yet, or nobody comes to it. A quiet network has nothing new. */
function isBehind({ last_error, block, block_at, solid_head, due_at }: Position, now: Date): boolean {
  const before = now.getTime() - patienceMinutes * 60_000;
  return Date.parse(block_at) < before && (last_error !== null || solid_head > block || Date.parse(due_at) < before);
}

/**
 * Tells administrators that payments were not read for five minutes, once, and of that only that they are read again. Orders do not expire
 * meanwhile: their time is that of the blocks.
 */
export async function tellStalled(db: Database, now: Date): Promise<void> {
  const { contract } = await readPayConfig(db);
  await transact(db, async (tx) => {
    const isOwn = eq(tron_position.contract, contract);
    const [position] = await tx.select().from(tron_position).where(isOwn).for('update');
    if (!position) return;
    const { stalled_at, stalled_told, block_at } = position;
    const behind = isBehind(position, now);
    const tell = async (type: 'payments.stalled' | 'payments.resumed', since: string) => {
      const owners = await platformOwners(tx);
      await emitEvents(
        tx,
        owners.map((owner_id) => ({ type, owner_id, data: { since } })),
      );
    };
    const set = (values: Partial<Position>) => tx.update(tron_position).set(values).where(isOwn);
    if (!behind && stalled_at !== null) {
      await set({ stalled_at: null, stalled_told: false });
      if (stalled_told) await tell('payments.resumed', stalled_at);
    }
    if (behind && stalled_at === null) await set({ stalled_at: now.toISOString() });
    if (behind && stalled_at !== null && !stalled_told && Date.parse(stalled_at) <= now.getTime() - patienceMinutes * 60_000) {
      await set({ stalled_told: true });
      await tell('payments.stalled', block_at);
    }
  });
}

export const stalledJobs = (pool: pg.Pool): RecurringJob[] => [
  { name: 'tron.stalled', everyMinutes: 1, run: () => tellStalled(openDatabase(pool), new Date()) },
];
