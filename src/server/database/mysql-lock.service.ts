import { getTableColumns, sql } from 'drizzle-orm';
import type { mysqlLock } from '../../contract/system/mysql-lock.ts';
import type { Service } from '../kit/calls/context.ts';
import { list } from '../kit/rows/list.ts';
import { type KeptSession, lock_episode } from './lock-episode.table.ts';
import { pageOfAll } from './paging.ts';
import { partOf, readLocks, releaseSessions } from './sessions.ts';

const seconds = sql<number>`round(extract(epoch FROM ${lock_episode.seen_at} - ${lock_episode.began_at}), 1)::float8`;
const { session_id: _, session_began_at: __, ...columns } = getTableColumns(lock_episode);
const shown = (session: KeptSession) => ({ ...session, part: partOf(session.application) });

export const mysqlLockService: Service<typeof mysqlLock> = {
  inquire: async (input, { db }) => pageOfAll(await readLocks(db), input),
  episodes: async ({ min_seconds, ...input }, { db }) => {
    const page = await list(db, input, {
      fields: { ...columns, seconds },
      from: lock_episode,
      where: min_seconds === undefined ? undefined : sql`${seconds} >= ${min_seconds}`,
      sorts: { began_at: lock_episode.began_at, seconds },
      key: lock_episode.id,
    });
    return {
      ...page,
      content: page.content.map((row) => ({ ...row, waiter: shown(row.waiter), holder: row.holder && shown(row.holder) })),
    };
  },
  release: ({ sessions, with_visits = false }, context) => releaseSessions(sessions, with_visits, context),
};
