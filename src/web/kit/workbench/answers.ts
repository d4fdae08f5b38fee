import type { OutputOf } from '../../../contract/kit/call.ts';
import type { historicalStatistics } from '../../../contract/visits/historical-statistics.ts';

type Calls = (typeof historicalStatistics)['calls'];
export type Inquiry = OutputOf<Calls['inquire']>;
export type Breakdowns = OutputOf<Calls['breakdown']>['breakdowns'];
export type Heatmap = OutputOf<Calls['heatmap']>;
export type Explanation = OutputOf<Calls['explain']>;
export type ComparedTarget = OutputOf<Calls['targets']>['content'][number];
export type Annotation = OutputOf<Calls['annotations']>['content'][number];

export const figures = ['visits', 'ips', 'new_ips', 'refused', 'programs', 'own'] as const;
export type Figure = (typeof figures)[number];
