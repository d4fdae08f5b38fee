import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { databaseSession, pid, releaseSessions } from './database-session.ts';

const lockedSession = databaseSession.extend({
  /** Those that it waits for; empty: it holds others up and waits for nobody. */
  blocked_by: z.array(pid),
  /** How many stand between it and the one that holds all of them up. */
  depth: count,
  /** How many wait for it, directly or behind others. */
  holds_up: count,
  /** What it waits for, such as `ShareLock on transactionid`; empty where it waits for nobody. */
  lock: z.string(),
});
export type LockedSession = z.infer<typeof lockedSession>;

export const mysqlLock = group('mysql_lock', {
  inquire: call({
    summary: 'Sessions of the database that wait for a lock and those they wait for, each below the one that holds it up.',
    access: requireAny('mysql_lock'),
    input: listInput(['id'], {}),
    output: pageOf(lockedSession),
  }),
  release: releaseSessions('mysql_lock.release'),
});
