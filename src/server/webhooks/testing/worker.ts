import { guardNetwork } from '../../kit/network/guarded-network.ts';
import { openBus } from '../../kit/postgres/bus.ts';
import { openPool } from '../../kit/postgres/database.ts';
import { createVault, readMasterKey } from '../../kit/vault.ts';
import { startWebhooks } from '../webhooks.runner.ts';

// A worker that sends webhooks and nothing else, to be killed.
const [url = '', dataDir = ''] = process.argv.slice(2);
const log = { info: () => {}, warn: () => {}, error: () => {} };
const vault = createVault(readMasterKey(dataDir));
startWebhooks({
  pool: openPool(url, log, 4, 'killed worker'),
  bus: openBus(url, log),
  network: guardNetwork(['127.0.0.1/32']),
  vault,
  log,
});
process.send?.('ready');
