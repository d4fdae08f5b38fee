import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Settings } from '../../contract/settings.ts';
import { readPerson } from '../kit/calls/authentication.ts';
import { type Log, scopeOf } from '../kit/calls/context.ts';
import { AppError } from '../kit/calls/errors.ts';
import type { OperationKind, OperationResult } from '../kit/jobs/operations.ts';
import { type Bus, openBus } from '../kit/postgres/bus.ts';
import { type Database, openDatabase } from '../kit/postgres/database.ts';
import { readSettings } from '../settings/settings.public.ts';
import { type Attempt, type Claimed, createAttempt, mostAttempts, Stopped } from './operations.attempt.ts';
import { makeExportFolder } from './operations.files.ts';

export type OperationsOptions = {
  pool: pg.Pool;
  /** The database's address, for the connection that hears of new operations. */
  url: string;
  dataDir: string;
  kinds: readonly OperationKind[];
  log: Log;
  /** How many run at once. */
  concurrency?: number;
  /** After so long without a sign of life of its worker, another one starts an operation again. */
  leaseSeconds?: number;
};

const pollMilliseconds = 2000;
const stopMilliseconds = 8000;
/** Works through the operations that users asked for, until it is stopped; what is unfinished then begins again with the next worker. */
export function startOperations({ pool, url, dataDir, kinds, log, concurrency = 2, leaseSeconds = 15 }: OperationsOptions): {
  stop: () => Promise<void>;
} {
  const db = openDatabase(pool);
  const folder = makeExportFolder(dataDir);
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]));
  const running = new Map<Promise<void>, AbortController>();
  const stopping = new AbortController();
  let wake = new AbortController();
  const bus: Bus = openBus(url, log);
  bus.subscribe('operation', () => wake.abort());

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await giveUpHopeless(db, leaseSeconds);
        while (running.size < concurrency && !stopping.signal.aborted) {
          const claimed = await claim(db, [...byName.keys()], leaseSeconds);
          if (!claimed) break;
          begin(claimed);
        }
      } catch (error) {
        log.warn({ error: String(error) }, 'operations could not be looked for');
      }
      await pause();
    }
  }

  /** Until there may be something to do: a new operation, a free place, or the time to look again. */
  async function pause(): Promise<void> {
    const signal = AbortSignal.any([wake.signal, stopping.signal]);
    await delay(pollMilliseconds, undefined, { signal }).catch(() => {});
    wake = new AbortController();
  }

  function begin(claimed: Claimed): void {
    const controller = new AbortController();
    if (stopping.signal.aborted) controller.abort(new Stopped('stopping'));
    const done = perform(claimed, controller).finally(() => {
      running.delete(done);
      wake.abort();
    });
    running.set(done, controller);
  }

  async function perform(claimed: Claimed, controller: AbortController): Promise<void> {
    const attempt = createAttempt({ db, claimed, controller, folder, log, leaseSeconds });
    try {
      const settings = await readSettings(pool);
      await attempt.complete(await runKind(claimed, attempt, settings), settings.export_hours);
    } catch (error) {
      await attempt.breakOff(controller.signal.aborted ? controller.signal.reason : error);
    } finally {
      attempt.end();
    }
  }

  async function runKind(claimed: Claimed, { signal, progress, onCancel, file }: Attempt, settings: Settings): Promise<OperationResult> {
    const kind = byName.get(claimed.kind);
    const person = await readPerson(db, claimed.user_id);
    if (!kind || !person) throw new AppError(403, 'forbidden');
    const scope = scopeOf(person.user_id, person.role.kind);
    const { input, language, impersonator_id } = claimed;
    const actor = { user_id: person.user_id, impersonator: impersonator_id === null ? null : { id: impersonator_id } };
    return kind.run(input, { db, person, actor, scope, language, settings, now: new Date(), log, signal, progress, onCancel, file });
  }

  const working = work();
  return {
    async stop() {
      stopping.abort();
      for (const controller of running.values()) controller.abort(new Stopped('stopping'));
      const settled = working.then(() => Promise.all(running.keys()));
      await Promise.race([settled, delay(stopMilliseconds, undefined, { ref: false })]);
      await bus.stop();
    },
  };
}

/** Takes the operation that waits longest, of the user who has the fewest running; a lease that nobody renewed counts as waiting. */
async function claim(db: Database, kinds: readonly string[], leaseSeconds: number): Promise<Claimed | undefined> {
  const { rows } = await db.execute<Claimed>(sql`
    UPDATE async_operation SET state = 'running', runner = ${randomUUID()}, heartbeat_at = now(), attempts = attempts + 1, updated_at = now()
    WHERE id = (
      SELECT candidate.id FROM async_operation AS candidate
      WHERE candidate.kind = ANY(${sql.param([...kinds])}::text[]) AND (candidate.state = 'waiting' OR
        candidate.state = 'running' AND candidate.heartbeat_at < now() - make_interval(secs => ${leaseSeconds}) AND candidate.attempts < ${mostAttempts})
      ORDER BY (SELECT count(*) FROM async_operation AS own WHERE own.user_id = candidate.user_id AND own.state = 'running'), candidate.id
      LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, user_id, impersonator_id, kind, input, language, runner, attempts`);
  return rows[0];
}

async function giveUpHopeless(db: Database, leaseSeconds: number): Promise<void> {
  await db.execute(sql`
    UPDATE async_operation SET state = 'failed', message_key = 'async_operations.message.gave_up', finished_at = now(), updated_at = now()
    WHERE state = 'running' AND attempts >= ${mostAttempts} AND heartbeat_at < now() - make_interval(secs => ${leaseSeconds})`);
}
