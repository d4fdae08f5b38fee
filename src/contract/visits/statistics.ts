import { z } from 'zod';
import { carriers, outcomes, visitSources } from '../enums.ts';
import { call, group, holders } from '../kit/call.ts';
import { count, day, done, hostUnicode, id, ids, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { publicEnquiry } from './access-log.ts';

/** Visits that passed, unique addresses of the day first seen in this step, addresses never seen before, and refused visits. `at` is the step's start. */
export const seriesPoint = z.object({ at: time, visits: count, ips: count, new_ips: count, refused: count });
export type SeriesPoint = z.infer<typeof seriesPoint>;

/** One part of a breakdown: visits that passed with this value of the dimension. An empty value is "unknown". */
const part = z.object({ value: z.string(), visits: count });
export const dimensions = ['carrier', 'country', 'region', 'city', 'system', 'brand', 'browser', 'source'] as const;
export type Dimension = (typeof dimensions)[number];
export const breakdowns = z.object({
  carrier: z.array(part),
  country: z.array(part),
  region: z.array(part),
  city: z.array(part),
  system: z.array(part),
  brand: z.array(part),
  browser: z.array(part),
  source: z.array(part),
});
export type Breakdowns = z.infer<typeof breakdowns>;

/** A figure of today and the same figure of yesterday up to the same time. */
const compared = z.object({ today: count, yesterday: count });

export const todayStatistics = group('today_statistics', {
  inquire: call({
    summary: "Today's visits of the codes the caller may see: figures against yesterday, by hour, by code and by dimension.",
    access: holders('today_statistics'),
    input: z.object({ live_code_ids: z.array(id).max(200).optional() }),
    output: z.object({
      day,
      now: time,
      visits: compared,
      ips: compared,
      new_ips: compared,
      refused: compared,
      active_codes: compared,
      today: z.array(seriesPoint),
      yesterday: z.array(seriesPoint),
      top_codes: z.array(z.object({ live_code_id: id, name: z.string(), file_name: z.string(), visits: count, ips: count })),
      breakdowns,
      outcomes: z.array(z.object({ outcome: z.enum(outcomes), visits: count })),
    }),
  }),
  code_options: call({
    summary: 'Live codes to choose from, most visited first.',
    access: holders('today_statistics'),
    input: z.object({ search: z.string().max(100).optional() }),
    output: z.object({ content: z.array(z.object({ id, name: z.string(), file_name: z.string() })) }),
  }),
});

export const visitRow = z.object({
  id: z.string(),
  at: time,
  live_code_id: id.nullable(),
  target_id: id.nullable(),
  outcome: z.enum(outcomes),
  host: z.string(),
  host_unicode: hostUnicode,
  path: z.string(),
  ip: z.string(),
  country: z.string(),
  region: z.string(),
  city: z.string(),
  carrier: z.enum(carriers),
  source: z.enum(visitSources),
  system: z.string(),
  system_version: z.string(),
  brand: z.string(),
  model: z.string(),
  model_name: z.string(),
  browser: z.string(),
  language: z.string(),
  referer: z.string(),
  user_agent: z.string(),
  first_visit: z.boolean(),
});
export type VisitRow = z.infer<typeof visitRow>;

export const qrCodeAccess = group('qr_code_access', {
  inquire: call({
    summary: "A code's newest visits, one row each.",
    access: holders('qr_code_list.statistics', 'qr_code_list_admin'),
    input: listInput(['at'], {
      live_code_id: id,
      outcome: z.enum(outcomes).optional(),
      ip: z.string().max(45).optional(),
      from: day.optional(),
      to: day.optional(),
    }),
    output: pageOf(visitRow),
  }),
  clear: call({
    summary: "Clear codes' access histories: visits until now are hidden from every screen until they are restored.",
    access: holders('qr_code_list.clear', 'qr_code_list_admin.clear'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  public_enquiry: publicEnquiry,
});
