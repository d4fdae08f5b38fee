import { z } from 'zod';
import { call, requireAny } from '../kit/call.ts';
import { count, time } from '../kit/fields.ts';
import type { NodeKey } from '../permissions.ts';

/** The part of the product that a session works for; `other`: none of ours, such as somebody with `psql`. */
export const databaseParts = ['web', 'worker', 'redirect', 'loader', 'backup', 'other'] as const;
export type DatabasePart = (typeof databaseParts)[number];
/** Without these no visit is counted or sent on. */
export const visitParts: readonly DatabasePart[] = ['redirect', 'loader'];

export const pid = z
  .number()
  .int()
  .positive()
  .max(2 ** 31 - 1);

/** A process of PostgreSQL that serves one connection. */
export const databaseSession = z.object({
  /** The process id. */
  id: pid,
  /** When the process began: another one may bear the same id later. */
  began_at: time,
  user: z.string(),
  application: z.string(),
  part: z.enum(databaseParts),
  /** Where it comes from; null: from this machine. */
  address: z.string().nullable(),
  /** As PostgreSQL calls it, such as `active` or `idle in transaction`. */
  state: z.string(),
  /** The statement that runs, or the last one of its transaction, cut after 4,000 characters. */
  statement: z.string(),
  statement_at: time.nullable(),
  /** Null outside of a transaction. */
  transaction_at: time.nullable(),
});
export type DatabaseSession = z.infer<typeof databaseSession>;

export const releaseOutcomes = ['cancelled', 'terminated', 'gone'] as const;

export const releaseSessions = <N extends NodeKey>(node: N) =>
  call({
    summary:
      'End what these sessions do: the statement is cancelled, and a session that holds on is terminated. Sessions that visits need are only released with `with_visits`.',
    access: requireAny(node),
    input: z.object({
      sessions: z
        .array(z.object({ id: pid, began_at: time }))
        .min(1)
        .max(200),
      with_visits: z.boolean().optional(),
    }),
    output: z.object({ affected: count, sessions: z.array(z.object({ id: pid, outcome: z.enum(releaseOutcomes) })) }),
    writes: true,
    machines: false,
  });
