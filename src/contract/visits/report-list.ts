import { z } from 'zod';
import { freezables, reportReasons } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { done, hostUnicode, id, ids, line, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

/** `acted`: what it names was frozen. */
export const reportStates = ['new', 'dismissed', 'acted'] as const;

export const report = z.object({
  id,
  /** Null once the code is deleted for ever. */
  live_code_id: id.nullable(),
  file_name: z.string(),
  /** Empty where the code is gone. */
  code_name: z.string(),
  owner_id: id,
  owner_account: z.string(),
  host: z.string(),
  host_unicode: hostUnicode,
  /** Null where the domain is registered no more. */
  domain_id: id.nullable(),
  reason: z.enum(reportReasons),
  text: z.string(),
  ip: z.string(),
  language: z.string(),
  at: time,
  state: z.enum(reportStates),
  decided_by_account: z.string().nullable(),
  decided_at: time.nullable(),
  code_frozen: z.boolean(),
  domain_frozen: z.boolean(),
  owner_frozen: z.boolean(),
});
export type Report = z.infer<typeof report>;

const frozenThings = { what: z.enum(freezables), ids };

export const reportList = group('report_list', {
  inquire: call({
    summary: 'What visitors reported of codes. For administrators.',
    access: requireAny('report_list'),
    input: listInput(['id', 'at', 'file_name', 'decided_at'], {
      /** Part of the code's key, of the host or of the text. */
      search: z.string().max(253).optional(),
      state: z.enum(reportStates).optional(),
      reason: z.enum(reportReasons).optional(),
      live_code_id: id.optional(),
      owner_id: id.optional(),
    }),
    output: pageOf(report),
  }),
  dismiss: call({
    summary: 'Take reports as looked at, without consequences.',
    access: requireAny('report_list.dismiss'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  freeze: call({
    summary:
      'Freeze codes, domains or users: visits are answered with a page that says so, and the owner, who is told why, cannot switch them on again. New reports of them count as acted on.',
    access: requireAny('report_list.freeze'),
    input: z.object({ ...frozenThings, reason: line(200).min(1, 'required') }),
    output: done,
    writes: true,
  }),
  unfreeze: call({
    summary: 'End the freezing of codes, domains or users; each is then as it was before.',
    access: requireAny('report_list.freeze'),
    input: z.object(frozenThings),
    output: done,
    writes: true,
  }),
});
