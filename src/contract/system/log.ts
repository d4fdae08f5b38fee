import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, id, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { exportFormats, startedOperation } from './async-operations.ts';

export const logRow = z.object({
  id,
  at: time,
  user_id: id.nullable(),
  user_account: z.string().nullable(),
  /** The administrator who acted as the user. */
  impersonator_id: id.nullable(),
  impersonator_account: z.string().nullable(),
  /** The call, such as `qr_code_list/add`, or what became of it. */
  type: z.string(),
  /** What happened, in the caller's language. */
  sentence: z.string(),
  source: z.string(),
  ip: z.string().nullable(),
  user_agent: z.string(),
  /** Whether it tells what was there before and after. */
  has_changes: z.boolean(),
  /** In the hash chain: it cannot be changed unnoticed any more. */
  sealed: z.boolean(),
});
export type LogRow = z.infer<typeof logRow>;

/** One place that changed, such as `targets.0.content`; a side is missing where there was nothing. */
export const logDifference = z.object({ path: z.string(), before: z.json().optional(), after: z.json().optional() });
export type LogDifference = z.infer<typeof logDifference>;

export const logDetails = logRow.extend({
  content: z.json(),
  before: z.json(),
  after: z.json(),
  differences: z.array(logDifference),
});

const logFilters = {
  user_id: id.optional(),
  /** A type, or all of a group: `qr_code_list/*`. */
  type: z.string().max(100).optional(),
  /** An address or its beginning, or a network such as `10.0.0.0/8`. */
  ip: z.string().max(60).optional(),
  from: day.optional(),
  to: day.optional(),
};
export const logFilterSchema = z.object(logFilters);

export const logColumns = [
  'id',
  'at',
  'user',
  'impersonator',
  'type',
  'sentence',
  'ip',
  'source',
  'user_agent',
  'content',
  'before',
  'after',
] as const;

/** Nothing younger can be cleared: what an administrator did today he cannot also remove today. */
export const minClearedDays = 7;

export const logGroup = group('log', {
  inquire: call({
    summary: 'What was changed, by whom and from where, newest first.',
    access: requireAny('log'),
    input: listInput(['at'], logFilters),
    /** Beyond 10,000 rows that fit the filters `total` is not counted on, and `at_least` says so. */
    output: pageOf(logRow).extend({ at_least: z.boolean() }),
  }),
  details: call({
    summary: 'One entry with its content and what changed.',
    access: requireAny('log'),
    input: z.object({ id }),
    output: logDetails,
  }),
  export: call({
    summary: 'Write the entries that fit the filters to a file, as an async operation.',
    access: requireAny('log.export'),
    input: z.object({
      ...logFilters,
      format: z.enum(exportFormats),
      columns: z.array(z.enum(logColumns)).min(1).max(logColumns.length).optional(),
    }),
    output: startedOperation,
    writes: true,
  }),
  clear: call({
    summary: 'Remove entries older than some days, as an async operation. That they were removed stays in the chain.',
    access: requireAny('log.clear'),
    input: z.object({ older_than_days: z.number().int().min(minClearedDays).max(3650), type: z.string().max(100).optional() }),
    output: startedOperation,
    writes: true,
  }),
  chain: call({
    summary: 'How far the hash chain reaches; its head can be noted elsewhere to prove later that nothing before it was changed.',
    access: requireAny('log'),
    input: z.object({}),
    output: z.object({
      seals: count,
      sealed_to: count,
      unsealed: count,
      head: z.string().nullable(),
      sealed_at: time.nullable(),
    }),
  }),
});
