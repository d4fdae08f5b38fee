import { z } from 'zod';
import { startPage } from '../content/home.ts';
import { carriers, outcomes, visitSources } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, done, hostUnicode, id, ids, line, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { publicEnquiry } from './access-log.ts';

/** Whose holders may ask for statistics of the codes that they see. */
export const statisticsScreens = [
  'historical_statistics',
  'daily_statistics',
  'hourly_statistics',
  'pc_historical_statistics',
  'access_real_time_statistics',
  'visit_summary',
  'qr_code_list.statistics',
  'qr_code_list_admin',
] as const;

/** Visits that passed, unique addresses of the day first seen in this time, addresses never seen before, refused visits, visits of programs, and of owners to their own codes. */
export const visitSums = z.object({ visits: count, ips: count, new_ips: count, refused: count, programs: count, own: count });
export type VisitSums = z.infer<typeof visitSums>;
/** `at` is the step's start. */
export const seriesPoint = visitSums.extend({ at: time });
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

/** A figure of the last 24 hours and of the 24 before them. */
const lastDay = z.object({ value: count, before: count });
export const newestVisit = z.object({
  id: z.string(),
  at: time,
  live_code_id: id,
  name: z.string(),
  file_name: z.string(),
  outcome: z.enum(outcomes),
  country: z.string(),
  region: z.string(),
  city: z.string(),
  source: z.enum(visitSources),
  system: z.string(),
  brand: z.string(),
  model_name: z.string(),
});
export type NewestVisit = z.infer<typeof newestVisit>;

/** A figure of today and the same figure of yesterday up to the same time. */
const compared = z.object({ today: count, yesterday: count });

export const todayStatistics = group('today_statistics', {
  inquire: call({
    summary: "Today's visits of the codes the caller may see: figures against yesterday, by hour, by code and by dimension.",
    access: startPage,
    input: z.object({ live_code_ids: z.array(id).max(200).optional() }),
    output: z.object({
      day,
      now: time,
      visits: compared,
      ips: compared,
      new_ips: compared,
      refused: compared,
      programs: compared,
      own: compared,
      active_codes: compared,
      last_day: z.object({ visits: lastDay, ips: lastDay, new_ips: lastDay, refused: lastDay, programs: lastDay, own: lastDay }),
      today: z.array(seriesPoint),
      yesterday: z.array(seriesPoint),
      /** The hours of the day before yesterday, for those who look at the last 24 hours at any time of day. */
      day_before: z.array(seriesPoint),
      top_codes: z.array(z.object({ live_code_id: id, name: z.string(), file_name: z.string(), visits: count, ips: count })),
      breakdowns,
      outcomes: z.array(z.object({ outcome: z.enum(outcomes), visits: count })),
    }),
  }),
  newest_visits: call({
    summary: 'The newest visits of the last day to the codes the caller may see, of codes that keep a log.',
    access: startPage,
    input: z.object({}),
    output: z.object({ content: z.array(newestVisit) }),
  }),
  code_options: call({
    summary: 'Live codes to choose from, most visited first.',
    access: requireAny(...startPage.nodes, ...statisticsScreens, 'qr_code_list'),
    input: z.object({ search: z.string().max(100).optional() }),
    output: z.object({ content: z.array(z.object({ id, name: z.string(), file_name: z.string() })) }),
  }),
});

export const visitRow = z.object({
  id: z.string(),
  at: time,
  live_code_id: id.nullable(),
  target_id: id.nullable(),
  /** What the target is called, else where it leads, else `#` and its id; empty where the visit reached none. */
  target_name: z.string(),
  outcome: z.enum(outcomes),
  host: z.string(),
  host_unicode: hostUnicode,
  path: z.string(),
  /** The code's key that the path names, its own or an alias; empty where it names none. */
  key: z.string(),
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

/** Which of a code's visits. */
export const accessFilters = {
  live_code_id: id,
  outcome: z.enum(outcomes).optional(),
  ip: z.string().max(45).optional(),
  /** The key that visitors asked for: the code's own, an alias, or one that it had. */
  key: line(32).toLowerCase().optional(),
  from: day.optional(),
  to: day.optional(),
};

/** `clearing_ids`: what `recover/restore` takes to show the visits again. */
const cleared = done.extend({ clearing_ids: z.array(id) });

export const qrCodeAccess = group('qr_code_access', {
  inquire: call({
    summary: "A code's newest visits, one row each.",
    access: requireAny('qr_code_list.statistics', 'qr_code_list_admin'),
    input: listInput(['at'], accessFilters),
    output: pageOf(visitRow),
  }),
  clear: call({
    summary: "Clear codes' access histories: visits until now are hidden from every screen until they are restored.",
    access: requireAny('qr_code_list.clear', 'qr_code_list_admin.clear'),
    input: z.object({ ids }),
    output: cleared,
    writes: true,
  }),
  clear_access_history: call({
    summary: "The same as `clear`, under the specification's name: visits until now are hidden from every screen until they are restored.",
    access: requireAny('qr_code_list.clear', 'qr_code_list_admin.clear'),
    input: z.object({ ids }),
    output: cleared,
    writes: true,
  }),
  restore_access_records: call({
    summary: 'The same as `recover/restore`: show the visits again that clearings (`ids`, of `recover/inquire`) hid.',
    access: requireAny('recover.restore'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  user_restore_access_records: call({
    summary: "Show the visits again that clearings (`ids`) hid, of the caller's own codes only, whoever he is.",
    access: requireAny('recover.restore'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  clear_record: call({
    summary:
      'Give clearings (`ids`) up: what they hid can never be shown again, and its rows with their addresses are deleted. Counts by hour stay hidden. An older clearing of the same code cannot be restored any more either.',
    access: requireAny('recover.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  export_access_records: call({
    summary: "Write a code's visits to a file, one row each, as `inquire` finds them: an operation.",
    access: requireAny('qr_code_list.export', 'qr_code_list_admin.export'),
    input: z.object({ ...accessFilters, format: z.enum(['csv', 'xlsx']) }),
    output: z.object({ operation_id: id }),
    writes: true,
  }),
  public_enquiry: publicEnquiry,
});
