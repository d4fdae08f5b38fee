import { z } from 'zod';
import { outcomes } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, id, time } from '../kit/fields.ts';
import { seriesPoint, statisticsScreens, visitSums } from './statistics.ts';

/**
 * What visits can be told apart by. `app` is the app whose built-in browser opened the code, empty for a browser of its own; `model` the
 * marketing name, else the code of the device; `language` the first one that the browser asks for; `referer` the host of the referring page;
 * `hour` and `weekday` (1 is Monday) are the site's clock. A target's value is its id. An empty value is "unknown".
 */
export const filterDimensions = [
  'outcome',
  'target',
  'carrier',
  'country',
  'region',
  'city',
  'source',
  'app',
  'system',
  'brand',
  'model',
  'browser',
  'language',
  'referer',
  'host',
  'weekday',
  'hour',
] as const;
export type FilterDimension = (typeof filterDimensions)[number];

/** As many values as one dimension is filtered by, and as many codes as one asks for at once. */
export const maxFilterValues = 30;
export const maxStatisticsCodes = 200;
/** The longest range of days. */
export const maxStatisticsDays = 400;

const filterValues = z.array(z.string().max(300)).min(1).max(maxFilterValues).optional();
export const visitFilters = z
  .object(
    Object.fromEntries(filterDimensions.map((dimension) => [dimension, filterValues])) as Record<FilterDimension, typeof filterValues>,
  )
  .strict();
export type VisitFilters = z.infer<typeof visitFilters>;

export const statisticsSteps = ['hour', 'day', 'week', 'month'] as const;
export type StatisticsStep = (typeof statisticsSteps)[number];
/** The same number of days right before, seven days before, or the same dates of the year before. */
export const comparisons = ['before', 'week', 'year'] as const;
export type Comparison = (typeof comparisons)[number];

/** Which visits are asked for: days of the site, both included; codes, all that the caller may see where none is named. */
export const visitQuestion = {
  from: day,
  to: day,
  live_code_ids: z.array(id).min(1).max(maxStatisticsCodes).optional(),
  group_id: id.optional(),
  owner_id: id.optional(),
  filters: visitFilters.optional(),
};

const access = requireAny(...statisticsScreens);

const part = z.object({
  value: z.string(),
  /** What the value is called, where it is an id. */
  name: z.string().optional(),
  visits: count,
});
const breakdown = z.object({ total: count, parts: z.array(part) });
export type Breakdown = z.infer<typeof breakdown>;

const period = z.object({ from: day, to: day, totals: visitSums, series: z.array(seriesPoint) });

/** A share between 0 and 1, and between what bounds it lies with a certainty of 95 % (Wilson's interval). */
const estimate = z.object({ share: z.number(), low: z.number(), high: z.number(), of: count });
export type Estimate = z.infer<typeof estimate>;

export const annotationKinds = [
  'domain_replaced',
  'domain_blocked',
  'target_exhausted',
  'code_changed',
  'history_cleared',
  'note',
] as const;

export const historicalStatistics = group('historical_statistics', {
  inquire: call({
    summary: 'Figures of a range of days and their course, of visits that fit the filters, beside those of another period.',
    access,
    input: z.object({ ...visitQuestion, step: z.enum(statisticsSteps).optional(), compare: z.enum(comparisons).optional() }),
    output: z.object({
      ...period.shape,
      now: time,
      step: z.enum(statisticsSteps),
      /** Its sums go up to the same time where the range is not over; its series is whole. */
      before: period.nullable(),
      /** Codes without a log, whose visits leave no rows: of them, filters count only what the counts by hour tell. */
      unlogged_codes: count,
    }),
  }),
  breakdown: call({
    summary: 'Visits by the values of dimensions, the most frequent first. The filter on a dimension itself is left aside there.',
    access,
    input: z.object({ ...visitQuestion, dimensions: z.array(z.enum(filterDimensions)).min(1).max(filterDimensions.length) }),
    output: z.object({ breakdowns: z.partialRecord(z.enum(filterDimensions), breakdown) }),
  }),
  heatmap: call({
    summary: 'Visits by day and hour of the clock, and by weekday and hour.',
    access,
    input: z.object(visitQuestion),
    output: z.object({
      /** An hour that clocks skip or that lies ahead is null. */
      days: z.array(z.object({ day, hours: z.array(count.nullable()).length(24) })),
      weekdays: z.array(z.object({ weekday: z.number().int().min(1).max(7), days: count, hours: z.array(count).length(24) })),
    }),
  }),
  targets: call({
    summary: 'The targets of the codes compared: their share of visits, long presses, returning visitors, with the uncertainty of each.',
    access,
    input: z.object(visitQuestion),
    output: z.object({
      content: z.array(
        z.object({
          target_id: id,
          live_code_id: id,
          name: z.string(),
          code_name: z.string(),
          visits: count,
          presses: count,
          /** Of all visits of its code. */
          share: estimate,
          /** Long presses of its picture, by visits; null where it has none. */
          press_rate: estimate.nullable(),
          /** Visitors of a day who had been here on another day before, by all of them; known where rows are kept. */
          returning: estimate.nullable(),
        }),
      ),
    }),
  }),
  explain: call({
    summary: 'What the change against another period comes from: values whose visits changed otherwise than the whole, the largest first.',
    access,
    input: z.object({ ...visitQuestion, compare: z.enum(comparisons) }),
    output: z.object({
      now: count,
      before: count,
      content: z.array(
        z.object({
          dimension: z.enum(filterDimensions),
          value: z.string(),
          name: z.string().optional(),
          now: count,
          before: count,
          /** Its part of the whole change: 1 is all of it, more than 1 is made up for by others. Null where the whole did not change. */
          share: z.number().nullable(),
        }),
      ),
    }),
  }),
  annotations: call({
    summary:
      'What happened to the codes in these days: domains replaced or blocked, targets without visits left, changes of the code; and the remarks of their owner, his own where no code and no owner is named.',
    access,
    input: z.object({
      from: visitQuestion.from,
      to: visitQuestion.to,
      live_code_ids: visitQuestion.live_code_ids,
      owner_id: visitQuestion.owner_id,
    }),
    output: z.object({
      content: z.array(
        z.object({
          at: time,
          kind: z.enum(annotationKinds),
          live_code_id: id.nullable(),
          code_name: z.string(),
          text: z.string(),
          /** A remark of the caller's, for `visit_note`; null of all else. */
          note_id: id.nullable(),
        }),
      ),
    }),
  }),
});

/** Outcomes that a code's visits can have, to choose from. */
export const countedOutcomes = outcomes.filter((outcome) => outcome !== 'unknown_host' && outcome !== 'forwarded');
