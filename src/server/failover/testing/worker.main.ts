/** The work loop of failover as a process of its own, so that a test can kill it. Says when it looks for work. */
import { openBus } from '../../kit/postgres/bus.ts';
import { openPool } from '../../kit/postgres/database.ts';
import { startFailover } from '../failover.jobs.ts';

const url = process.env.DATABASE_URL ?? '';
const log = { info: () => {}, warn: () => {}, error: () => {} };
startFailover({ pool: openPool(url, log), bus: openBus(url, log), log, pollEvery: 200 });
process.once('disconnect', () => process.exit(0));
process.send?.({ ready: true });
