// A worker of its own process that never ends a task, so that a test can kill it as a crash would.
import { setTimeout as delay } from 'node:timers/promises';
import { openBus } from '../postgres/bus.ts';
import { openDatabase, openPool } from '../postgres/database.ts';
import { startTasks } from './tasks.ts';

const [url = ''] = process.argv.slice(2);
const log = { warn: () => {} };
startTasks({
  leaseSeconds: 3,
  db: openDatabase(openPool(url, log, 2)),
  bus: openBus(url, log),
  async run() {
    process.send?.('begun');
    await delay(2 ** 31 - 1);
  },
});
