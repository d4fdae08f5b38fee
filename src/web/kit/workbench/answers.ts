import type { OutputOf } from '../../../contract/kit/call.ts';
import type { FilterDimension, historicalStatistics, VisitFilters } from '../../../contract/visits/historical-statistics.ts';

type Calls = (typeof historicalStatistics)['calls'];
export type Inquiry = OutputOf<Calls['inquire']>;
export type Breakdowns = OutputOf<Calls['breakdown']>['breakdowns'];
export type Heatmap = OutputOf<Calls['heatmap']>;
export type Explanation = OutputOf<Calls['explain']>;
export type ComparedTarget = OutputOf<Calls['targets']>['content'][number];
export type Annotation = OutputOf<Calls['annotations']>['content'][number];

export const figures = ['visits', 'ips', 'new_ips', 'refused', 'programs', 'own'] as const;
export type Figure = (typeof figures)[number];

/** Breakdowns of a screen that is about some values only: these are its parts, and the whole that shares refer to. */
export function narrowed(breakdowns: Breakdowns, always: VisitFilters): Breakdowns {
  const narrow = { ...breakdowns };
  for (const [dimension, values] of Object.entries(always) as [FilterDimension, string[]][]) {
    const parts = breakdowns[dimension]?.parts.filter(({ value }) => values.includes(value));
    if (parts) narrow[dimension] = { parts, total: parts.reduce((sum, { visits }) => sum + visits, 0) };
  }
  return narrow;
}
