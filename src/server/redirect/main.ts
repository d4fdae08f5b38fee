import type { Server } from 'node:http';
import { readConfig } from '../config.ts';
import { hasKey } from '../kit/ask-child.ts';
import { openLog } from '../kit/log.ts';
import { shareMetrics } from '../kit/metrics/exchange.ts';
import { giveListener, givenListener } from '../kit/network/listeners.ts';
import { openRedirect } from './process.ts';
import { createSharedTurns } from './rotation/shared-turns.ts';

const config = readConfig(process.env);
// First, so that it does not miss what it is sent.
const given = givenListener();
const slot = process.env.LIVECODE_SLOT ?? '0';
if (!config.databaseUrl) throw new Error('DATABASE_URL is set by the supervisor for each of its parts');

const log = await openLog(`redirect ${slot}`, config);

/** What was not answered is answered by nobody: visitors ask again, and the next process begins a new segment. */
function abort(error: unknown): never {
  log.fatal({ error: error instanceof Error ? error.stack : String(error) }, 'ends at once');
  process.exit(1);
}
process.on('uncaughtException', abort);
process.on('unhandledRejection', abort);

const { databaseUrl, dataDir, trustedProxies, metricsToken } = config;
// Several processes share the port only where the kernel spreads connections over them; elsewhere the first one answers alone.
const isShared = config.redirectProcesses > 1 && process.platform === 'linux';
const turns = isShared && process.send ? createSharedTurns((message) => process.send?.(message)) : undefined;
if (turns) process.on('message', turns.hear);
const redirect = await openRedirect({
  databaseUrl,
  dataDir,
  slot,
  trustedProxies,
  log,
  turns,
  onFatal: abort,
  metricsToken,
  share: (own) => shareMetrics(own).all,
});

if (isShared || slot === '0') await listen(redirect.server);

async function listen(server: Server): Promise<void> {
  const backlog = 2048;
  const begin = (listenBy: (onceListening: () => void) => void) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      listenBy(() => {
        server.off('error', reject);
        resolve();
      });
    });
  const tryHost = (host: string) =>
    begin((onceListening) => server.listen({ port: config.visitPort, host, reusePort: isShared, backlog }, onceListening));
  // What a release before this one listened on: connections that came meanwhile wait in it.
  const listener = await given;
  if (listener) return begin((onceListening) => server.listen(listener, backlog, onceListening));
  await tryHost('::').catch((error: NodeJS.ErrnoException) => {
    // Machines without IPv6.
    if (error.code !== 'EAFNOSUPPORT' && error.code !== 'EADDRNOTAVAIL') throw error;
    return tryHost('0.0.0.0');
  });
}

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  redirect.server.close();
  await redirect.stop();
  process.exit(0);
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);
giveListener(redirect.server, stop);
process.on('message', async (message) => {
  if (!hasKey(message, 'read_ahead_wanted')) return;
  await redirect.readAhead();
  process.send?.({ read_ahead: true });
});
// Whoever hears it may ask for the end at once.
process.send?.({ ready: true });
