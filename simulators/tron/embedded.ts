import { setTimeout as delay } from 'node:timers/promises';
import { startTron, type TronSimulator } from './tron.ts';

const retryMilliseconds = 10_000;

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

/**
 * The embedded test network, on which payments run until a real one is configured. Another product on this machine may have its port:
 * payments wait until that is free, everything else does not.
 * @param folder where its blocks are kept; in memory only where there is none
 * @returns `started` resolves when it answers, or waits for its port; `answers` when it answers
 */
export function runTestNetwork(
  port: number,
  folder?: string,
): { started: Promise<void>; answers: Promise<string>; stop: () => Promise<void> } {
  const waits = Promise.withResolvers<void>();
  let tron: TronSimulator | undefined;
  const start = async () => {
    for (let isFirst = true; ; isFirst = false) {
      try {
        tron = await startTron({ port, clock: true, ...(folder ? { folder } : {}) });
        return tron.url;
      } catch (error) {
        if (!isTaken(error)) throw error;
        if (isFirst) console.log(`The TRON test network waits for port ${port}, which is in use; choose another by LIVECODE_TRON_PORT.`);
        waits.resolve();
        await delay(retryMilliseconds);
      }
    }
  };
  const answers = start();
  return { answers, started: Promise.race([waits.promise, answers.then(() => {})]), stop: async () => tron?.stop() };
}
