import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDns } from '../testing/dns-server.ts';
import { outside, watchedOutside } from '../testing/outside.ts';
import { guardedConnect } from './guarded-connect.ts';
import { guardNetwork, RefusedAddress } from './guarded-network.ts';

const world = watchedOutside();
const network = guardNetwork([outside]);
const sockets: Socket[] = [];
let silent: Server;

beforeAll(async () => {
  silent = createServer((socket) => sockets.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, outside, resolve));
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
});
const silentPort = () => (silent.address() as AddressInfo).port;

describe('a connection', () => {
  test('reaches an address outside, and none inside', async () => {
    const socket = await guardedConnect(network, { host: outside, port: world.port });
    expect(socket.remoteAddress).toBe(outside);
    socket.destroy();
    for (const host of ['127.0.0.1', '127.1', '::1', '::ffff:127.0.0.1', 'localhost'])
      await expect(guardedConnect(network, { host, port: world.port }), host).rejects.toBeInstanceOf(RefusedAddress);
    expect(world.attempts).toEqual([outside]);
  });

  test('asks what a name stands for at the moment of connecting', async () => {
    const dns = await startDns((_name, asked) => [asked === 0 ? outside : '127.0.0.3']);
    const named = guardNetwork([outside], dns.resolve);
    const peer = { host: 'rebind.example', port: world.port };
    (await guardedConnect(named, peer)).destroy();
    await expect(guardedConnect(named, peer)).rejects.toBeInstanceOf(RefusedAddress);
    expect(world.attempts).toEqual([outside]);
    await dns.close();
  });

  test('whose handshake never ends is given up at its deadline, or when its caller is', async () => {
    const tls = { rejectUnauthorized: false };
    const peer = { host: outside, port: silentPort(), tls };
    await expect(guardedConnect(network, { ...peer, milliseconds: 50 })).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    const signal = AbortSignal.timeout(50);
    await expect(guardedConnect(network, { ...peer, signal })).rejects.toMatchObject({ name: 'AbortError' });
  });
});
