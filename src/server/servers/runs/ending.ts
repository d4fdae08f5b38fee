import { and, eq } from 'drizzle-orm';
import { AppError } from '../../kit/calls/errors.ts';
import { type StoredRun, type StoredRunServer, script_run, script_run_server } from '../script.table.ts';
import { server } from '../server-list.table.ts';
import type { Means } from '../servers.means.ts';
import { tellPages } from './output.ts';
import { finishRow, leaveOut } from './rows.ts';
import { endProcesses } from './running.ts';

/** Ends what runs on one server, and says what is known of it. Without a token nothing was begun there. */
async function endRow(means: Means, row: StoredRunServer, isReachable: boolean): Promise<void> {
  const { token, process_group, host, server_id } = row;
  const left = { state: 'interrupted', exit_status: null } as const;
  if (!token) return finishRow(means, row, { ...left, fault: new AppError(409, 'script.not_begun') });
  const unsure = new AppError(502, 'script.end_unsure', { params: { host } });
  const [target] = server_id === null ? [] : await means.db.select().from(server).where(eq(server.id, server_id));
  if (!isReachable || !target) return finishRow(means, row, { ...left, fault: unsure });
  const fault = await endProcesses(means, target, { token, group: process_group }, { isForgotten: true });
  return finishRow(means, row, { ...left, fault: fault ?? new AppError(409, 'script.broken_off', { params: { host } }) });
}

/**
 * Ends what a run has going on its servers, for good: nobody takes it up again. What was not begun is left out. Where `isReachable` is false
 * no server is asked, and each row says that something may be left there.
 */
export async function endRun(means: Means, run: StoredRun, isReachable: boolean): Promise<void> {
  const { db } = means;
  await leaveOut(means, run, 'skipped');
  const isOpen = and(eq(script_run_server.run_id, run.id), eq(script_run_server.state, 'running'));
  const rows = await db.select().from(script_run_server).where(isOpen).orderBy(script_run_server.id);
  async function work(): Promise<void> {
    for (let row = rows.shift(); row; row = rows.shift()) await endRow(means, row, isReachable);
  }
  for (const result of await Promise.allSettled(Array.from({ length: run.parallel }, work)))
    if (result.status === 'rejected') throw result.reason;
  await db.update(script_run).set({ secrets: null }).where(eq(script_run.id, run.id));
  await tellPages(db, { run_id: run.id, user_id: run.user_id });
}
