import { setTimeout as delay } from 'node:timers/promises';
import { startTron, type TronSimulator } from './tron.ts';

// The embedded test network, which a start without a real one runs beside the product: `node simulators/tron/tron.main.ts [port] [folder]`.
const [port = '3020', folder] = process.argv.slice(2);
const retryMilliseconds = 10_000;

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

/** Another product on this machine may have the port: payments wait until it is free, everything else does not. */
async function start(): Promise<TronSimulator> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await startTron({ port: Number(port), clock: true, ...(folder ? { folder } : {}) });
    } catch (error) {
      if (!isTaken(error)) throw error;
      if (isFirst) {
        console.log(`The TRON test network waits for port ${port}, which is in use; choose another by LIVECODE_TRON_PORT.`);
        process.send?.({ ready: true });
      }
      await delay(retryMilliseconds);
    }
  }
}

let tron: TronSimulator | undefined;
const stop = () => void Promise.resolve(tron?.stop()).then(() => process.exit(0));
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('disconnect', stop);

tron = await start();
if (!process.send) console.log(`The TRON test network is at ${tron.url}`);
process.send?.({ ready: true, url: tron.url });
