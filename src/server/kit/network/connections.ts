import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type CidrSet, canonicalIp, networkOf } from './ip.ts';

export interface ConnectionBounds {
  /** Of a process, and fewer where the system lets it open fewer files. */
  all: number;
  /** From one address, or one /64: many people may stand behind it. Trusted proxies speak for everybody, and have no such bound. */
  perNetwork: number;
  /** Whoever has not sent the head of a request by then is cut off. */
  headersMilliseconds: number;
}

/** What `createServer` is told, so that slow senders hold no connection for long. */
export const slowSenders = (headersMilliseconds = 10_000) => ({
  headersTimeout: headersMilliseconds,
  connectionsCheckingInterval: headersMilliseconds / 2,
});

/** Ends connections beyond the bounds as they come, so that no few addresses can use up what all need. */
export function boundConnections(
  server: Server,
  { all, perNetwork }: Omit<ConnectionBounds, 'headersMilliseconds'>,
  proxies: CidrSet,
): void {
  const open = new Map<string, number>();
  server.maxConnections = Math.min(all, Math.floor(maxOpenFiles() / 2));
  server.prependListener('connection', (socket: Socket) => {
    const address = canonicalIp(socket.remoteAddress ?? '');
    if (address === null || proxies.has(address)) return;
    const network = networkOf(address);
    const number = (open.get(network) ?? 0) + 1;
    if (number > perNetwork) {
      socket.destroy();
      return;
    }
    open.set(network, number);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}

/** Node has raised its own limit to the highest that it may have. */
function maxOpenFiles(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit ? Number(limit) : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
