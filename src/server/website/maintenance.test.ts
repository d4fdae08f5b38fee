import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { groups } from '../../contract/api.ts';
import { roleKinds } from '../../contract/enums.ts';
import type { Call, Group } from '../../contract/kit/call.ts';
import { socketTypes } from '../../contract/socket.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { connect, type TestClient } from '../socket/testing/client.ts';
import { createPeople, type People } from '../users/testing/people.ts';

let test_app: TestApp;
let people: People;
let chief: TestUser;
let origin: string;
let clients: TestClient[] = [];
beforeAll(async () => {
  test_app = await createTestApp({ heldMilliseconds: 1000 });
  people = await createPeople(test_app);
  chief = await test_app.makeUser('super');
  origin = await test_app.app.listen({ port: 0, host: '127.0.0.1' });
});
const maintain = async (maintenance: boolean) => {
  expect((await test_app.call(chief, 'configuration', 'update', { values: { maintenance } })).status).toBe(200);
  // A running process holds its settings, and hears of the change.
  await eventually(async () => expect((await test_app.call(undefined, 'website', 'info', {})).body.maintenance).toBe(maintenance));
};
beforeEach(() => maintain(true));
afterEach(async () => {
  for (const client of clients) client.close();
  clients = [];
  await maintain(false);
});
afterAll(() => test_app.close());

const calls = Object.values(groups as Record<string, Group>).flatMap((group) =>
  Object.entries(group.calls).map(([action, call]) => ({ path: `${group.name}/${action}`, call: call as Call })),
);
/** An unknown field keeps a call that may be made from doing anything. */
const answerTo = async (as: TestUser | undefined, path: string) => {
  const { status, body } = await test_app.send(as, path, { surely_unknown: 1 });
  return { status, code: body.code };
};

describe('while the site is under maintenance', () => {
  test.each(roleKinds)('every call answers the role %s as it should: administrators as ever, others 503', async (kind) => {
    const user = await test_app.makeUser(kind);
    const isAdministrator = kind === 'super' || kind === 'administrator';
    const wrong: string[] = [];
    for (const { path, call } of calls) {
      const { status, code } = await answerTo(user, path);
      const isShutOut = !isAdministrator && !call.in_maintenance;
      const isRight = isShutOut ? (status === 503 && code === 'maintenance') || status === 403 : status === 400 || status === 403;
      if (!isRight) wrong.push(`${path}: ${status} ${code}`);
    }
    expect(wrong).toEqual([]);
    expect(await answerTo(user, 'group/inquire')).toEqual(
      isAdministrator ? { status: kind === 'super' ? 400 : 403, code: expect.any(String) } : { status: 503, code: 'maintenance' },
    );
  });

  test('a public call is refused, but for what the maintenance page and the login need', async () => {
    const open = [];
    for (const { path, call } of calls) {
      if (call.access.kind !== 'public') continue;
      const { status, code } = await answerTo(undefined, path);
      expect([path, status, code]).toEqual(call.in_maintenance ? [path, 400, 'input.invalid'] : [path, 503, 'maintenance']);
      if (call.in_maintenance) open.push(path);
    }
    expect(open).toEqual(expect.arrayContaining(['admin/login', 'website/info']));
    expect(open).not.toContain('admin/register');
  });

  test('the refusal says so in the language of the caller', async () => {
    const user = await test_app.makeUser('customer');
    const messageIn = async (language: string) =>
      (await test_app.send(user, 'home/inquire', {}, { 'accept-language': language })).body.message;
    expect(await messageIn('zh-CN')).toBe('网站维护中，请稍后再试');
    expect(await messageIn('en-US')).toBe('The site is under maintenance. Please try again later.');
  });

  test('nothing is uploaded, and nothing changes', async () => {
    const user = await test_app.makeUser('customer');
    const upload = await test_app.app.inject({
      method: 'POST',
      url: '/api/file/add',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'multipart/form-data; boundary=x' },
      payload: '',
    });
    expect([upload.statusCode, upload.json().code]).toEqual([503, 'maintenance']);
    const add = await test_app.call(user, 'qr_code_list', 'add', {
      name: 'x',
      targets: [{ kind: 'url', content: 'https://example.com/' }],
    });
    expect(add.status).toBe(503);
    await maintain(false);
    expect((await test_app.call(user, 'qr_code_list', 'inquire', {})).body.total).toBe(0);
  });

  test('an administrator logs in, and works as a customer; the customer himself logs in and then waits', async () => {
    const [administrator, customer] = [await people.makeUser('administrator'), await people.makeUser()];
    const login = await people.logIn(administrator);
    const as = { ...administrator, token: String(login.body.token) };
    expect((await test_app.call(as, 'user_list', 'inquire', {})).status).toBe(200);
    const acting = await test_app.call(chief, 'user_list', 'log_in_as', { id: customer.id });
    expect((await test_app.call({ ...customer, token: acting.body.token }, 'qr_code_list', 'inquire', {})).status).toBe(200);
    const own = { ...customer, token: String((await people.logIn(customer)).body.token) };
    expect((await test_app.call(own, 'admin', 'get_info', {})).status).toBe(200);
    expect((await test_app.call(own, 'qr_code_list', 'inquire', {})).status).toBe(503);
  });

  test('open pages hear of its end and of its begin at once, over the socket', async () => {
    const user = await test_app.makeUser('customer');
    const publicKey = (await test_app.call(undefined, 'website', 'info', {})).body.socket_public_key;
    const client = await connect({ url: `${origin.replace('http', 'ws')}/api/socket`, publicKey, token: user.token, origin });
    clients.push(client);
    const told = () => client.messages.filter(({ type }) => type === socketTypes.site).length;
    await maintain(false);
    await client.received(socketTypes.site, 10_000);
    const before = told();
    expect((await test_app.call(user, 'qr_code_list', 'inquire', {})).status).toBe(200);
    await maintain(true);
    await eventually(async () => {
      await client.received(socketTypes.site);
      expect(told()).toBeGreaterThan(before);
    });
    expect(client.closed()).toBeUndefined();
  });
});
