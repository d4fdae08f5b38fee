import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { type Language, operationStatus } from '../../contract/enums.ts';
import type { OperationProgress, OperationState } from '../../contract/system/async-operations.ts';
import type { Log } from '../kit/calls/context.ts';
import { toPublicError } from '../kit/calls/errors.ts';
import { type OperationMessage, type OperationResult, pushProgress } from '../kit/jobs/operations.ts';
import { Stopped } from '../kit/jobs/work-loop.ts';
import type { Database } from '../kit/postgres/database.ts';

export type Claimed = {
  id: number;
  user_id: number;
  impersonator_id: number | null;
  kind: string;
  input: unknown;
  language: Language;
  runner: string;
  attempts: number;
};

/** An operation that brings its worker down every time must not do so for ever. */
export const maxAttempts = 3;
/** Nor must the ending of what it left elsewhere; the last one only writes down what it left. */
export const maxEndings = 3;

type StoredFile = { file: string; file_name: string; file_size: number; hours: number };
type AttemptOptions = {
  db: Database;
  claimed: Claimed;
  folder: string;
  log: Log;
  /** Ends what goes on elsewhere. One that throws leaves the operation to another attempt. */
  end: (isReachable: boolean) => Promise<void>;
};

const { in_progress, completed, abnormal } = operationStatus;
const statusOf = { waiting: in_progress, running: in_progress, completed, failed: abnormal, cancelled: abnormal } as const;

export type Attempt = ReturnType<typeof createAttempt>;

/** One try of an operation: tells how far it is, and writes what became of it only while the lease is its own. */
export function createAttempt({ db, claimed, folder, log, end }: AttemptOptions) {
  const { id, runner, kind, user_id } = claimed;
  const files: string[] = [];
  let [done, total]: [number, number | null] = [0, null];
  let pushed = '';
  let cancelled: OperationMessage = { key: 'async_operations.message.cancelled' };
  let goesOn = false;

  const isMine = sql`id = ${id} AND runner = ${runner} AND state = 'running'`;

  async function push(state: OperationState): Promise<void> {
    const status = statusOf[state];
    const progress: OperationProgress = { id, kind, status, state, done, total };
    if (JSON.stringify(progress) === pushed) return;
    pushed = JSON.stringify(progress);
    await pushProgress(db, { ...progress, user_id }).catch(() => {});
  }

  async function finish(state: OperationState, message: OperationMessage | undefined, file?: StoredFile) {
    const { rowCount } = await db.execute(sql`
      UPDATE async_operation SET state = ${state}, done = ${done}, total = ${total}, message_key = ${message?.key ?? null},
        message_params = ${message?.params ? JSON.stringify(message.params) : null}::jsonb,
        file = ${file?.file ?? null}, file_name = ${file?.file_name ?? null}, file_size = ${file?.file_size ?? null},
        file_expires_at = now() + make_interval(hours => ${file?.hours ?? null}::int),
        finished_at = now(), updated_at = now(), runner = NULL
      WHERE ${isMine}`);
    if (rowCount === 1) await push(state);
    return rowCount === 1;
  }

  async function release(forgottenAttempts: number): Promise<void> {
    // What goes on elsewhere runs: who cancels it must reach the worker that takes it over. Its lease is over at once.
    const [state, heartbeat] = goesOn ? ['running', sql`'-infinity'`] : ['waiting', sql`heartbeat_at`];
    await db.execute(sql`
      UPDATE async_operation SET state = ${state}, heartbeat_at = ${heartbeat}, runner = NULL, attempts = attempts - ${forgottenAttempts}, updated_at = now()
      WHERE ${isMine}`);
  }

  /** Writes down what nobody foresaw. */
  function tellOf(reason: unknown): void {
    const error = reason instanceof Error ? { message: reason.message, stack: reason.stack } : String(reason);
    log.error({ operation: id, kind, error }, 'an operation failed');
  }

  /** Deletes what is not part of a result. */
  function removeFiles(): void {
    for (const path of files) rmSync(path, { force: true });
  }

  return {
    claimed,
    /** Keeps the lease and tells how far it is. Answers why the operation must end. */
    async renew(): Promise<'lost' | 'cancelled' | undefined> {
      const { rows } = await db.execute<{ cancel_requested: boolean }>(sql`
        UPDATE async_operation SET heartbeat_at = now(), updated_at = now(), done = ${done}, total = ${total} WHERE ${isMine} RETURNING cancel_requested`);
      if (!rows[0]) return 'lost';
      if (rows[0].cancel_requested) return 'cancelled';
      await push('running');
      return undefined;
    },
    progress(nowDone: number, nowTotal?: number): void {
      done = nowDone;
      if (nowTotal !== undefined) total = nowTotal;
    },
    onCancel(message: OperationMessage): void {
      cancelled = message;
    },
    goOn(): void {
      goesOn = true;
    },
    file(ending: string): string {
      const path = join(folder, `${id}-${randomUUID()}.${ending}.part`);
      files.push(path);
      return path;
    },
    async complete({ message, file }: OperationResult, hours: number): Promise<void> {
      if (!file) {
        await finish('completed', message);
        return;
      }
      // Its name says that it is whole before a row does.
      const path = file.path.replace(/\.part$/, '');
      await rename(file.path, path);
      files.push(path);
      const stored = { file: basename(path), file_name: file.name, file_size: (await stat(path)).size, hours };
      if (await finish('completed', message, stored)) files.length = 0;
    },
    /** Writes why it ended without a result. What the worker's stop or another worker ended is thrown on. */
    async fail(reason: unknown): Promise<void> {
      // Before a row says that it is over: who reads that may look for what it left.
      removeFiles();
      if (reason instanceof Stopped) {
        if (reason.why !== 'cancelled') throw reason;
        await end(true);
        await finish('cancelled', cancelled);
        return;
      }
      const known = toPublicError(reason);
      // The database went away under it: another try may do.
      if (known?.status === 503 && (goesOn || claimed.attempts < maxAttempts)) return release(0);
      if (!known) tellOf(reason);
      // What goes on elsewhere is not left alone: it is taken up again once this lease is over.
      if (!known && goesOn) throw reason;
      await end(true);
      await finish('failed', { key: `errors.${known?.code ?? 'internal'}`, params: known?.details.params });
    },
    /** It failed again and again. */
    async giveUp(): Promise<void> {
      await end(claimed.attempts < maxAttempts + maxEndings);
      await finish('failed', { key: 'async_operations.message.gave_up' });
    },
    /** Gives it back as if it had not been tried. */
    release: () => release(1),
    removeFiles,
  };
}
