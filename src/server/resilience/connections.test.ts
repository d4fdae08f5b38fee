import { rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { get } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createTestApp } from '../kit/testing/app.ts';
import { createTestDatabase } from '../kit/testing/database.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { openRedirect } from '../redirect/process.ts';

const connections = { all: 60, perNetwork: 20, headersMilliseconds: 15_000 };
const trustedProxies = ['127.0.0.9'];
type Port = { port: number; close: () => Promise<void> };
type Bounds = typeof connections;

async function openBackOffice(bounds: Bounds): Promise<Port> {
  const { app, close } = await createTestApp({ connections: bounds, trustedProxies });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { port: (app.server.address() as AddressInfo).port, close };
}

async function openVisits(bounds: Bounds): Promise<Port> {
  const database = await createTestDatabase();
  const dataDir = makeTestFolder();
  const log = { info() {}, warn() {}, error() {} };
  const onFatal = (error: Error) => {
    throw error;
  };
  const options = { databaseUrl: database.url, dataDir, slot: '0', trustedProxies, log, onFatal, connections: bounds };
  const redirect = await openRedirect(options);
  await new Promise<void>((resolve) => redirect.server.listen(0, '127.0.0.1', resolve));
  return {
    port: (redirect.server.address() as AddressInfo).port,
    async close() {
      await stopListening(redirect.server);
      await redirect.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const stopListening = (server: Server) => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
};

let port: Port;
let sockets: Socket[];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await port.close();
});

/** Connections that never come to the end of a request's head. */
async function slow(localAddress: string, number: number): Promise<Socket[]> {
  const opened = await Promise.all(
    Array.from(
      { length: number },
      () =>
        new Promise<Socket>((resolve) => {
          const socket = connect({ port: port.port, host: '127.0.0.1', localAddress });
          socket.once('connect', () => socket.write('GET /healthz HTTP/1.1\r\nx-slow: '));
          socket.on('error', () => {});
          socket.once('connect', () => resolve(socket));
          socket.resume();
        }),
    ),
  );
  sockets.push(...opened);
  return opened;
}
const openOf = (of: readonly Socket[]) => of.filter((socket) => !socket.closed).length;

const ask = (localAddress: string): Promise<number | string> =>
  new Promise((resolve) => {
    const request = get({ port: port.port, host: '127.0.0.1', path: '/healthz', localAddress, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
  });

// Other systems have one loopback address.
describe.runIf(process.platform === 'linux').each([
  ['the back office', openBackOffice],
  ['the visit port', openVisits],
])('%s, while slow connections come', (_name, open) => {
  test('keeps few of one address and serves the others; those of a trusted proxy count together only', async () => {
    sockets = [];
    port = await open(connections);
    const [one, other] = [await slow('127.0.0.2', 50), await slow('127.0.0.3', 10)];
    await eventually(() => expect([openOf(one), openOf(other)]).toEqual([20, 10]));
    expect([await ask('127.0.0.2'), await ask('127.0.0.3'), await ask('127.0.0.4')]).toEqual(['ECONNRESET', 200, 200]);
    const proxied = await slow('127.0.0.9', 25);
    expect(await ask('127.0.0.9')).toBe(200);
    expect(openOf(proxied)).toBe(25);
    for (const socket of one) socket.destroy();
    await eventually(async () => expect(await ask('127.0.0.2')).toBe(200));
    const all = await slow('127.0.0.9', 60);
    await eventually(() => expect(openOf([...proxied, ...other, ...all])).toBe(60));
  });

  test('cuts off who does not send a request', async () => {
    sockets = [];
    port = await open({ ...connections, headersMilliseconds: 200 });
    const held = await slow('127.0.0.2', 20);
    await eventually(() => expect(openOf(held)).toBe(0));
    // The server hears of an end a moment later than who was cut off.
    await eventually(async () => expect(await ask('127.0.0.2')).toBe(200));
  });
});
