import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, time } from '../kit/fields.ts';
import { homeBlock } from './home-page-config.ts';

/** A figure of today and the same figure of yesterday up to the same time. */
const compared = z.object({ today: count, yesterday: count });

export const home = group('home', {
  inquire: call({
    summary: "The home screen: the operator's blocks, and the caller's own figures.",
    access: requireAny('home'),
    input: z.object({}),
    output: z.object({
      blocks: z.array(homeBlock),
      now: time,
      member_expires_at: time.nullable(),
      today: z.object({ visits: compared, ips: compared, new_ips: compared, refused: compared }),
      /** Visits that passed by the hours of today that have begun. */
      trend: z.array(count),
      /** `expiring`: open ones with a target that ends soon. */
      codes: z.object({ total: count, open: count, expiring: count }),
      domains: z.object({ total: count, blocked: count }),
      /** What the caller himself has done already. */
      steps: z.object({ domain: z.boolean(), code: z.boolean(), scan: z.boolean() }),
    }),
  }),
});
export type Home = z.infer<(typeof home)['calls']['inquire']['output']>;
