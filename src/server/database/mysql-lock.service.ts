import type { mysqlLock } from '../../contract/system/mysql-lock.ts';
import type { Service } from '../kit/calls/context.ts';
import { pageOfAll } from './paging.ts';
import { readLocks, releaseSessions } from './sessions.ts';

export const mysqlLockService: Service<typeof mysqlLock> = {
  inquire: async (input, { db }) => pageOfAll(await readLocks(db), input),
  release: ({ sessions, with_visits = false }, context) => releaseSessions(sessions, with_visits, context),
};
