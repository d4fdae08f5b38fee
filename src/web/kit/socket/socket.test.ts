import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { SocketMessage } from '../../../contract/socket.ts';
import { socketProtocol, socketTypes } from '../../../contract/socket.ts';
import { pushToPages } from '../../../server/kit/messages/push.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../server/kit/testing/app.ts';
import { eventually } from '../../../server/kit/testing/eventually.ts';
import { openSocket, type RealTimeSocket, type SocketOptions } from './socket.ts';

let test_app: TestApp;
let origin: string;
let serverKey: string;
let opened: RealTimeSocket[] = [];

beforeAll(async () => {
  test_app = await createTestApp();
  origin = await test_app.app.listen({ port: 0, host: '127.0.0.1' });
  serverKey = (await test_app.call(undefined, 'website', 'info', {})).body.socket_public_key;
});
afterEach(() => {
  for (const socket of opened) socket.close();
  opened = [];
});
afterAll(() => test_app.close());

/** Node's WebSocket takes headers, which the browser's type does not know. */
const NodeSocket = WebSocket as unknown as new (url: string, options: { headers: Record<string, string> }) => WebSocket;

function open(user: TestUser, options: Partial<SocketOptions> = {}) {
  const messages: SocketMessage[] = [];
  const wires: WebSocket[] = [];
  const codes: number[] = [];
  const frames: number[] = [];
  const socket = openSocket({
    url: `${origin.replace('http', 'ws')}${socketProtocol.path}`,
    serverKey,
    token: user.token,
    locale: 'zh-CN',
    onMessage: (message) => messages.push(message),
    connect(url) {
      const wire = new NodeSocket(url, { headers: { origin } });
      wires.push(wire);
      wire.addEventListener('message', () => frames.push(Date.now()));
      wire.addEventListener('close', ({ code }) => codes.push(code));
      return wire;
    },
    pauseMilliseconds: () => 10,
    ...options,
  });
  opened.push(socket);
  const untilLoggedIn = (number = 1) => eventually(() => expect(frames.length).toBeGreaterThanOrEqual(number));
  return { socket, messages, wires, codes, frames, untilLoggedIn };
}

test('what the server pushes to a user reaches his page, and nobody else', async () => {
  const [user, other] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
  const [page, another] = [open(user), open(other)];
  await Promise.all([page.untilLoggedIn(), another.untilLoggedIn()]);
  await pushToPages(test_app.db, { to: { user_ids: [user.id] }, type: socketTypes.operation, content: { id: 7 } });
  await pushToPages(test_app.db, { to: { all: true }, type: socketTypes.reload });
  // A server that begins to listen after pages have come tells them to look at the site's settings once more.
  const pushed = ({ messages }: typeof page) => messages.filter(({ type }) => type !== socketTypes.site);
  await eventually(() => expect(pushed(another)).toHaveLength(1));
  await eventually(() => expect(pushed(page)).toHaveLength(2));
  expect(pushed(page).map((message) => message.type)).toEqual([socketTypes.operation, socketTypes.reload]);
  expect(pushed(page)[0]?.content).toEqual({ id: 7 });
  expect(pushed(another)[0]?.type).toBe(socketTypes.reload);
});

test('a hundred messages in a row are opened in their order', async () => {
  const user = await test_app.makeUser('customer');
  const page = open(user);
  await page.untilLoggedIn();
  for (let at = 0; at < 100; at += 1) {
    await pushToPages(test_app.db, { to: { user_ids: [user.id] }, type: socketTypes.operation, content: { at, text: '活码'.repeat(50) } });
  }
  await eventually(() => expect(page.messages).toHaveLength(100));
  expect(page.messages.map((message) => (message.content as { at: number }).at)).toEqual(Array.from({ length: 100 }, (_, at) => at));
});

test('a site message that is sent arrives with its text', async () => {
  const [administrator, user] = [await test_app.makeUser('super'), await test_app.makeUser('customer')];
  const page = open(user);
  await page.untilLoggedIn();
  const sent = { title: '维护通知', content: '今晚 2 点', audience: 'users' as const, user_ids: [user.id] };
  await test_app.call(administrator, 'message_list', 'send', sent);
  await eventually(() => expect(page.messages.at(-1)?.content).toMatchObject({ title: '维护通知', content: '今晚 2 点' }));
});

test('a connection that breaks is made again', async () => {
  const user = await test_app.makeUser('customer');
  const page = open(user);
  await page.untilLoggedIn();
  page.wires[0]?.close(4002);
  await page.untilLoggedIn(2);
  expect(page.wires.length).toBeGreaterThanOrEqual(2);
  await pushToPages(test_app.db, { to: { user_ids: [user.id] }, type: socketTypes.reload });
  await eventually(() => expect(page.messages).toHaveLength(1));
});

test('a page that watches hears of newer visits, also over a connection that was made again', { tags: 'full' }, async () => {
  const states: boolean[] = [];
  const page = open(await test_app.makeUser('customer'), { onState: (isOpen) => states.push(isOpen) });
  page.socket.watchStatistics(true);
  await page.untilLoggedIn();
  const ticks = () => page.messages.filter(({ type }) => type === socketTypes.statistics).length;
  const load = (name: string) =>
    test_app.db.execute(sql`INSERT INTO journal_segment (name, source, loaded_records) VALUES (${name}, 'test', 5)`);
  await load('watched');
  await eventually(() => expect(ticks()).toBeGreaterThan(0));
  page.wires[0]?.close(4002);
  await eventually(() => expect(states).toEqual([true, false, true]));
  const before = ticks();
  await load('watched again');
  await eventually(() => expect(ticks()).toBeGreaterThan(before));
});

test('the end of the session closes the page for good, in the words of its language', async () => {
  const user = await test_app.makeUser('customer');
  const page = open(user, { locale: 'en-US' });
  await page.untilLoggedIn();
  await test_app.call(user, 'admin', 'logout', {});
  await eventually(() => expect(page.codes).toEqual([socketProtocol.deliberateClose]));
  expect(page.messages.at(-1)).toMatchObject({ type: socketTypes.close, status: false, message: expect.stringMatching(/log/i) });
  expect(page.wires).toHaveLength(1);
});

test('a token that is worth nothing is not tried again', async () => {
  const page = open({ id: 0, account: '', token: 'worthless' });
  await eventually(() => expect(page.codes).toEqual([socketProtocol.deliberateClose]));
  expect(page.wires).toHaveLength(1);
  expect(page.messages).toEqual([]);
});

test('after more than 20 failures in a row nothing more is tried', async () => {
  const refusing = createServer((_request, response) => response.writeHead(403).end());
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
  const { port } = refusing.address() as AddressInfo;
  const pauses: number[] = [];
  const page = open(await test_app.makeUser('customer'), {
    url: `ws://127.0.0.1:${port}/api/socket`,
    pauseMilliseconds(failures) {
      pauses.push(failures);
      return 0;
    },
  });
  await eventually(() => expect(page.codes).toHaveLength(socketProtocol.maxFailures + 1));
  expect(pauses).toEqual(Array.from({ length: socketProtocol.maxFailures }, (_, at) => at + 1));
  expect(page.wires).toHaveLength(socketProtocol.maxFailures + 1);
  refusing.close();
});

test('a page that is closed deliberately stays closed', async () => {
  const page = open(await test_app.makeUser('customer'));
  await page.untilLoggedIn();
  page.socket.close();
  await eventually(() => expect(page.codes).toEqual([socketProtocol.deliberateClose]));
  expect(page.wires).toHaveLength(1);
});

test('a page pings every five seconds and is answered', { tags: 'full' }, async () => {
  const page = open(await test_app.makeUser('customer'));
  await eventually(() => expect(page.frames.length).toBeGreaterThanOrEqual(2));
  const between = (page.frames[1] ?? 0) - (page.frames[0] ?? 0);
  expect(between).toBeGreaterThan(4500);
  expect(page.messages).toEqual([]);
});
