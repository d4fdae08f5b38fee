import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, id } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

/** What visits are summed by. */
export const summaryKinds = ['user', 'code'] as const;

const summary = z.object({
  id,
  user_id: id,
  account: z.string(),
  /** Of a code; empty where users are listed. */
  name: z.string(),
  file_name: z.string(),
  /** Codes that were visited. */
  codes: count,
  visits: count,
  ips: count,
  new_ips: count,
  refused: count,
  /** Of the visits of all, 0 to 1. */
  share: z.number(),
});
export type VisitSummary = z.infer<typeof summary>;

export const visitSummary = group('visit_summary', {
  inquire: call({
    summary: 'Visits by user, or by live code, over a range of days (of today where none is given), with their share of all.',
    access: requireAny('visit_summary'),
    input: listInput(['visits', 'ips', 'new_ips', 'refused'], {
      by: z.enum(summaryKinds).optional(),
      from: day.optional(),
      to: day.optional(),
      user_id: id.optional(),
    }),
    output: pageOf(summary),
  }),
});
