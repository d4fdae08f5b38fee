import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, time } from '../kit/fields.ts';

const state = z.object({
  /** The moment whose state was restored; null: this is the site. */
  backed_up_at: time.nullable(),
  restored_at: time.nullable(),
  /** What is sent as soon as this is the site. */
  waiting: z.object({
    webhooks: count,
    pushes: count,
    /** Withdrawals that the server pays. */
    payouts: count,
    /** Other transactions of ours: what collects from wallets. */
    collections: count,
  }),
});
export type RestoredCopyState = z.infer<typeof state>;

export const restoredCopy = group('restored_copy', {
  inquire: call({
    summary: 'Whether this site was restored from a backup and sends nothing to the outside for now, and what waits to be sent.',
    access: requireAny('configuration'),
    input: z.object({}),
    output: state,
  }),
  declare_site: call({
    summary:
      'Say that this restored copy is the site: by password, and by the code of a second factor. From then on it sends, what waits included.',
    access: requireAny('configuration.update'),
    proved: true,
    input: z.object({}),
    output: state,
  }),
});
