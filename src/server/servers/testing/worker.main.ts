// A worker of its own process, so that a test can kill it as a crash would.
import { longOperationKinds } from '../../administration.ts';
import { startOperations } from '../../jobs/operations.runner.ts';
import { guardNetwork } from '../../kit/network/guarded-network.ts';
import { openBus } from '../../kit/postgres/bus.ts';
import { openDatabase, openPool } from '../../kit/postgres/database.ts';
import { openVault } from '../../kit/vault.ts';

const [url = '', dataDir = ''] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {}, error: () => {} };
const pool = openPool(url, log, 4);
const db = openDatabase(pool);
const means = { db, vault: await openVault(db, dataDir, undefined), network: guardNetwork(['127.0.0.1/32']) };
startOperations({ pool, bus: openBus(url, log), dataDir, kinds: longOperationKinds(means), log });
process.send?.({ ready: true });
