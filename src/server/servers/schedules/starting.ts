import { and, eq, sql } from 'drizzle-orm';
import type { Language } from '../../../contract/enums.ts';
import { graceMinutes, type SkipReason } from '../../../contract/system/script-schedule.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { type Database, transact } from '../../kit/postgres/database.ts';
import { log } from '../../kit/rows/tables.ts';
import type { Vault } from '../../kit/vault.ts';
import { user_account } from '../../users/users.table.ts';
import { startRun } from '../runs/runs.ts';
import { hideSecrets, openSecrets, scheduleSecretsLabel } from '../script.secrets.ts';
import { type Fit, fitOf, halt } from './fit.ts';
import { type StoredSchedule, script_schedule } from './script-schedule.table.ts';
import { settleRun } from './settling.ts';
import { nextTimes } from './times.ts';

const startsAtOnce = 200;
const graceMilliseconds = graceMinutes * 60_000;

type Change = Partial<StoredSchedule>;
export type Moment = { now: Date /** Of makers who never chose one. */; language: Language; vault: Vault };

/** Writes what became of a moment, and the one that comes next. */
async function moveOn(tx: Database, { id, cron, time_zone }: StoredSchedule, now: Date, change: Change): Promise<void> {
  const [next] = nextTimes(cron, time_zone, now, 1);
  await tx
    .update(script_schedule)
    .set({ next_at: next?.toISOString() ?? null, planned_at: now.toISOString(), ...change })
    .where(eq(script_schedule.id, id));
}

/** Leaves a moment out, and says so. */
async function skip(tx: Database, row: StoredSchedule, now: Date, skipped_why: SkipReason): Promise<void> {
  const { id, name, next_at } = row;
  await tx
    .insert(log)
    .values({ type: 'script_schedule/skip', content: { id, name, at: next_at, reason: skipped_why }, source: 'schedule' });
  await moveOn(tx, row, now, { skipped_at: next_at, skipped_why });
}

/** Starts a run in the maker's name. */
async function start(
  tx: Database,
  row: StoredSchedule,
  { script, environment, maker }: Fit,
  { now, language, vault }: Moment,
): Promise<void> {
  const { id: schedule_id, name: schedule, server_ids, parallel, stop_on_failure } = row;
  const { id, name, version, body, timeout_seconds } = script;
  const [user] = await tx.select({ language: user_account.language }).from(user_account).where(eq(user_account.id, maker.user_id));
  const { shown, secrets: written } = hideSecrets(script.parameters, environment);
  const secrets = { ...written, ...openSecrets(vault, row.secrets, scheduleSecretsLabel(schedule_id)) };
  const { servers, run_id } = await startRun(tx, {
    ...{ kind: 'script' as const, script: { id, name, version }, environment: shown, secrets, vault, bodyOf: () => body, schedule_id },
    ...{ server_ids, dry: false, timeout_seconds, parallel, stop_on_failure },
    ...{ actor: { user_id: maker.user_id, impersonator: null }, language: user?.language ?? language },
  });
  const content = { id, name, version, run_id, servers, environment: shown, parallel, stop_on_failure, dry: false, schedule_id, schedule };
  await tx.insert(log).values({ user_id: maker.user_id, type: 'script/run', content, source: 'schedule' });
  await moveOn(tx, row, now, { running_id: run_id, skipped_at: null, skipped_why: null });
}

/** Meets a moment that is due, or says why not. */
async function meet(tx: Database, due: StoredSchedule, moment: Moment): Promise<void> {
  const { now } = moment;
  if (!(await settleRun(tx, due, now))) return skip(tx, due, now, 'running');
  const late = now.getTime() - Date.parse(due.next_at ?? now.toISOString());
  if (late > graceMilliseconds && due.missed === 'skip') return skip(tx, due, now, 'missed');
  const fit = await fitOf(tx, due);
  if (fit instanceof AppError) return halt(tx, due, fit);
  try {
    await transact(tx, (within) => start(within, due, fit, moment));
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'async_operations.too_many')) throw error;
    await skip(tx, due, now, 'busy');
  }
}

/** Claims one that is due; another worker that asks meanwhile gets others. `except` names those that failed just now. */
async function meetNext(tx: Database, moment: Moment, except: readonly number[]): Promise<number | undefined> {
  const { now } = moment;
  const isLive = sql`${script_schedule.enabled} AND ${script_schedule.halted_at} IS NULL AND ${script_schedule.next_at} <= ${now.toISOString()}`;
  const [due] = await tx
    .select()
    .from(script_schedule)
    .where(and(isLive, sql`${script_schedule.id} <> ALL(${sql.param([...except])}::bigint[])`))
    .orderBy(script_schedule.next_at, script_schedule.id)
    .limit(1)
    .for('no key update', { skipLocked: true });
  if (!due) return undefined;
  try {
    await transact(tx, (within) => meet(within, due, moment));
  } catch (error) {
    throw new ScheduleFailed(due.id, error);
  }
  return due.id;
}

class ScheduleFailed extends Error {
  readonly id: number;
  constructor(id: number, cause: unknown) {
    super(`schedule ${id}: ${String(cause)}`, { cause });
    this.id = id;
  }
}

/** Next moments that a clock found which was ahead of the present one. */
async function planAgain(db: Database, now: Date): Promise<void> {
  const isAhead = sql`${script_schedule.next_at} IS NOT NULL AND ${script_schedule.planned_at} > ${now.toISOString()}::timestamptz + interval '1 minute'`;
  for (const row of await db.select().from(script_schedule).where(isAhead)) await moveOn(db, row, now, {});
}

/**
 * Starts what is due, each in a transaction of its own with the moment that comes next: whatever is killed, each moment is met once. One
 * that fails keeps none of the others; it is tried again with the next round.
 */
export async function startSchedules(db: Database, moment: Moment): Promise<number> {
  await planAgain(db, moment.now);
  const failed: ScheduleFailed[] = [];
  let met = 0;
  for (; met + failed.length < startsAtOnce; ) {
    const except = failed.map(({ id }) => id);
    try {
      if ((await transact(db, (tx) => meetNext(tx, moment, except))) === undefined) break;
      met += 1;
    } catch (error) {
      if (!(error instanceof ScheduleFailed)) throw error;
      failed.push(error);
    }
  }
  if (failed[0]) throw failed[0];
  return met;
}
