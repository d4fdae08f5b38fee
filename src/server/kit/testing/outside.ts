import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { AppError } from '../calls/errors.ts';

/** The one address of the tests that counts as public; everything else of the loopback network is inside. */
export const outside = '127.0.0.2';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A server outside that answers by `answer`, and traps inside on the same port in which nothing may ever arrive: each test asserts it.
 * `attempts` are the addresses that any socket of this process tried to reach.
 */
export function watchedOutside() {
  const state = {
    answer: ((_request, response) => void response.end('hello')) as Answer,
    seen: [] as IncomingMessage[],
    attempts: [] as string[],
    port: 0,
  };
  const server = createServer((request, response) => {
    state.seen.push(request);
    state.answer(request, response);
  });
  let trapped = 0;
  const traps = ['127.0.0.1', '127.0.0.3'].map((host) => ({
    host,
    server: createTcpServer(() => {
      trapped += 1;
    }),
  }));
  const watch = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on('connectionAttempt', (ip: string) => state.attempts.push(ip));
  };

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, outside, resolve));
    state.port = (server.address() as AddressInfo).port;
    await Promise.all(traps.map((trap) => new Promise<void>((resolve) => trap.server.listen(state.port, trap.host, resolve))));
    diagnostics.subscribe('net.client.socket', watch);
  });
  afterAll(async () => {
    diagnostics.unsubscribe('net.client.socket', watch);
    server.closeAllConnections();
    await Promise.all([server, ...traps.map((trap) => trap.server)].map((one) => new Promise((resolve) => one.close(resolve))));
  });
  beforeEach(() => {
    state.seen = [];
    state.attempts = [];
    trapped = 0;
  });
  afterEach(() => expect(trapped).toBe(0));
  return state;
}

/** The code of our own failure, for work that is expected to fail. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no failure',
    (error: unknown) => (error instanceof AppError ? error.code : `not ours: ${String(error)}`),
  );
