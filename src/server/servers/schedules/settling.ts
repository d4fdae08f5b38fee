import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { OperationState } from '../../../contract/system/async-operations.ts';
import { notifyAdministrators } from '../../kit/messages/notify.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { type StoredSchedule, script_schedule } from './script-schedule.table.ts';

/** Of one that fails again and again administrators are told once in this time. */
const toldMilliseconds = 20 * 3_600_000;

type Ended = { id: number; script_name: string; state: OperationState | null; number: number; failed: number };

const isUnderWay = ({ state }: Ended): boolean => state === 'waiting' || state === 'running';

async function readRun(db: Database, id: number): Promise<Ended | undefined> {
  const { rows } = await db.execute<Ended>(sql`
    SELECT script_run.id::float8 AS id, script_name, async_operation.state,
      (SELECT count(*)::int FROM script_run_server WHERE run_id = script_run.id) AS number,
      (SELECT count(*)::int FROM script_run_server WHERE run_id = script_run.id AND script_run_server.state <> 'succeeded') AS failed
    FROM script_run LEFT JOIN async_operation ON async_operation.id = operation_id WHERE script_run.id = ${id}`);
  return rows[0];
}

/** Looks how the run under way ended, and tells of a failure. The row is locked by the caller. Answers whether none is under way any more. */
export async function settleRun(tx: Database, row: StoredSchedule, now: Date): Promise<boolean> {
  const { id, name, running_id } = row;
  if (running_id === null) return true;
  const run = await readRun(tx, running_id);
  if (run && isUnderWay(run)) return false;
  const isFailed = run !== undefined && run.state !== 'cancelled' && (run.state === 'failed' || run.failed > 0);
  // What somebody ended tells nothing of how it does.
  const failing_since = isFailed ? (row.failing_since ?? now.toISOString()) : run?.state === 'cancelled' ? row.failing_since : null;
  const tells =
    isFailed && (row.failing_since === null || row.told_at === null || now.getTime() - Date.parse(row.told_at) > toldMilliseconds);
  await tx
    .update(script_schedule)
    .set({ running_id: null, failing_since, ...(tells ? { told_at: now.toISOString() } : {}) })
    .where(eq(script_schedule.id, id));
  if (!tells || !run) return true;
  const { script_name, number, failed } = run;
  await notifyAdministrators(tx, {
    place: 'script_run',
    place_id: run.id,
    words: ({ say }) => ({
      title: say('push_text.schedule_failed.title', { name }),
      content: say('push_text.schedule_failed.content', { name, script: script_name, number, failed }),
    }),
  });
  return true;
}

/** Looks how runs under way ended, each in a transaction of its own. */
export async function settleRuns(db: Database, now: Date): Promise<void> {
  const running = await db.select({ id: script_schedule.id }).from(script_schedule).where(isNotNull(script_schedule.running_id));
  for (const { id } of running)
    await transact(db, async (tx) => {
      const isOwn = and(eq(script_schedule.id, id), isNotNull(script_schedule.running_id));
      const [row] = await tx.select().from(script_schedule).where(isOwn).for('no key update', { skipLocked: true });
      if (row) await settleRun(tx, row, now);
    });
}
