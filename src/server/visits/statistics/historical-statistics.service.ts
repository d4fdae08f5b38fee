import type { historicalStatistics } from '../../../contract/visits/historical-statistics.ts';
import type { Service } from '../../kit/calls/context.ts';
import { addDays, daysBetween } from '../../kit/visits/site-clock.ts';
import { sumOf } from './figures.ts';
import { annotationsOf, notesOf } from './workbench/annotations.ts';
import { breakdownsOf } from './workbench/breakdown.ts';
import { explain } from './workbench/explain.ts';
import { heatmapOf } from './workbench/heatmap.ts';
import { isFiltered, pointsOf, totalsOf, unloggedCodes } from './workbench/points.ts';
import { askOf, daysBefore, questionOf, spanBefore, spanOf, startsOf, stepFor } from './workbench/question.ts';
import { comparedTargets } from './workbench/targets.ts';

/** The statistics behind every screen of them. */
export const historicalStatisticsService: Service<typeof historicalStatistics> = {
  async inquire(input, context) {
    const { db, now } = context;
    const question = await questionOf(input, context);
    const { clock } = question;
    const step = stepFor(input, input.step);
    const begun = startsOf(input, step, clock).filter((start) => start <= now.getTime());
    const series = await pointsOf(db, question, begun);
    const unlogged_codes = isFiltered(question) ? await unloggedCodes(db, question) : 0;
    const answer = { from: input.from, to: input.to, now: now.toISOString(), step, totals: sumOf(series), series, unlogged_codes };
    if (!input.compare) return { ...answer, before: null };
    const days = daysBefore(input, input.compare);
    const whole = await askOf(db, { ...question, span: spanOf(days, clock) });
    const cut = { ...whole, span: spanBefore(input, input.compare, now, clock) };
    const seriesBefore = await pointsOf(db, whole, startsOf(days, step, clock));
    const totals = cut.span.to === whole.span.to ? sumOf(seriesBefore) : await totalsOf(db, cut);
    return { ...answer, before: { ...days, totals, series: seriesBefore } };
  },

  breakdown: async ({ dimensions, ...input }, context) => ({
    breakdowns: await breakdownsOf(context.db, await questionOf(input, context), [...new Set(dimensions)]),
  }),

  heatmap: async (input, context) => {
    const question = await questionOf(input, context);
    const today = question.clock.dayOf(context.now.getTime());
    const days = daysBetween(input.from, input.to).filter((day) => day <= today);
    return heatmapOf(context.db, question, days, context.now);
  },

  targets: async (input, context) => ({ content: await comparedTargets(context.db, await questionOf(input, context)) }),

  explain: async ({ compare, ...input }, context) => {
    const question = await questionOf(input, context);
    const end = Math.min(question.span.to, Math.max(context.now.getTime(), question.span.from));
    const present = { ...question, span: { from: question.span.from, to: end } };
    const before = { ...question, span: spanBefore(input, compare, context.now, question.clock) };
    return explain(context.db, present, await askOf(context.db, before));
  },

  annotations: async ({ from, to, live_code_ids, owner_id }, context) => {
    const { db, actor } = context;
    const { span, codes } = await questionOf({ from, to: addDays(to, 0), live_code_ids, owner_id }, context);
    const happened = await annotationsOf(db, codes, span, live_code_ids !== undefined);
    const isPicked = live_code_ids !== undefined || owner_id !== undefined;
    const notes = await notesOf(db, actor.user_id, isPicked ? codes : undefined, span);
    return { content: [...happened, ...notes].sort((one, other) => other.at.localeCompare(one.at)) };
  },
};
