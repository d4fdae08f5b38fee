import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Settings } from '../../contract/settings.ts';
import { readPerson } from '../kit/calls/authentication.ts';
import { type Log, scopeOf } from '../kit/calls/context.ts';
import { AppError } from '../kit/calls/errors.ts';
import { claim } from '../kit/jobs/leased-rows.ts';
import type { OperationKind, OperationResult } from '../kit/jobs/operations.ts';
import { createWorkLoop, type WorkLoop } from '../kit/jobs/work-loop.ts';
import type { Bus } from '../kit/postgres/bus.ts';
import { type Database, openDatabase } from '../kit/postgres/database.ts';
import { readSettings } from '../settings/settings.public.ts';
import { type Attempt, type Claimed, createAttempt, maxAttempts, maxEndings } from './operations.attempt.ts';
import { makeExportFolder } from './operations.files.ts';

export type OperationsOptions = {
  pool: pg.Pool;
  bus: Bus;
  dataDir: string;
  kinds: readonly OperationKind[];
  log: Log;
  /** How many run at once. */
  concurrency?: number;
  /** After so long without a sign of life of its worker, another one starts an operation again. */
  leaseSeconds?: number;
};

const pollMilliseconds = 2000;

/** Works through the operations that users asked for, until it is stopped; what is unfinished then begins again with the next worker. */
export function startOperations({ pool, bus, dataDir, kinds, log, concurrency = 2, leaseSeconds = 15 }: OperationsOptions): WorkLoop {
  const db = openDatabase(pool);
  const folder = makeExportFolder(dataDir);

  return createWorkLoop<Attempt>({
    name: 'operations',
    bus,
    topic: 'operation',
    pollMilliseconds,
    concurrency,
    log,
    prepare: () => failExpired(db, kinds, leaseSeconds),
    async claim() {
      const claimed = await claimOperation(db, kinds, leaseSeconds);
      if (!claimed) return undefined;
      const { kind, input } = claimed;
      const { end } = kinds.find((one) => one.kind === kind) ?? {};
      return createAttempt({ db, claimed, folder, log, end: async (isReachable) => end?.(input, { db, log, isReachable }) });
    },
    async run(attempt, signal) {
      if (attempt.claimed.attempts > maxAttempts) return attempt.giveUp();
      try {
        const settings = await readSettings(pool);
        const result = await runKind(attempt, signal, settings);
        signal.throwIfAborted();
        await attempt.complete(result, settings.export_hours);
      } catch (error) {
        await attempt.fail(signal.aborted ? signal.reason : error);
      } finally {
        attempt.removeFiles();
      }
    },
    lease: { seconds: leaseSeconds, renew: (attempt) => attempt.renew() },
    release: (attempt) => attempt.release(),
  });

  async function runKind(
    { claimed, progress, onCancel, goOn, file }: Attempt,
    signal: AbortSignal,
    settings: Settings,
  ): Promise<OperationResult> {
    const kind = kinds.find((one) => one.kind === claimed.kind);
    const person = await readPerson(db, claimed.user_id);
    if (!kind || !person) throw new AppError(403, 'forbidden');
    const scope = scopeOf(person.user_id, person.role.kind);
    const { input, language, impersonator_id } = claimed;
    const actor = { user_id: person.user_id, impersonator: impersonator_id === null ? null : { id: impersonator_id } };
    return kind.run(input, { db, person, actor, scope, language, settings, now: new Date(), log, signal, progress, onCancel, goOn, file });
  }
}

/** Takes the operation that waits longest, of the user who has the fewest running; a lease that nobody renewed counts as waiting. */
async function claimOperation(db: Database, kinds: readonly OperationKind[], leaseSeconds: number): Promise<Claimed | undefined> {
  const [claimed] = await claim<Claimed>(db, {
    table: 'async_operation',
    due: sql`
      SELECT id FROM async_operation
      WHERE kind = ANY(${sql.param(kinds.map(({ kind }) => kind))}::text[]) AND (state = 'waiting' OR
        state = 'running' AND heartbeat_at < now() - make_interval(secs => ${leaseSeconds}) AND attempts < ${attemptsOf(kinds)})
      ORDER BY (SELECT count(*) FROM async_operation AS own WHERE own.user_id = async_operation.user_id AND own.state = 'running'), id
      LIMIT 1`,
    set: sql`state = 'running', runner = ${randomUUID()}, heartbeat_at = now(), attempts = attempts + 1, updated_at = now()`,
    returning: sql`async_operation.id, user_id, impersonator_id, kind, input, language, runner, attempts`,
  });
  return claimed;
}

/** How often an operation is claimed: what goes on elsewhere some times more, to end it. */
const attemptsOf = (kinds: readonly OperationKind[]): SQL =>
  sql`${maxAttempts} + ${maxEndings} * (kind = ANY(${sql.param(kinds.filter(({ end }) => end).map(({ kind }) => kind))}::text[]))::int`;

/** Those whose workers died again and again. */
async function failExpired(db: Database, kinds: readonly OperationKind[], leaseSeconds: number): Promise<void> {
  await db.execute(sql`
    UPDATE async_operation SET state = 'failed', message_key = 'async_operations.message.gave_up', finished_at = now(), updated_at = now()
    WHERE state = 'running' AND attempts >= ${attemptsOf(kinds)} AND heartbeat_at < now() - make_interval(secs => ${leaseSeconds})`);
}
