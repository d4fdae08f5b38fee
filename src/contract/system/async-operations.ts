import { z } from 'zod';
import { operationStatuses } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, id, ids, oneOf, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

/** Finer than the status: waiting and running are in progress, failed and cancelled are abnormal. */
export const operationStates = ['waiting', 'running', 'completed', 'failed', 'cancelled'] as const;
export type OperationState = (typeof operationStates)[number];

export const exportFormats = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What a call answers that starts an operation. */
export const startedOperation = z.object({ operation_id: id });

export const asyncOperation = z.object({
  id,
  user_id: id,
  user_account: z.string(),
  /** Such as `log_export`; its name stands under `async_operations.kind.{kind}`. */
  kind: z.string(),
  status: oneOf(operationStatuses),
  state: z.enum(operationStates),
  done: count,
  /** Null until it is known. */
  total: count.nullable(),
  /** What came of it, in the caller's language. */
  message: z.string(),
  /** Where the result is, for its owner only: ask `link` for an address that can be opened. */
  link: z.string().nullable(),
  /** What it changed of live codes, to be undone or looked at as a whole; null where it changes none. */
  change_id: z.uuid().nullable(),
  file_name: z.string().nullable(),
  file_size: count.nullable(),
  file_expires_at: time.nullable(),
  created_at: time,
  updated_at: time,
  finished_at: time.nullable(),
});
export type AsyncOperation = z.infer<typeof asyncOperation>;

/** Content of socket messages of type 12. */
export const operationProgress = asyncOperation.pick({ id: true, kind: true, status: true, state: true, done: true, total: true });
export type OperationProgress = z.infer<typeof operationProgress>;

export const asyncOperations = group('async_operations', {
  inquire: call({
    summary: "The caller's operations; administrators see all.",
    access: requireAny('async_operations'),
    input: listInput(['id', 'updated_at', 'finished_at'], {
      ids: ids.optional(),
      status: oneOf(operationStatuses).optional(),
      kind: z.string().max(60).optional(),
      user_id: id.optional(),
    }),
    output: pageOf(asyncOperation),
  }),
  link: call({
    summary:
      'An address, good for a minute, from which the owner can download the result. To an API token it is one that wants the token again.',
    access: requireAny('async_operations'),
    input: z.object({ id }),
    output: z.object({ url: z.string() }),
  }),
  cancel: call({
    summary: 'Stop an operation that is in progress.',
    access: requireAny('async_operations.cancel'),
    input: z.object({ id }),
    output: asyncOperation,
    writes: true,
  }),
  retry: call({
    summary: 'Start an abnormal operation again.',
    access: requireAny('async_operations.retry'),
    input: z.object({ id }),
    output: asyncOperation,
    writes: true,
  }),
});
