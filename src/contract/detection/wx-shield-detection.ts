import { z } from 'zod';
import { blockStatuses } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, hostUnicode, id, ids, oneOf, text, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { exportFormats } from '../system/async-operations.ts';
import { finding } from './detectors.ts';

/** So many addresses are checked at once. */
export const maxCheckedUrls = 500;

/** A list of addresses that a user had checked. */
export const blockCheck = z.object({
  id,
  total: count,
  done: count,
  normal: count,
  blocked: count,
  failed: count,
  created_at: time,
  finished_at: time.nullable(),
});
export type BlockCheck = z.infer<typeof blockCheck>;

export const checkedUrl = z.object({
  id,
  /** From 1, as it was given. */
  position: count,
  url: z.string(),
  host: z.string(),
  host_unicode: hostUnicode,
  /** Null until it was checked. */
  block_status: oneOf(blockStatuses).nullable(),
  /** Names of the detectors that were asked, in their order. */
  detectors: z.array(z.string()),
  /** What led to it, in the caller's language. */
  reason: z.string(),
  disputed: z.boolean(),
  checked_at: time.nullable(),
  duration_ms: count.nullable(),
  /** Where the caller watches it. */
  monitor_id: id.nullable(),
});
export type CheckedUrl = z.infer<typeof checkedUrl>;

/** Which addresses of a list are meant. */
export const listedUrls = z.strictObject({
  ids: ids.optional(),
  check_id: id,
  search: z.string().max(200).optional(),
  block_status: oneOf(blockStatuses).optional(),
  waiting: z.boolean().optional(),
});

export const wxShieldDetection = group('wx_shield_detection', {
  checks: call({
    summary: "The caller's lists of the last 30 days, the newest first.",
    access: requireAny('wx_shield_detection'),
    input: listInput(['id'], { ids: ids.optional() }),
    output: pageOf(blockCheck),
  }),
  inquire: call({
    summary: 'The addresses of one list, and what was found.',
    access: requireAny('wx_shield_detection'),
    input: listInput(['position', 'host', 'block_status', 'checked_at'], listedUrls.omit({ ids: true }).shape),
    output: pageOf(checkedUrl),
  }),
  details: call({
    summary: 'One address with all that detectors found.',
    access: requireAny('wx_shield_detection'),
    input: z.object({ id }),
    output: checkedUrl.extend({ findings: z.array(finding) }),
  }),
  check: call({
    summary: 'Check addresses, one a line. Lines that hold none are named in `refused`; the others are checked at once.',
    access: requireAny('wx_shield_detection.check'),
    input: z.object({ lines: z.array(text(2000)).min(1, 'required').max(maxCheckedUrls) }),
    output: z.object({ check: blockCheck.nullable(), refused: z.array(z.object({ line: z.string(), number: count })) }),
    bodyLimit: 1_200_000,
    writes: true,
    limit: { max: 20, seconds: 60 },
  }),
  recheck: call({
    summary: 'Check addresses of a list again.',
    access: requireAny('wx_shield_detection.check'),
    input: z.object({ ids }),
    output: done,
    writes: true,
    limit: { max: 20, seconds: 60 },
  }),
  stop: call({
    summary: 'Check what still waits in a list no more.',
    access: requireAny('wx_shield_detection.check'),
    input: z.object({ check_id: id }),
    output: done,
    writes: true,
  }),
  monitor: call({
    summary: 'Watch addresses of a list from now on.',
    access: requireAny('wx_shield_detection.monitor'),
    input: z.object({ ids }),
    /** `combo`: what would be enough for more of those that the quota left out. */
    output: z.object({ added: count, existing: count, beyond_quota: count, combo: z.string().nullable() }),
    writes: true,
  }),
  export: call({
    summary: 'Write the addresses of a list and what was found to a file: an operation.',
    access: requireAny('wx_shield_detection.export'),
    input: z.object({ ...listedUrls.shape, format: z.enum(exportFormats) }),
    output: z.object({ operation_id: id }),
    writes: true,
  }),
});
