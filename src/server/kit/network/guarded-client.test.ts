import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { codeOf, outside, watchedOutside } from '../testing/outside.ts';
import { startProxy } from '../testing/proxy.ts';
import { type GuardedRequest, guardedRequest } from './guarded-client.ts';
import { guardNetwork } from './guarded-network.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const world = watchedOutside();
const network = guardNetwork([`${outside}/32`]);
const base = () => `http://${outside}:${world.port}`;
const ask = (path: string, given: Partial<GuardedRequest> = {}) =>
  guardedRequest(network, { url: `${base()}${path}`, timeout_ms: 5_000, ...given });

describe('a request', () => {
  test('answers status, headers and body, and sends what was given', async () => {
    world.answer = (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => response.writeHead(201, { 'x-one': 'a', 'set-cookie': ['b=1', 'c=2'] }).end(`got ${Buffer.concat(chunks)}`));
    };
    const given = { method: 'POST', headers: { authorization: 'Bearer x', 'content-type': 'text/plain' }, body: '链接' };
    const got = await ask('/a?b=1', given);
    expect(got).toMatchObject({ status: 201, body: 'got 链接', isCut: false, url: `${base()}/a?b=1` });
    expect(got.headers).toMatchObject({ 'x-one': 'a', 'set-cookie': 'b=1,c=2' });
    expect(world.seen[0]?.headers).toMatchObject({
      authorization: 'Bearer x',
      host: `${outside}:${world.port}`,
      connection: 'close',
      'content-length': '6',
    });
    expect(world.seen[0]?.headers).not.toHaveProperty('cookie');
  });

  test('reads what was compressed and other character sets', async () => {
    for (const [encoding, bytes] of [
      ['gzip', gzipSync('短链')],
      ['deflate', deflateSync('短链')],
      ['br', brotliCompressSync('短链')],
    ] as const) {
      world.answer = (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
      expect((await ask('/')).body).toBe('短链');
    }
    world.answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=GBK' }).end(Buffer.from([0xb6, 0xcc, 0xc1, 0xb4]));
    expect((await ask('/')).body).toBe('短链');
    world.answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/html; charset=klingon' }).end('短链');
    expect((await ask('/')).body).toBe('短链');
  });

  test('uses no proxy that the environment names', async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const name of ['HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, `http://127.0.0.1:${world.port}`);
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    world.answer = (_request, response) => response.end('straight');
    expect((await ask('/')).body).toBe('straight');
  });

  test.each([
    ['a line break in a value', { 'x-a': 'b\r\nx-injected: 1' }],
    ['a line break in a name', { 'x-a\r\nx-injected': '1' }],
    ['another host', { Host: 'inside.example' }],
    ['a length of its own', { 'Content-Length': '0' }],
    ['a framing of its own', { 'transfer-encoding': 'chunked' }],
    ['an upgrade', { Upgrade: 'websocket' }],
    ['a key for a proxy', { 'Proxy-Authorization': 'x' }],
    ['a character beyond ASCII', { 'x-a': '链' }],
  ])('%s in a header is refused before anything is sent', async (_what, headers) => {
    expect(await codeOf(ask('/', { headers }))).toBe('outgoing.invalid_header');
    expect(world.seen).toHaveLength(0);
  });

  test.each(['get /x HTTP/1.1\r\nx: ', 'CONNECT', '', 'GET '])('the method %j is refused', async (method) => {
    expect(await codeOf(ask('/', { method }))).toBe('outgoing.invalid_url');
  });

  test('line breaks of an address cannot end its request', async () => {
    world.answer = (_request, response) => response.end('ok');
    await ask('/a%0d%0ax-injected:1\r\nx-injected: 2');
    expect(world.seen.map(({ url }) => url)).toEqual(['/a%0d%0ax-injected:1x-injected:%202']);
    expect(world.seen[0]?.headers).not.toHaveProperty('x-injected');
  });
});

describe('an answer that would hold or fill the process', () => {
  test('that never comes is given up', async () => {
    world.answer = () => {};
    expect(await codeOf(ask('/', { timeout_ms: 300 }))).toBe('outgoing.timeout');
    expect(await codeOf(ask('/', { first_byte_ms: 200 }))).toBe('outgoing.timeout');
  });

  test('that trickles is given up', async () => {
    world.answer = (_request, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    };
    expect(await codeOf(ask('/', { timeout_ms: 400 }))).toBe('outgoing.timeout');
  });

  test('that never ends is left at the bound, or cut there where the caller wants its beginning', async () => {
    let sent = 0;
    world.answer = (_request, response) => {
      const pour = () => {
        while (!response.destroyed) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536, 97))) return void response.once('drain', pour);
        }
      };
      pour();
    };
    expect(await codeOf(ask('/'))).toBe('outgoing.too_large');
    const truncate = await ask('/', { maximum_bytes: 100, cut: true });
    expect(truncate).toMatchObject({ body: 'a'.repeat(100), isCut: true });
    expect(sent).toBeLessThan(64 * 2 ** 20);
  });

  test('that is packed twice, in an unknown way or not at all, is refused', async () => {
    for (const encoding of ['gzip, gzip', 'lzma']) {
      world.answer = (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end('x');
      expect(await codeOf(ask('/'))).toBe('outgoing.unreadable');
    }
    world.answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not packed');
    expect(await codeOf(ask('/'))).toBe('outgoing.failed');
  });

  test('with headers without end, a broken length or no HTTP at all is a failure like another', async () => {
    const raw =
      (text: string): Answer =>
      (request) =>
        void request.socket.end(text);
    for (const text of [
      `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(200_000)}\r\n\r\n`,
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello',
      'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhello',
      'HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\nhello',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      'SSH-2.0-OpenSSH_9.2\r\n',
      '',
    ]) {
      world.answer = raw(text);
      expect(await codeOf(ask('/', { timeout_ms: 2_000 })), text.slice(0, 60)).toBe('outgoing.failed');
    }
  });

  test('many at once are each answered', async () => {
    world.answer = (request, response) => response.end(request.url);
    const bodies = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(`/${index}`).then(({ body }) => body)));
    expect(bodies).toEqual(bodies.map((_, index) => `/${index}`));
  });
});

describe('redirects', () => {
  const to =
    (location: string, status = 302): Answer =>
    (request, response) => {
      if (request.url === '/from') response.writeHead(status, { location: Buffer.from(location).toString('latin1') }).end();
      else response.end(`${request.method} ${request.url}`);
    };

  test('are an answer where they are not asked for, and followed where they are', async () => {
    world.answer = to('/next?x=链');
    expect(await ask('/from')).toMatchObject({ status: 302 });
    expect(await ask('/from', { redirects: 1 })).toMatchObject({ status: 200, body: 'GET /next?x=%E9%93%BE' });
  });

  test('are followed five times at most', async () => {
    world.answer = (request, response) => response.writeHead(302, { location: `/${Number(request.url?.slice(1)) + 1}` }).end();
    expect(await codeOf(ask('/0', { redirects: 99 }))).toBe('outgoing.too_many_redirects');
    expect(world.seen).toHaveLength(6);
  });

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://a.example/',
    'gopher://127.0.0.1:6379/_x',
    'http://',
    'http://a@127.0.0.1/',
    'data:,x',
  ])('to %s are refused', async (location) => {
    world.answer = to(location);
    expect(await codeOf(ask('/from', { redirects: 5 }))).toBe('outgoing.refused_redirect');
  });

  test.each([
    'http://127.0.0.1',
    'http://127.0.0.3',
    '//127.0.0.1',
    'http://169.254.169.254/latest/meta-data/',
    'http://2130706433',
    'http://[::ffff:127.0.0.1]',
  ])('to %s on the inside are refused, and nothing arrives there', async (location) => {
    world.answer = to(location.includes('169.254') ? location : `${location}:${world.port}/`);
    expect(await codeOf(ask('/from', { redirects: 5 }))).toBe('outgoing.refused_address');
    expect(world.attempts).toEqual([outside]);
  });

  test('take no key to another origin, and no body', async () => {
    const headers = { authorization: 'Bearer secret', 'x-api-key': 'secret', accept: 'text/html' };
    const other = createServer((request, response) => response.end(JSON.stringify(request.headers)));
    await new Promise<void>((resolve) => other.listen(0, outside, resolve));
    const elsewhere = `http://${outside}:${(other.address() as AddressInfo).port}/`;
    world.answer = to(elsewhere);
    const got = await ask('/from', { redirects: 1, headers });
    expect(JSON.parse(got.body)).toMatchObject({ accept: 'text/html' });
    expect(got.body).not.toContain('secret');
    world.answer = to(elsewhere, 307);
    expect(await codeOf(ask('/from', { redirects: 1, method: 'POST', body: 'secret' }))).toBe('outgoing.refused_redirect');
    await new Promise((resolve) => other.close(resolve));
  });

  test('of a posted request ask without its body, those that keep it are given it again', async () => {
    for (const [status, expected] of [
      [303, 'GET /next'],
      [302, 'GET /next'],
      [307, 'POST /next'],
      [308, 'POST /next'],
    ] as const) {
      world.answer = to('/next', status);
      expect((await ask('/from', { redirects: 1, method: 'POST', body: 'x' })).body).toBe(expected);
    }
  });
});

describe('by a proxy', () => {
  const behind = async () => {
    const server = createServer((request, response) => response.end(request.url)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const proxy = await startProxy((server.address() as AddressInfo).port);
    onTestFinished(async () => {
      await proxy.stop();
      server.close();
    });
    return proxy;
  };

  test('a name is looked up there, though the proxy itself is on this machine', async () => {
    const proxy = await behind();
    const answer = await guardedRequest(guardNetwork([]), { url: 'http://api.invalid/path', proxy: proxy.url });
    expect([answer.status, answer.body, proxy.asked]).toEqual([200, '/path', ['api.invalid:80']]);
  });

  test('an address inside is refused before it is asked', async () => {
    const proxy = await behind();
    expect(await codeOf(guardedRequest(guardNetwork([]), { url: 'http://10.0.0.1/', proxy: proxy.url }))).toBe('outgoing.refused_address');
    expect(proxy.asked).toEqual([]);
  });
});
