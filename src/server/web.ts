import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { openLog } from './kit/log.ts';
import { openPool } from './kit/postgres/database.ts';

const config = readConfig(process.env);
if (!config.databaseUrl) throw new Error('DATABASE_URL is set by the supervisor for each of its parts');

const logger = await openLog('web', config);
const pool = openPool(config.databaseUrl, logger, 20);
const { dataDir, trustedProxies, allowedNetworks, masterKey } = config;
const app = await createApp({ pool, dataDir, trustedProxies, allowedNetworks, masterKey, logger });
await app
  .listen({ port: config.port, host: '::', listenTextResolver: () => 'listening' })
  .catch(() => app.listen({ port: config.port, host: '0.0.0.0' }));
process.send?.({ ready: true });

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await app.close();
  await pool.end();
  process.exit(0);
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);
