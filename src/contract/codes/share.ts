import { z } from 'zod';
import { call, requireAny } from '../kit/call.ts';
import { count, day, id, time } from '../kit/fields.ts';
import { seriesPoint } from '../visits/statistics.ts';
import { visitsByKey } from './alias.ts';

/** What a share page may show: visits, visitor addresses, today by hour, and visits by key. */
export const shareFigures = ['visits', 'ips', 'by_hour', 'by_key'] as const;
export type ShareFigure = (typeof shareFigures)[number];

const shareSettings = z.object({
  /** From then on the page answers like that of a code that is not shared; null: for ever. */
  expires_at: time.nullable(),
  /** Only these days of the site are counted, both included; open where null. */
  from: day.nullable(),
  to: day.nullable(),
  figures: z.array(z.enum(shareFigures)).min(1, 'required').max(shareFigures.length),
});
export type ShareSettings = z.infer<typeof shareSettings>;

/** What a viewer is shown; figures that were not chosen are null. */
export const sharedCode = z.object({
  name: z.string(),
  id,
  /** The code is beyond its owner's quota: no figures are shown. */
  is_locked: z.boolean(),
  view_number: count.nullable(),
  ip_view_number: count.nullable(),
  today_view_number: count.nullable(),
  today_ip_view_number: count.nullable(),
  /** Null also where today lies outside of the days that are shown. */
  series: z.array(seriesPoint).nullable(),
  /** Visits by key, its own one first; null also where the code has no aliases. */
  by_key: visitsByKey.extend({ file_name: z.string() }).nullable(),
  from: day.nullable(),
  to: day.nullable(),
});

export type SharedCode = z.infer<typeof sharedCode>;

const access = requireAny('qr_code_list.share', 'qr_code_list_admin.update');

export const shareCalls = {
  share_settings: call({
    summary: "How a code's share page is bounded: until when, which days, which figures.",
    access,
    input: z.object({ id }),
    output: shareSettings,
  }),
  update_share: call({
    summary: "Bound a code's share page. Its password, `update_password`, stays as it is.",
    access,
    input: z.object({ id, ...shareSettings.shape }),
    output: shareSettings,
    writes: true,
  }),
} as const;
