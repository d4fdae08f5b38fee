import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

let test_app: TestApp;
let owner: TestUser;
let port: number;
beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('customer');
  await test_app.app.listen({ port: 0, host: '127.0.0.1' });
  const address = test_app.app.server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => test_app.close());

const manyKeys = (number: number) => Object.fromEntries(Array.from({ length: number }, (_, index) => [`k${index}`, 0]));
const target = { kind: 'url', content: 'https://example.com/' };
const withRules = (rules: unknown) => ({ name: 'a code', targets: [{ ...target, rules }] });

describe('without a login', () => {
  test('a large body is refused before it is read, as JSON or not', async () => {
    const body = JSON.stringify(manyKeys(150_000));
    for (const path of ['admin/login', 'website/info', 'admin/register']) {
      const answer = await test_app.send(undefined, path, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 413, 'too_large']);
      expect(JSON.stringify(answer.body).length).toBeLessThan(300);
    }
    expect((await test_app.send(undefined, 'admin/login', 'x'.repeat(100_000))).status).toBe(413);
  });

  test('a call that needs one is refused whatever is sent along, and does not wait for it', async () => {
    for (const body of ['x'.repeat(1_000_000), '{', ''])
      expect((await test_app.send(undefined, 'qr_code_list/add', body)).body.code).toBe('not_logged_in');
    const answered = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          'POST /api/qr_code_list/add HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1900000\r\n\r\n{',
        );
      });
      socket.on('data', (chunk) => {
        resolve(String(chunk));
        socket.destroy();
      });
      socket.on('error', reject);
    });
    expect(answered).toMatch(/^HTTP\/1.1 401 /);
  });
});

describe('faults of an input', () => {
  test('are told of 20 fields at most, in a small answer', async () => {
    const keys = await test_app.send(owner, 'qr_code_list/add', manyKeys(900));
    expect([keys.status, Object.keys(keys.body.fields ?? {}).length]).toEqual([400, 20]);
    const long = await test_app.send(owner, 'qr_code_list/add', { ['k'.repeat(60_000)]: 0 });
    expect([long.status, JSON.stringify(long.body).length < 5000]).toEqual([400, true]);
    const targets = Array.from({ length: 100 }, () => ({ kind: 'none', content: 1, weight: 'x' }));
    const wrong = await test_app.send(owner, 'qr_code_list/add', { name: 'a', targets });
    expect([wrong.status, Object.keys(wrong.body.fields ?? {}).length]).toEqual([400, 20]);
  });

  test('are one where thousands of values are wrong', async () => {
    const { status, body } = await test_app.send(owner, 'qr_code_list/update_open', { ids: Array(5000).fill('x'), open: true });
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, ['ids.0']]);
  });

  test('arrays that are too long are refused by their length, wherever they are', async () => {
    for (const key of ['systems', 'carriers', 'countries', 'languages', 'hours', 'weekdays']) {
      const { status, body } = await test_app.send(owner, 'qr_code_list/add', withRules([{ [key]: Array(150_000).fill(0) }]));
      expect([key, status, body.fields]).toEqual([key, 400, { [`targets.0.rules.0.${key}`]: 'too_many' }]);
    }
  });

  test('a body that is too deep, or an object of too many keys, is too large for every call', async () => {
    const deep = `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    for (const body of [deep, JSON.stringify(manyKeys(3000)), JSON.stringify({ targets: [manyKeys(3000)] })])
      expect((await test_app.send(owner, 'qr_code_list/add', body)).status).toBe(413);
  });
});

test('a call takes 64 kB unless its input may be longer', async () => {
  const padded = (bytes: number) => `${' '.repeat(bytes)}{}`;
  expect((await test_app.send(owner, 'admin/get_info', padded(60_000))).status).toBe(200);
  expect((await test_app.send(owner, 'admin/get_info', padded(66_000))).status).toBe(413);
  expect((await test_app.send(owner, 'qr_code_list/add', padded(1_500_000))).status).toBe(400);
  expect((await test_app.send(owner, 'qr_code_list/add', padded(2_100_000))).status).toBe(413);
});
