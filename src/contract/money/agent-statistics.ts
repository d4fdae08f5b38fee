import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, id, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { amount } from './ledger.ts';

export const agentSteps = ['day', 'week', 'month'] as const;
export type AgentStep = (typeof agentSteps)[number];
/** So many days, weeks or months at most. */
export const maxPeriods = 400;

const figures = {
  /** Users whom the agent invited himself. */
  customers: count,
  /** Orders of users below him, however far, that were paid and not refunded, and what they came to. */
  orders: count,
  revenue: amount,
  /** What he got of orders, less what refunds took back. */
  shares: amount,
  /** What refunds took back, by the day of the share. */
  reversed: amount,
};
const period = z.object({ /** Its first day. */ period: day, /** Its beginning. */ at: time, ...figures });
export type AgentPeriod = z.infer<typeof period>;

const filters = { /** Days; the last month unless said. */ from: day.optional(), to: day.optional(), agent_id: id.optional() };
const steps = { /** By month unless said. */ by: z.enum(agentSteps).optional() };
const course = z.object({
  from: day,
  to: day,
  by: z.enum(agentSteps),
  now: time,
  series: z.array(period),
  totals: z.object(figures),
});
export type AgentCourse = z.infer<typeof course>;

export const agentDailyStatistics = group('agent_daily_statistics', {
  inquire: call({
    summary: 'New customers, orders, revenue and shares by day: of the caller, or of one or all agents for administrators.',
    access: requireAny('agent_daily_statistics'),
    input: listInput(['period'], filters),
    output: pageOf(period),
  }),
  course: call({
    summary: 'The same days at once, with their sums.',
    access: requireAny('agent_daily_statistics'),
    input: z.object(filters),
    output: course,
  }),
});

export const agentHistoricalStatistics = group('agent_historical_statistics', {
  inquire: call({
    summary: 'The same by day, week or month; the last year unless said.',
    access: requireAny('agent_historical_statistics'),
    input: listInput(['period'], { ...filters, ...steps }),
    output: pageOf(period),
  }),
  course: call({
    summary: 'The same periods at once, with their sums.',
    access: requireAny('agent_historical_statistics'),
    input: z.object({ ...filters, ...steps }),
    output: course,
  }),
});
