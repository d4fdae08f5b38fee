import { and, eq, sql } from 'drizzle-orm';
import { type StoredRun, type StoredRunServer, script_run_server } from '../script.table.ts';
import type { Means } from '../servers.means.ts';
import type { Outcome } from './running.ts';

/** Writes what became of a server, while it is still ours to write. */
export async function finishRow({ db }: Pick<Means, 'db'>, row: StoredRunServer, { state, exit_status, fault }: Outcome): Promise<void> {
  await db
    .update(script_run_server)
    .set({
      ...{ state, exit_status },
      error: fault?.code ?? null,
      error_params: (fault?.details.params as Record<string, string | number> | undefined) ?? null,
      finished_at: sql`now()` as never,
    })
    .where(and(eq(script_run_server.id, row.id), eq(script_run_server.state, 'running')));
}

/** Rows that wait and are not begun any more. Answers how many they are. */
export async function leaveOut({ db }: Pick<Means, 'db'>, run: StoredRun, state: 'cancelled' | 'skipped'): Promise<number> {
  const { rowCount } = await db
    .update(script_run_server)
    .set({ state, finished_at: sql`now()` as never })
    .where(and(eq(script_run_server.run_id, run.id), eq(script_run_server.state, 'waiting')));
  return rowCount ?? 0;
}
