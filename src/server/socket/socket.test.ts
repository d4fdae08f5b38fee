import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { socketTypes } from '../../contract/socket.ts';
import { pushToPages } from '../kit/messages/push.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { createCaller } from './socket.crypto.ts';
import { connect, openRaw, type TestClient } from './testing/client.ts';

let test_app: TestApp;
let origin: string;
let url: string;
let publicKey: string;
let clients: TestClient[] = [];
beforeAll(async () => {
  test_app = await createTestApp();
  origin = await test_app.app.listen({ port: 0, host: '127.0.0.1' });
  url = `${origin.replace('http', 'ws')}/api/socket`;
  publicKey = (await test_app.call(undefined, 'website', 'info', {})).body.socket_public_key;
});
afterEach(() => {
  for (const client of clients) client.close();
  clients = [];
});
afterAll(() => test_app.close());

async function open(user: TestUser, options: { locale?: string; login?: (frame: Uint8Array) => Uint8Array } = {}): Promise<TestClient> {
  const client = await connect({ url, publicKey, token: user.token, origin, ...options });
  clients.push(client);
  return client;
}
const raw = async (from: string | undefined = origin) => {
  const opened = await openRaw(url, from);
  const closed = new Promise<number>((resolve) => opened.socket.addEventListener('close', ({ code }) => resolve(code)));
  return { ...opened, closed };
};
/** True when nothing came to any of them while something that was sent later did. */
async function heardNothing(others: readonly TestClient[], type: number): Promise<boolean> {
  await pushToPages(test_app.db, { to: { all: true }, type: socketTypes.nothing, content: 'flag' });
  await Promise.all(
    others.map((client) =>
      eventually(async () => {
        await client.received(socketTypes.nothing);
        expect(client.messages.at(-1)?.content).toBe('flag');
      }),
    ),
  );
  return others.every((client) => client.messages.every((message) => message.type !== type));
}

describe('a page', () => {
  test('logs in with token and language, pings, and gets an answer to every ping', async () => {
    const client = await open(await test_app.makeUser('customer'));
    for (let ping = 1; ping <= 5; ping += 1) {
      client.send({ type: 1 });
      await eventually(async () => {
        await client.received(1);
        expect(client.messages).toHaveLength(ping);
      });
    }
    expect(client.messages[0]).toEqual({ type: 1, status: true, message: '', content: null });
  });

  test('is told to reload (2) or to close (3), in its language, and nobody else is', async () => {
    const [one, other] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
    const [first, second, stranger] = [await open(one), await open(one, { locale: 'en-US' }), await open(other)];
    await pushToPages(test_app.db, { to: { user_ids: [one.id] }, type: socketTypes.reload });
    await Promise.all([first.received(2), second.received(2)]);
    expect(await heardNothing([stranger], 2)).toBe(true);
    await pushToPages(test_app.db, { to: { user_ids: [one.id] }, type: socketTypes.close, status: false, text: 'errors.not_logged_in' });
    expect((await first.untilClosed()).code).toBe(3001);
    expect((await second.untilClosed()).code).toBe(3001);
    expect((await first.received(3)).message).toBe('您还没有登录，请先登录');
    expect((await second.received(3)).message).toMatch(/^You are not logged in/);
    expect(stranger.closed()).toBeUndefined();
  });

  test('gets a site message (10) that is for its user, from whatever process it was sent', async () => {
    const sender = await test_app.makeUser('administrator');
    const [one, other] = [await test_app.makeUser('customer'), await test_app.makeUser('agent')];
    const [mine, others] = [await open(one), await open(other)];
    const send = async (input: object) =>
      (await test_app.send(sender, 'message_list/send', { title: '标题', content: '内容', ...input })).body.id;
    const direct = await send({ audience: 'users', user_ids: [one.id] });
    expect(await mine.received(10)).toEqual({
      type: 10,
      status: true,
      message: '',
      content: { id: direct, title: '标题', content: '内容' },
    });
    expect(await heardNothing([others], 10)).toBe(true);
    const toAll = await send({ audience: 'all', content: '😀'.repeat(2000) });
    await eventually(async () => expect((await mine.received(10)).content).toMatchObject({ id: toAll }));
    expect((await others.received(10)).content).toMatchObject({ id: toAll, content: '😀'.repeat(2000) });
    const { rows } = await test_app.db.execute<{ role_id: number }>(sql`SELECT role_id FROM user_account WHERE id = ${other.id}`);
    const toRole = await send({ audience: 'role', role_id: rows[0]?.role_id, content: '\u0001'.repeat(4000) });
    // Escaped, this text would not fit a frame: it is there to be asked for.
    await eventually(async () => expect((await others.received(10)).content).toMatchObject({ id: toRole, content: null }));
    expect(mine.messages.some((message) => (message.content as { id?: number } | null)?.id === toRole)).toBe(false);
  });

  test('that asks for it hears that there are newer visits (11), until it asks no more', { tags: 'full' }, async () => {
    const client = await open(await test_app.makeUser('customer'));
    client.send({ type: 11, content: { watch: true } });
    await test_app.db.execute(sql`INSERT INTO journal_segment (name, source, loaded_records) VALUES ('s1', 'test', 5)`);
    const message = await client.received(11, 12_000);
    expect(message.content).toEqual({ at: expect.any(String) });
    // Whoever comes later has asked before he watches: visits may have come between the two.
    const later = await open(await test_app.makeUser('customer'));
    later.send({ type: 11, content: { watch: true } });
    await later.received(11, 12_000);
  });

  test('that sends no login within five seconds is cut off', { tags: 'full' }, async () => {
    const { closed } = await raw();
    expect(await closed).toBe(1008);
  });
});

test('of one user who is logged in twice, only the page of the session that ended is closed', async () => {
  const user = await test_app.makeUser('customer');
  const client = await open(user);
  const { rows } = await test_app.db.execute<{ id: number }>(
    sql`INSERT INTO session (token_hash, user_id, expires_at) VALUES (sha256(${'A'.repeat(43)}::bytea), ${user.id}, now() + interval '1 hour') RETURNING id`,
  );
  const second = await open({ ...user, token: 'A'.repeat(43) });
  await test_app.db.execute(sql`DELETE FROM session WHERE id = ${rows[0]?.id}`);
  await second.untilClosed();
  client.send({ type: 1 });
  await client.received(1);
});

describe('an attacker', () => {
  test('gets no socket for a page of another site, nor without saying where he comes from', async () => {
    for (const from of [
      undefined,
      'https://evil.example',
      'null',
      `${origin}.evil.example`,
      'http://127.0.0.1:1',
      `${origin}@evil.example`,
    ])
      expect([from, (await raw(from ?? '')).isOpen]).toEqual([from, false]);
    await test_app.db.execute(sql`INSERT INTO setting (key, value) VALUES ('socket_origins', '["https://admin.example.com"]')`);
    const allowed = await raw('https://admin.example.com');
    expect(allowed.isOpen).toBe(true);
    allowed.socket.close();
    await test_app.db.execute(sql`DELETE FROM setting`);
  });

  test('with a wrong or ended token, or an API token, is told not to come back', async () => {
    const user = await test_app.makeUser('customer');
    const { body } = await test_app.call(user, 'api_token', 'add', { name: 'machine', nodes: ['qr_code_list'] });
    await test_app.call(user, 'admin', 'logout', {});
    for (const token of [user.token, body.token, 'A'.repeat(43), "' OR 1=1 --"])
      expect(await (await open({ ...user, token })).untilClosed()).toEqual({ code: 3001, reason: 'not_logged_in' });
  });

  test.each<[string, (frame: Uint8Array) => Uint8Array]>([
    ['nothing', () => new Uint8Array(0)],
    ['a key alone', (frame) => frame.slice(0, 32)],
    ['random bytes', () => crypto.getRandomValues(new Uint8Array(200))],
    ['a changed bit', (frame) => frame.map((byte, index) => (index === frame.length - 1 ? byte ^ 1 : byte))],
    ['a key of low order', (frame) => frame.map((byte, index) => (index < 32 ? 0 : byte))],
    ['a login sealed to another key', () => createCaller(createCallerKey()).loginFrame({ token: 'x', locale: 'zh-CN' })],
  ])('that sends %s as login is cut off', async (_what, login) => {
    const client = await open(await test_app.makeUser('customer'), { login });
    expect((await client.untilClosed()).code).toBe(1008);
  });

  test.each<[string, unknown]>([
    ['no object', 'login'],
    ['an unknown field', { locale: 'zh-CN', admin: true }],
    ['an unknown language', { locale: 'xx' }],
    ['a token that is none', { token: { $ne: 1 }, locale: 'zh-CN' }],
  ])('that logs in with %s is cut off', async (_what, fields) => {
    const { token } = await test_app.makeUser('customer');
    const { socket, closed } = await raw();
    const login = typeof fields === 'string' ? fields : { token, ...(fields as object) };
    socket.send(createCaller(Buffer.from(publicKey, 'base64url')).loginFrame(login) as Uint8Array<ArrayBuffer>);
    expect(await closed).toBe(1008);
  });

  test('that replays a recorded login gets a connection whose frames he can neither read nor send', async () => {
    const user = await test_app.makeUser('customer');
    let recorded: Uint8Array = new Uint8Array(0);
    const first = await open(user, {
      login: (frame) => {
        recorded = frame;
        return frame;
      },
    });
    first.send({ type: 1 });
    await first.received(1);
    const { socket, frames, closed } = await raw();
    socket.send(recorded as Uint8Array<ArrayBuffer>);
    await eventually(() => expect(frames).toHaveLength(1));
    // What was recorded of the first connection does not open on the second, whose keys are new.
    socket.send(crypto.getRandomValues(new Uint8Array(60)));
    expect(await closed).toBe(1008);
    expect(first.closed()).toBeUndefined();
  });

  /** A connection whose frames the test handles one by one, as somebody in the middle could. */
  async function byHand(user: TestUser) {
    const caller = createCaller(Buffer.from(publicKey, 'base64url'));
    const { socket, frames, closed } = await raw();
    const send = (frame: Uint8Array) => socket.send(frame as Uint8Array<ArrayBuffer>);
    send(caller.loginFrame({ token: user.token, locale: 'zh-CN' }));
    await eventually(() => expect(frames).toHaveLength(1));
    const { channel } = caller.connect(frames[0] ?? new Uint8Array(0));
    const pings = [1, 2, 3].map(() => channel.seal({ type: 1 }));
    return { pings, send, frames, channel, closed };
  }

  test.each<[string, (pings: Uint8Array[]) => (Uint8Array | undefined)[]]>([
    ['repeats a frame', ([one]) => [one, one]],
    ['drops a frame', ([one, , three]) => [one, three]],
    ['exchanges frames', ([one, two]) => [two, one]],
    ['changes a frame', ([one, two]) => [one, two?.map((byte, index) => (index === 3 ? byte ^ 1 : byte))]],
    ['cuts a frame', ([one]) => [one?.slice(0, -1)]],
  ])('in the middle who %s is noticed at once', async (_what, tamper) => {
    const { pings, send, closed } = await byHand(await test_app.makeUser('customer'));
    for (const frame of tamper(pings)) send(frame ?? new Uint8Array(0));
    expect(await closed).toBe(1008);
  });

  test('in the middle who does nothing is not noticed: frames in their order open on both sides', async () => {
    const { pings, send, frames, channel } = await byHand(await test_app.makeUser('customer'));
    for (const frame of pings) send(frame);
    await eventually(() => expect(frames).toHaveLength(4));
    expect(frames.slice(1).map((frame) => channel.open(frame))).toMatchObject([{ type: 1 }, { type: 1 }, { type: 1 }]);
    expect(() => channel.open(frames[3] ?? new Uint8Array(0))).toThrow();
  });

  test('that sends text, a frame beyond 16 KiB, an unknown request or far too many frames is cut off', async () => {
    const user = await test_app.makeUser('customer');
    const text = await open(user);
    text.sendRaw('{"type":1}');
    expect((await text.untilClosed()).code).toBe(1008);
    const large = await open(user);
    large.sendRaw(new Uint8Array(16_385));
    expect((await large.untilClosed()).code).toBe(1009);
    for (const request of [{ type: 2 }, { type: 11 }, { type: 1, extra: 1 }, { type: '1' }, [], null, 'x']) {
      const client = await open(user);
      client.send(request);
      expect((await client.untilClosed()).code).toBe(1008);
    }
    const flooding = await open(user);
    for (let count = 0; count < 100; count += 1) flooding.send({ type: 1 });
    expect((await flooding.untilClosed()).code).toBe(1008);
  });

  test('from one address holds only so many sockets without a login; those who logged in do not count', async () => {
    const user = await test_app.makeUser('customer');
    await open(user);
    const opened = await Promise.all(Array.from({ length: 40 }, () => raw()));
    expect(opened.filter(({ isOpen }) => isOpen)).toHaveLength(20);
    await expect(open(user)).rejects.toThrow('refused');
    for (const { socket } of opened) socket.close();
    await eventually(async () => expect((await open(user)).closed()).toBeUndefined());
  });

  test('who holds one account opens only so many pages: the oldest goes', async () => {
    const user = await test_app.makeUser('customer');
    const pages: TestClient[] = [];
    for (let count = 0; count < 31; count += 1) pages.push(await open(user));
    expect((await pages[0]?.untilClosed())?.code).toBe(1013);
    expect(pages.slice(1).every((page) => page.closed() === undefined)).toBe(true);
  });

  test('whose address is on the blacklist gets no socket', async () => {
    const ask = async () => (await test_app.app.inject({ url: '/api/socket', remoteAddress: '203.0.113.5' })).json().code;
    expect(await ask()).toBe('socket.foreign_origin');
    await test_app.db.execute(sql`INSERT INTO ip_black (network) VALUES ('203.0.113.5')`);
    expect(await ask()).toBe('ip_black.refused');
    await test_app.db.execute(sql`DELETE FROM ip_black`);
  });
});

describe('an administrator who has to set up a second factor first', () => {
  test('hears what concerns his page and nothing else', async () => {
    const user = await test_app.makeUser('administrator');
    const client = await open(user);
    await test_app.db.execute(sql`INSERT INTO setting (key, value) VALUES ('google_verification', 'true')`);
    await eventually(async () => {
      await pushToPages(test_app.db, { to: { user_ids: [user.id] }, type: socketTypes.operation, content: 'secret' });
      await pushToPages(test_app.db, { to: { user_ids: [user.id] }, type: socketTypes.nothing, content: 'after' });
      await client.received(1);
      const [last, before] = [client.messages.at(-1), client.messages.at(-2)];
      expect([last?.content, before?.content]).toEqual(['after', 'after']);
    });
    await pushToPages(test_app.db, { to: { user_ids: [user.id] }, type: socketTypes.reload });
    await client.received(2);
    await test_app.db.execute(sql`DELETE FROM setting`);
  });
});

test('a server that stops tells its pages to come back', async () => {
  const own = await createTestApp();
  const from = await own.app.listen({ port: 0, host: '127.0.0.1' });
  const user = await own.makeUser('customer');
  const key = (await own.call(undefined, 'website', 'info', {})).body.socket_public_key;
  const client = await connect({ url: `${from.replace('http', 'ws')}/api/socket`, publicKey: key, token: user.token, origin: from });
  await own.close();
  expect((await client.untilClosed()).code).toBe(1012);
});

function createCallerKey(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32));
}

test('pages may connect to a socket on another host once the setting names it, and to no other', async () => {
  const policy = async () => String((await test_app.app.inject({ url: '/' })).headers['content-security-policy']);
  expect(await policy()).toMatch(/connect-src 'self' data: blob: 'self';/);
  await test_app.db.execute(sql`INSERT INTO setting (key, value) VALUES ('socket_url', '"wss://push.example.com/api/socket"')`);
  expect(await policy()).toMatch(/connect-src 'self' data: blob: wss:\/\/push\.example\.com;/);
  await test_app.db.execute(sql`DELETE FROM setting`);
});
