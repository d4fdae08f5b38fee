import type { Comparison, historicalStatistics, StatisticsStep } from '../../../contract/visits/historical-statistics.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { addDays, daysBetween } from '../../kit/visits/site-clock.ts';
import { sumOf } from './figures.ts';
import { annotationsOf, notesOf } from './workbench/annotations.ts';
import { breakdownsOf } from './workbench/breakdown.ts';
import { explain } from './workbench/explain.ts';
import { heatmapOf } from './workbench/heatmap.ts';
import { isFiltered, pointsOf, totalsOf, unloggedCodes } from './workbench/points.ts';
import { askOf, daysBefore, type Question, questionOf, spanBefore, spanOf, startsOf, stepFor } from './workbench/question.ts';
import { comparedTargets } from './workbench/targets.ts';

type Days = { from: string; to: string };
type Asked = Pick<Context, 'db' | 'now'> & { step: StatisticsStep };

/** The other period's figures: its course whole, its sums up to the same time of day. */
async function periodBefore(range: Days, comparison: Comparison, question: Question, { db, now, step }: Asked) {
  const { clock } = question;
  const days = daysBefore(range, comparison);
  const whole = await askOf(db, { ...question, span: spanOf(days, clock) });
  const cut = { ...whole, span: spanBefore(range, comparison, now, clock) };
  const isCut = cut.span.to !== whole.span.to;
  const [series, totals] = await Promise.all([pointsOf(db, whole, startsOf(days, step, clock)), isCut ? totalsOf(db, cut) : undefined]);
  return { ...days, totals: totals ?? sumOf(series), series };
}

/** The statistics behind every screen of them. */
export const historicalStatisticsService: Service<typeof historicalStatistics> = {
  async inquire(input, context) {
    const { db, now } = context;
    const question = await questionOf(input, context);
    const { clock } = question;
    const step = stepFor(input, input.step);
    const begun = startsOf(input, step, clock).filter((start) => start <= now.getTime());
    const [series, unlogged_codes, before] = await Promise.all([
      pointsOf(db, question, begun),
      isFiltered(question) ? unloggedCodes(db, question) : 0,
      input.compare ? periodBefore(input, input.compare, question, { db, now, step }) : null,
    ]);
    return { from: input.from, to: input.to, now: now.toISOString(), step, totals: sumOf(series), series, unlogged_codes, before };
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
    // Up to the end of its last day: counts know the hour that goes on, while a span that ends within it would be read of its rows.
    const question = await questionOf(input, context);
    const before = { ...question, span: spanBefore(input, compare, context.now, question.clock) };
    return explain(context.db, question, await askOf(context.db, before));
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
