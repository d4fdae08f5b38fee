// A worker of its own process, so that a test can kill it as a crash would.
import { openBus } from '../../kit/postgres/bus.ts';
import { openPool } from '../../kit/postgres/database.ts';
import { startOperations } from '../operations.runner.ts';
import { testKinds } from './kinds.ts';

const [url = '', dataDir = ''] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {}, error: () => {} };
startOperations({ pool: openPool(url, log, 4), bus: openBus(url, log), dataDir, kinds: testKinds, log });
process.send?.({ ready: true });
