import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, id, time } from '../kit/fields.ts';
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

/** A session as it was when a wait was first seen. */
const episodeSession = databaseSession.pick({
  id: true,
  user: true,
  application: true,
  part: true,
  address: true,
  state: true,
  statement: true,
});
export type EpisodeSession = z.infer<typeof episodeSession>;

const lockEpisode = z.object({
  id,
  /** Since when it waited, and when it was last seen to. */
  began_at: time,
  seen_at: time,
  /** Between these two: looked at every other second. */
  seconds: z.number(),
  /** What it waited for, such as `ShareLock on transactionid`. */
  lock: z.string(),
  waiter: episodeSession,
  /** Whom it waited for; null where that one was gone already. */
  holder: episodeSession.nullable(),
});
export type LockEpisode = z.infer<typeof lockEpisode>;

export const mysqlLock = group('mysql_lock', {
  inquire: call({
    summary: 'Sessions of the database that wait for a lock and those they wait for, each below the one that holds it up.',
    access: requireAny('mysql_lock'),
    input: listInput(['id'], {}),
    output: pageOf(lockedSession),
  }),
  episodes: call({
    summary: 'Waits for a lock of a second or longer within the last day, the newest first.',
    access: requireAny('mysql_lock'),
    input: listInput(['began_at', 'seconds'], { min_seconds: z.number().int().min(1).max(86_400).optional() }),
    output: pageOf(lockEpisode),
  }),
  release: releaseSessions('mysql_lock.release'),
});
