import { z } from 'zod';
import { call, group, loggedIn } from '../kit/call.ts';
import { freeJson } from '../kit/json.ts';

/** What a user arranged for himself: column settings per list, density, saved choices. */
export const preference = group('preference', {
  inquire: call({
    summary: 'All preferences of the logged-in user.',
    access: loggedIn,
    input: z.object({}),
    output: z.object({ preferences: z.record(z.string(), z.json()) }),
  }),
  update: call({
    summary: 'Keep one preference; null forgets it.',
    access: loggedIn,
    input: z.object({
      key: z
        .string()
        .regex(/^[a-z][a-z0-9_.-]{0,63}$/)
        .max(64),
      value: freeJson(16_384).nullable(),
    }),
    output: z.object({}),
  }),
});
