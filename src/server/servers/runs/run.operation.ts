import { and, eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { RunServerState } from '../../../contract/system/script.ts';
import { AppError, notFound } from '../../kit/calls/errors.ts';
import { type OperationJob, type OperationKind, operationKind } from '../../kit/jobs/operations.ts';
import { Stopped } from '../../kit/jobs/work-loop.ts';
import { createMask, openSecrets, runSecretsLabel } from '../script.secrets.ts';
import { type StoredRun, type StoredRunServer, script_run, script_run_server } from '../script.table.ts';
import { server } from '../server-list.table.ts';
import type { Means } from '../servers.means.ts';
import { createOutput, tellPages } from './output.ts';
import { endProcesses, type Outcome, runOn } from './running.ts';
import { runOperation } from './runs.ts';

const readServer = async ({ db }: Means, id: number | null) =>
  id === null ? undefined : (await db.select().from(server).where(eq(server.id, id)))[0];

/** Writes what became of a server, while it is still ours to write. */
async function finish(
  { db }: Means,
  row: StoredRunServer,
  from: RunServerState,
  { state, exit_status, exit_signal, fault }: Outcome,
): Promise<void> {
  await db
    .update(script_run_server)
    .set({
      ...{ state, exit_status, exit_signal },
      error: fault?.code ?? null,
      error_params: (fault?.details.params as Record<string, string | number> | undefined) ?? null,
      finished_at: sql`now()` as never,
    })
    .where(and(eq(script_run_server.id, row.id), eq(script_run_server.state, from)));
}

/** What a worker that died left running is ended: a script that was begun is never begun again. */
async function endLeftovers(means: Means, run_id: number): Promise<void> {
  const isLeft = and(eq(script_run_server.run_id, run_id), eq(script_run_server.state, 'running'));
  const left = await means.db.select().from(script_run_server).where(isLeft);
  for (const row of left) {
    const target = await readServer(means, row.server_id);
    const { token, process_group: group } = row;
    const fault = target && token !== null ? await endProcesses(means, target, { token, group }) : null;
    await finish(means, row, 'running', { state: 'interrupted', exit_status: null, exit_signal: null, fault });
  }
}

type Context = { means: Means; run: StoredRun; job: OperationJob };

async function runServer({ means, run, job }: Context, row: StoredRunServer): Promise<Outcome['state'] | undefined> {
  const { db } = means;
  const target = await readServer(means, row.server_id);
  const { rowCount } = await db
    .update(script_run_server)
    .set({ state: 'running', started_at: sql`now()` as never })
    .where(and(eq(script_run_server.id, row.id), eq(script_run_server.state, 'waiting')));
  if (rowCount === 0) return undefined;
  const news = { run_id: run.id, user_id: run.user_id };
  await tellPages(db, news);
  const nothing = { exit_status: null, exit_signal: null };
  const output = createOutput({ db, log: job.log, run_server_id: row.id, run: news });
  const secrets = openSecrets(means.vault, run.secrets, runSecretsLabel(run.id));
  const mask = createMask(secrets);
  const outcome: Outcome = target
    ? await runOn(means, {
        server: target,
        script: { body: row.body, environment: { ...run.environment, ...secrets }, dry: run.dry },
        timeoutSeconds: run.timeout_seconds,
        signal: job.signal,
        onOutput: (text) => output.add(mask.add(text)),
        onStart: ({ token, group }) =>
          db.update(script_run_server).set({ token, process_group: group }).where(eq(script_run_server.id, row.id)),
      })
    : { ...nothing, state: 'unreachable', fault: notFound() };
  output.add(mask.end());
  await output.end();
  await finish(means, row, 'running', outcome);
  await tellPages(db, news);
  return outcome.state;
}

/** Rows that wait and are not begun any more. */
const leaveOut = ({ means, run }: Context, state: 'cancelled' | 'skipped') =>
  means.db
    .update(script_run_server)
    .set({ state, finished_at: sql`now()` as never })
    .where(and(eq(script_run_server.run_id, run.id), eq(script_run_server.state, 'waiting')));

/** Runs on so many servers at once until all are through, one failed and the others are to be left out, or it is broken off. */
async function runAll(context: Context): Promise<void> {
  const { means, run, job } = context;
  const rows = await means.db.select().from(script_run_server).where(eq(script_run_server.run_id, run.id)).orderBy(script_run_server.id);
  const waiting = rows.filter(({ state }) => state === 'waiting');
  let done = rows.length - waiting.length;
  let isOver = run.stop_on_failure && rows.some(({ state }) => state !== 'waiting' && state !== 'succeeded');
  job.progress(done, rows.length);
  async function work(): Promise<void> {
    for (let row = waiting.shift(); row && !isOver && !job.signal.aborted; row = waiting.shift()) {
      const state = await runServer(context, row);
      done += 1;
      job.progress(done, rows.length);
      if (state !== 'succeeded' && run.stop_on_failure) isOver = true;
    }
  }
  await Promise.all(Array.from({ length: run.parallel }, work));
  const { reason } = job.signal;
  if (job.signal.aborted && reason instanceof Stopped && reason.why !== 'cancelled') return;
  await leaveOut(context, job.signal.aborted ? 'cancelled' : 'skipped');
  await means.db.update(script_run).set({ secrets: null }).where(eq(script_run.id, run.id));
  await tellPages(means.db, { run_id: run.id, user_id: run.user_id });
}

/** Runs scripts and updates on servers. Begun again after a crash it goes on with the servers that were not begun. */
export const scriptRunKind = (means: Omit<Means, 'db'>): OperationKind =>
  operationKind(runOperation, z.object({ run_id: z.number() }), async ({ run_id }, job) => {
    const { db, person, signal } = job;
    const own = { ...means, db };
    const [run] = await db.select().from(script_run).where(eq(script_run.id, run_id));
    if (!run) throw notFound();
    await endLeftovers(own, run_id);
    // The right to it may have been lost while it waited.
    if (person.role.kind !== 'super') throw new AppError(403, 'server_list.super_only');
    await runAll({ means: own, run, job });
    signal.throwIfAborted();
    const { rows } = await db.execute<{ number: number; failed: number }>(sql`
      SELECT count(*)::integer AS number, count(*) FILTER (WHERE state <> 'succeeded')::integer AS failed FROM script_run_server WHERE run_id = ${run_id}`);
    const { number = 0, failed = 0 } = rows[0] ?? {};
    if (failed > 0) throw new AppError(409, 'script.failed_on', { params: { failed, number } });
    return { message: { key: 'async_operations.message.script_ran', params: { number } } };
  });
