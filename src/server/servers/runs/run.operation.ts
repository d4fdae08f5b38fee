import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { AppError, notFound } from '../../kit/calls/errors.ts';
import { type OperationJob, type OperationKind, operationKind } from '../../kit/jobs/operations.ts';
import { Stopped } from '../../kit/jobs/work-loop.ts';
import { openSecrets, runSecretsLabel } from '../script.secrets.ts';
import { type StoredRun, type StoredRunServer, script_run, script_run_server } from '../script.table.ts';
import { server } from '../server-list.table.ts';
import type { Means } from '../servers.means.ts';
import { endRun } from './ending.ts';
import { createOutput, tellPages } from './output.ts';
import { finishRow, leaveOut } from './rows.ts';
import { type Outcome, runOn } from './running.ts';
import { runOperation } from './runs.ts';

const readServer = async ({ db }: Means, id: number | null) =>
  id === null ? undefined : (await db.select().from(server).where(eq(server.id, id)))[0];

type Context = { means: Means; run: StoredRun; job: Pick<OperationJob, 'log' | 'signal' | 'progress' | 'goOn'> };

/** Of a run that was begun before: what it is known by on its host, and how long it may go on. */
type TakenUp = { token: string; group: number | null; milliseconds: number };

/** Whether somebody has cancelled the run: the next renewal of the lease tells its worker so. */
const isCancelled = ({ operation_id }: StoredRun) =>
  sql`EXISTS (SELECT FROM async_operation WHERE id = ${operation_id} AND cancel_requested)`;

/** Marks a row as ours to run. Answers what is known of it where it runs already; undefined where there is nothing to run. */
async function takeRow({ means: { db }, run, job }: Context, row: StoredRunServer): Promise<TakenUp | 'new' | undefined> {
  const isMine = eq(script_run_server.id, row.id);
  // Without a token nothing was begun: whoever took it came no further.
  const { rowCount } = await db
    .update(script_run_server)
    .set({ state: 'running', started_at: sql`now()` as never })
    .where(
      and(
        isMine,
        or(eq(script_run_server.state, 'waiting'), and(eq(script_run_server.state, 'running'), isNull(script_run_server.token))),
        sql`NOT ${isCancelled(run)}`,
      ),
    );
  if (rowCount) return 'new';
  const [left] = await db
    .select({
      token: script_run_server.token,
      group: script_run_server.process_group,
      milliseconds: sql<number>`(extract(epoch FROM ${script_run_server.started_at} - now()) + ${run.timeout_seconds}) * 1000`.mapWith(
        Number,
      ),
    })
    .from(script_run_server)
    .where(and(isMine, eq(script_run_server.state, 'running')));
  if (!left?.token) return undefined;
  job.goOn();
  return { ...left, token: left.token };
}

async function runServer(context: Context, row: StoredRunServer): Promise<Outcome['state'] | undefined> {
  const { means, run, job } = context;
  const { db } = means;
  const target = await readServer(means, row.server_id);
  const taken = await takeRow(context, row);
  if (!taken) return undefined;
  const news = { run_id: run.id, user_id: run.user_id };
  await tellPages(db, news);
  const secrets = openSecrets(means.vault, run.secrets, runSecretsLabel(run.id));
  const output = await createOutput({ db, log: job.log, run_server_id: row.id, secrets, run: news });
  async function onEnd(outcome: Outcome): Promise<void> {
    await output.end();
    await finishRow(means, row, outcome);
    await tellPages(db, news);
  }
  if (!target) {
    await onEnd({ state: 'unreachable', exit_status: null, fault: notFound() });
    return 'unreachable';
  }
  const outcome = await runOn(means, {
    server: target,
    what: taken === 'new' ? { body: row.body, environment: { ...run.environment, ...secrets }, dry: run.dry } : taken,
    milliseconds: taken === 'new' ? run.timeout_seconds * 1000 : taken.milliseconds,
    signal: job.signal,
    onOutput: output.add,
    onGap: output.gap,
    onStart: async ({ token, group }) => {
      await db.update(script_run_server).set({ token, process_group: group }).where(eq(script_run_server.id, row.id));
      job.goOn();
    },
    onEnd,
  });
  if (!outcome) await output.leave();
  return outcome?.state;
}

/** Runs on so many servers at once until all are through, one failed and the others are to be left out, or it is broken off. */
async function runAll(given: Context): Promise<void> {
  // Where one server's row cannot be written, nobody goes on looking at the others: the next attempt takes all of them up.
  const broken = new AbortController();
  const job = { ...given.job, signal: AbortSignal.any([given.job.signal, broken.signal]) };
  const context = { ...given, job };
  const { means, run } = context;
  const rows = await means.db.select().from(script_run_server).where(eq(script_run_server.run_id, run.id)).orderBy(script_run_server.id);
  const open: readonly string[] = ['waiting', 'running'];
  // Those that run already come first: they are there.
  const waiting = rows
    .filter(({ state }) => open.includes(state))
    .toSorted((one, other) => open.indexOf(other.state) - open.indexOf(one.state));
  let done = rows.length - waiting.length;
  let isOver = run.stop_on_failure && rows.some(({ state }) => !open.includes(state) && state !== 'succeeded');
  job.progress(done, rows.length);
  async function work(): Promise<void> {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      // What runs is looked at in any case; only what does not run yet is left out.
      if (row.state === 'waiting' && (isOver || job.signal.aborted)) continue;
      const state = await runServer(context, row);
      if (!state) continue;
      done += 1;
      job.progress(done, rows.length);
      if (state !== 'succeeded' && run.stop_on_failure) isOver = true;
    }
  }
  const works = Array.from({ length: run.parallel }, () =>
    work().catch((error: unknown) => {
      broken.abort(new Stopped('stopping'));
      throw error;
    }),
  );
  for (const result of await Promise.allSettled(works)) if (result.status === 'rejected') throw result.reason;
  const { reason } = job.signal;
  if (job.signal.aborted && reason instanceof Stopped && reason.why !== 'cancelled') return;
  const { rows: asked } = await means.db.execute<{ isCancelled: boolean }>(sql`SELECT ${isCancelled(run)} AS "isCancelled"`);
  const leavesCancelled = job.signal.aborted || asked[0]?.isCancelled === true;
  const left = await leaveOut(means, run, leavesCancelled ? 'cancelled' : 'skipped');
  await means.db.update(script_run).set({ secrets: null }).where(eq(script_run.id, run.id));
  await tellPages(means.db, { run_id: run.id, user_id: run.user_id });
  if (leavesCancelled && left > 0) throw new Stopped('cancelled');
}

const runInput = z.object({ run_id: z.number() });

/** Runs scripts and updates on servers. Begun again after a crash it takes up what runs there, and goes on with the servers that were not begun. */
export const scriptRunKind = (means: Omit<Means, 'db'>): OperationKind =>
  operationKind(
    runOperation,
    runInput,
    async ({ run_id }, job) => {
      const { db, person, signal } = job;
      const own = { ...means, db };
      const [run] = await db.select().from(script_run).where(eq(script_run.id, run_id));
      if (!run) throw notFound();
      // The right to it may have been lost while it waited, or ran: our end ends what runs, and leaves out the rest.
      if (person.role.kind !== 'super') throw new AppError(403, 'server_list.super_only');
      await runAll({ means: own, run, job });
      signal.throwIfAborted();
      const { rows } = await db.execute<{ number: number; failed: number }>(sql`
      SELECT count(*)::integer AS number, count(*) FILTER (WHERE state <> 'succeeded')::integer AS failed FROM script_run_server WHERE run_id = ${run_id}`);
      const { number = 0, failed = 0 } = rows[0] ?? {};
      if (failed > 0) throw new AppError(409, 'script.failed_on', { params: { failed, number } });
      return { message: { key: 'async_operations.message.script_ran', params: { number } } };
    },
    {
      async end(input, { db, isReachable }) {
        const [run] = await db
          .select()
          .from(script_run)
          .where(eq(script_run.id, runInput.parse(input).run_id));
        if (run) await endRun({ ...means, db }, run, isReachable);
      },
    },
  );
