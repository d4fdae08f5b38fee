import { eq, sql } from 'drizzle-orm';
import { keptRunDays, keptRuns } from '../../contract/system/script.ts';
import type { ServerFigures, ServerState } from '../../contract/system/server-list.ts';
import type { Log } from '../kit/calls/context.ts';
import { AppError, toPublicError } from '../kit/calls/errors.ts';
import type { RecurringJob } from '../kit/jobs/jobs.ts';
import { claim } from '../kit/jobs/leased-rows.ts';
import { createWorkLoop, type WorkLoop } from '../kit/jobs/work-loop.ts';
import type { Bus } from '../kit/postgres/bus.ts';
import type { Database } from '../kit/postgres/database.ts';
import { figuresScript, readFigures } from './figures.ts';
import { type StoredServer, server } from './server-list.table.ts';
import { connectTo, type Means } from './servers.means.ts';
import { ask } from './ssh/shell.ts';

const intervalSeconds = 60;
const pollMilliseconds = 5_000;
const checksAtOnce = 4;
/** All of a check, less than the time to the next one. */
const checkMilliseconds = 30_000;
export const keptDays = 30;

const stateOf: Readonly<Record<string, ServerState>> = {
  'server_list.key_changed': 'key_changed',
  'server_list.login_refused': 'refused',
};

type Found = { state: ServerState; fault: AppError | null; figures: ServerFigures | null; milliseconds: number };

/** Looks how a server does. */
async function look(means: Means, row: StoredServer, signal: AbortSignal, now: Date): Promise<Found> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const connection = await connectTo(means, row, signal);
    const abort = () => connection.close();
    signal.addEventListener('abort', abort);
    try {
      const { exit, output } = await ask(connection.client, figuresScript);
      if (exit.status === null) throw new AppError(502, 'server_list.connection_lost', { params: { host: row.host } });
      return { state: 'online', fault: null, figures: readFigures(output, now), milliseconds: elapsed() };
    } finally {
      signal.removeEventListener('abort', abort);
      connection.close();
    }
  } catch (error) {
    const known =
      toPublicError(error) ?? (signal.aborted ? new AppError(504, 'outgoing.timeout', { params: { host: row.host } }) : undefined);
    if (!known) throw error;
    return { state: stateOf[known.code] ?? 'offline', fault: known, figures: null, milliseconds: elapsed() };
  }
}

/** Looks how a server does, and writes it down: its state, what it told, and the hour's share of checks that were answered. */
export async function checkServer(means: Means, row: StoredServer, signal?: AbortSignal, now = new Date()): Promise<Found> {
  const timeout = AbortSignal.timeout(checkMilliseconds);
  const found = await look(means, row, signal ? AbortSignal.any([signal, timeout]) : timeout, now);
  signal?.throwIfAborted();
  const { state, fault, figures } = found;
  const { db } = means;
  await db
    .update(server)
    .set({
      state,
      error: fault?.code ?? null,
      error_params: (fault?.details.params as Record<string, string | number> | undefined) ?? null,
      checked_at: now.toISOString(),
      ...(figures ? { figures } : {}),
      ...(state === 'online' ? { offered_key: null } : {}),
    })
    .where(eq(server.id, row.id));
  const answered = state === 'online' ? 1 : 0;
  await db.execute(sql`
    INSERT INTO server_hour (server_id, hour, checks, answered)
    SELECT id, date_trunc('hour', ${now.toISOString()}::timestamptz), 1, ${answered}::integer FROM server WHERE id = ${row.id}
    ON CONFLICT (server_id, hour) DO UPDATE SET checks = server_hour.checks + 1, answered = server_hour.answered + excluded.answered`);
  return found;
}

type LoopOptions = Means & { bus: Bus; log: Log };

/** Looks at every server once a minute until it is stopped. */
export function startServerChecks({ bus, log, ...means }: LoopOptions): WorkLoop {
  const { db } = means;
  return createWorkLoop<{ id: number }>({
    name: 'servers',
    bus,
    pollMilliseconds,
    concurrency: checksAtOnce,
    log,
    async claim() {
      const [due] = await claim<{ id: number }>(db, {
        table: 'server',
        due: sql`SELECT id FROM server WHERE due_at <= now() ORDER BY due_at LIMIT 1`,
        set: sql`due_at = now() + make_interval(secs => ${intervalSeconds})`,
        returning: sql`server.id`,
      });
      return due;
    },
    async run({ id }, signal) {
      const [row] = await db.select().from(server).where(eq(server.id, id));
      if (row) await checkServer(means, row, signal);
    },
    release: ({ id }) =>
      db
        .update(server)
        .set({ due_at: sql`now()` as never })
        .where(eq(server.id, id)),
  });
}

export const serverJobs = (db: Database): RecurringJob[] => [
  {
    name: 'servers.runs',
    everyMinutes: 60,
    offsetMinutes: 23,
    run: async () =>
      (
        await db.execute(sql`
      DELETE FROM script_run WHERE created_at < now() - make_interval(days => ${keptRunDays})
        OR id <= (SELECT id FROM script_run ORDER BY id DESC OFFSET ${keptRuns} LIMIT 1)`)
      ).rowCount,
  },
  {
    name: 'servers.secrets',
    everyMinutes: 10,
    // Of runs that were cancelled before they began, or given up.
    run: async () =>
      (
        await db.execute(sql`
      UPDATE script_run SET secrets = NULL WHERE secrets IS NOT NULL AND NOT EXISTS (
        SELECT FROM async_operation WHERE async_operation.id = script_run.operation_id AND state IN ('waiting', 'running'))`)
      ).rowCount,
  },
  {
    name: 'servers.hours',
    everyMinutes: 60,
    offsetMinutes: 17,
    run: async () => (await db.execute(sql`DELETE FROM server_hour WHERE hour < now() - make_interval(days => ${keptDays})`)).rowCount,
  },
];
