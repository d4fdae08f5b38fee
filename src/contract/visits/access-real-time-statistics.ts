import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, id, time } from '../kit/fields.ts';
import { newestVisit } from './statistics.ts';

/** As many codes as one looks at at once. */
const maxCodes = 200;
/** The minutes that are told one by one; who came within so many minutes is there now. */
export const realTimeMinutes = 30;
export const presentMinutes = 5;

export const accessRealTimeStatistics = group('access_real_time_statistics', {
  inquire: call({
    summary: 'The last 30 minutes by minute, how many visitors are there now, and the newest visits, of codes that keep visit details.',
    access: requireAny('access_real_time_statistics'),
    input: z.object({ live_code_ids: z.array(id).min(1).max(maxCodes).optional() }),
    output: z.object({
      now: time,
      minutes: z.array(z.object({ at: time, visits: count, refused: count })),
      visits: count,
      refused: count,
      /** Addresses with a visit that passed in the last five minutes, and in all of them. */
      visitors_now: count,
      visitors: count,
      regions: z.array(z.object({ country: z.string(), region: z.string(), visits: count })),
      newest: z.array(newestVisit),
    }),
  }),
});
