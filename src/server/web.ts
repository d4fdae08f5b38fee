import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { collectWhileIdle } from './kit/idle-memory.ts';
import { openLog } from './kit/log.ts';
import { shareMetrics } from './kit/metrics/exchange.ts';
import { counter, gauge, measureProcess, renderMetricList } from './kit/metrics/metrics.ts';
import { openPool } from './kit/postgres/database.ts';
import { startSampler } from './monitor/sampler.public.ts';
import { answerFromClickhouse, answerFromColumns } from './visits/clickhouse/visit-stores.ts';
import { createColumns } from './visits/columns/columns.ts';
import { columnsStore } from './visits/columns/columns-store.ts';
import { countingSeconds } from './visits/statistics/own-connections.ts';

const config = readConfig(process.env);
if (!config.databaseUrl) throw new Error('DATABASE_URL is set by the supervisor for each of its parts');

const logger = await openLog('web', config);
const pool = openPool(config.databaseUrl, logger, 20, 'livecode web');
answerFromClickhouse(config.clickhouseUrl, logger);
const countingPool = openPool(config.databaseUrl, logger, 6, 'livecode statistics', countingSeconds * 1000);
const columns = createColumns({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, log: logger });
answerFromColumns(columnsStore({ columns, log: logger }));
const { dataDir, trustedProxies, allowedNetworks, serverNetworks, masterKey, metricsToken: token } = config;
const measured = measureProcess();
const calls = new Map<string, number>();
let callSeconds = 0;
const { all } = shareMetrics(() =>
  renderMetricList([
    ...measured(),
    {
      name: 'web_requests_total',
      help: 'Requests of the back office that were answered, by the class of their status.',
      type: 'counter',
      samples: [...calls].map(([status, value]) => ({ labels: { status }, value })),
    },
    counter('web_request_seconds_total', 'Time that answering them took, all together.', callSeconds),
    gauge('web_database_connections', 'Connections to the database.', pool.totalCount),
    gauge('web_database_waiting', 'Requests that wait for a connection.', pool.waitingCount),
  ]),
);
const app = await createApp({
  pool,
  countingPool,
  dataDir,
  trustedProxies,
  allowedNetworks,
  serverNetworks,
  masterKey,
  logger,
  metrics: { all, token },
});
const sampler = startSampler({ pool, all, dataDir, port: config.port, log: logger });
app.addHook('onResponse', (_request, reply, done) => {
  const status = `${Math.floor(reply.statusCode / 100)}xx`;
  calls.set(status, (calls.get(status) ?? 0) + 1);
  callSeconds += reply.elapsedTime / 1000;
  done();
});
await app
  .listen({ port: config.port, host: '::', listenTextResolver: () => 'listening' })
  .catch(() => app.listen({ port: config.port, host: '0.0.0.0' }));
collectWhileIdle();

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await Promise.all([sampler.stop(), app.close()]);
  await columns.end();
  await Promise.all([pool.end(), countingPool.end()]);
  process.exit(0);
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);
// Whoever hears it may ask for the end at once.
process.send?.({ ready: true });
