import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what the system deals out by itself (`ip_local_port_range` begins at 32768), so that no client's connection has one. */
const firstPort = 12_000;
const portsEach = 1_000;
const workers = 20;

/** Test runners number their workers: each has a range of its own, so that a port that one closed is not taken by another. */
const worker = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0) % workers;
const first = firstPort + worker * portsEach;
/** Where a worker that took another's place begins, what that one left may still be ending. */
let dealt = process.pid % portsEach;

/** A port that nothing listens on, and that no other worker is given. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < portsEach; tries++) {
    const port = first + (dealt++ % portsEach);
    if (await isFree(port)) return port;
  }
  throw new Error(`nothing is free from ${first} on`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen({ port, exclusive: true });
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
