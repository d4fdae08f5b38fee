import { and, eq, inArray, sql } from 'drizzle-orm';
import { bigint, boolean, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import type { Language } from '../../../contract/enums.ts';
import type { Settings } from '../../../contract/settings.ts';
import { socketTypes } from '../../../contract/socket.ts';
import type { OperationProgress, OperationState } from '../../../contract/system/async-operations.ts';
import type { Person } from '../calls/authentication.ts';
import type { Log, Scope } from '../calls/context.ts';
import { AppError } from '../calls/errors.ts';
import { pushToPages } from '../messages/push.ts';
import { publish } from '../postgres/bus.ts';
import type { Database } from '../postgres/database.ts';
import { idColumn, moment, reference } from '../rows/columns.ts';

const number = (name: string) => bigint(name, { mode: 'number' });

export const async_operation = pgTable('async_operation', {
  id: idColumn(),
  user_id: reference('user_id').notNull(),
  impersonator_id: reference('impersonator_id'),
  kind: text('kind').notNull(),
  input: jsonb('input').notNull(),
  language: text('language').$type<Language>().notNull(),
  state: text('state').$type<OperationState>().notNull().default('waiting'),
  status: smallint('status').$type<1 | 2 | 3>().notNull().generatedAlwaysAs(sql`1`),
  done: number('done').notNull().default(0),
  total: number('total'),
  message_key: text('message_key'),
  message_params: jsonb('message_params').$type<Record<string, string | number>>(),
  file: text('file'),
  file_name: text('file_name'),
  file_size: number('file_size'),
  file_expires_at: moment('file_expires_at'),
  cancel_requested: boolean('cancel_requested').notNull().default(false),
  attempts: integer('attempts').notNull().default(0),
  runner: uuid('runner'),
  heartbeat_at: moment('heartbeat_at'),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
  finished_at: moment('finished_at'),
});

/** A text for the readers of the operation: a message key and what its gaps need. */
export type OperationMessage = { key: string; params?: Record<string, string | number> };
export type OperationResult = {
  message?: OperationMessage;
  /** A file that `job.file` gave the path of; `name` is what the browser saves it as. */
  file?: { path: string; name: string };
};

export type OperationActor = { user_id: number; impersonator: { id: number } | null };

/** What an operation runs with. Its user is looked up when it runs: a right that was lost meanwhile is lost. */
export type OperationJob = {
  db: Database;
  person: Person;
  /** The same, and the administrator who asked for it in his name. */
  actor: OperationActor;
  scope: Scope;
  language: Language;
  settings: Settings;
  now: Date;
  log: Log;
  /** Aborted when the operation is cancelled, the worker stops, or another worker has taken over. */
  signal: AbortSignal;
  /** Tells how far it is; shown about once a second. */
  progress: (done: number, total?: number) => void;
  /** What to tell of it where it is cancelled from now on; without, that it was cancelled. */
  onCancel: (message: OperationMessage) => void;
  /** What was begun goes on elsewhere while no worker looks at it: a worker that stops leaves it running, for the next one. */
  goOn: () => void;
  /** The path of a new file of this attempt, with this ending. It is deleted unless it is part of the result. */
  file: (ending: string) => string;
};

/** A kind of work. It may be started again from its beginning after a crash, so that doing half of it twice must do no harm. */
export type OperationKind = {
  kind: string;
  run: (input: unknown, job: OperationJob) => Promise<OperationResult>;
  /**
   * Of what goes on elsewhere: ends what is left of it, before the operation is over by failure or cancel. It needs no user, who may be gone,
   * and may be called again. `isReachable` is false where asking elsewhere failed again and again: then it only writes down what it left.
   */
  end?: (input: unknown, means: { db: Database; log: Log; isReachable: boolean }) => Promise<void>;
};

/** A kind whose input is checked again when it runs: it may have waited over a change of the program. */
export const operationKind = <S extends z.ZodType>(
  kind: string,
  input: S,
  run: (input: z.output<S>, job: OperationJob) => Promise<OperationResult>,
  options: Pick<OperationKind, 'end'> = {},
): OperationKind => ({ ...options, kind, run: async (stored, job) => run(input.parse(stored), job) });

const maxUnfinished = 20;

/**
 * Asks for an operation in the transaction of `db`: a worker begins when it commits. 409 where the user has too many unfinished ones.
 * @returns the operation's id
 */
export async function startOperation(
  db: Database,
  { kind, input, actor, language }: { kind: string; input: object; actor: OperationActor; language: Language },
): Promise<number> {
  const { user_id, impersonator } = actor;
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtext('livecode operations'), ${user_id % 2 ** 31}::int)`);
  const unfinished = and(eq(async_operation.user_id, user_id), inArray(async_operation.state, ['waiting', 'running']));
  if ((await db.$count(async_operation, unfinished)) >= maxUnfinished) throw new AppError(409, 'async_operations.too_many');
  const values = { kind, input, user_id, impersonator_id: impersonator?.id ?? null, language };
  const [started] = await db.insert(async_operation).values(values).returning({ id: async_operation.id });
  if (!started) throw new Error('the operation row was not returned');
  await publish(db, 'operation', { id: started.id });
  return started.id;
}

/** Shows the state of an operation on its owner's open pages. */
export const pushProgress = (db: Database, { user_id, ...progress }: OperationProgress & { user_id: number }): Promise<void> =>
  pushToPages(db, { to: { user_ids: [user_id] }, type: socketTypes.operation, content: progress });
