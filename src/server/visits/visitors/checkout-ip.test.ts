import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { InputOf } from '../../../contract/kit/call.ts';
import type { checkoutIp } from '../../../contract/visits/checkout-ip.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { loadVisits } from '../testing/loading.ts';

const now = new Date('2026-03-11T04:30:00Z');
const at = (text: string): number => Date.parse(`${text}+08:00`);
const iso = (text: string): string => new Date(at(text)).toISOString();
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

let app: TestApp;
let administrator: TestUser;
let agent: TestUser;
let customer: TestUser;
let stranger: TestUser;
const codes: number[] = [];

beforeAll(async () => {
  app = await createTestApp({ now: () => now, trustedProxies: ['203.0.113.0/24'] });
  administrator = await app.makeUser('administrator');
  agent = await app.makeUser('agent');
  customer = await app.makeUser('customer', { superior_id: agent.id });
  stranger = await app.makeUser('customer');
  for (const [name, owner] of [
    ['mine-one', customer],
    ['mine-two', customer],
    ['theirs-a', stranger],
  ] as const) {
    const added = await app.call(owner, 'qr_code_list', 'add', {
      name,
      file_name: name,
      targets: [{ kind: 'url', content: 'https://example.com/' }],
    });
    expect([added.status, added.body]).toEqual([200, added.body]);
    codes.push(added.body.id);
  }
  const [one = 0, two = 0, theirs = 0] = codes;
  await loadVisits(
    app.url,
    (
      [
        ['2026-03-09T10:00:00', one, iphone],
        ['2026-03-10T10:00:00', one, iphone],
        ['2026-03-10T11:00:00', one, iphone],
        ['2026-03-11T08:00:00', two, windows],
        ['2026-03-11T09:00:00', theirs, windows],
      ] as const
    ).map(([time, live_code_id, user_agent]) => visitOf({ at: at(time), live_code_id, user_agent, ip: '120.196.165.24' })),
  );
});
afterAll(() => app.close());

type Input = InputOf<(typeof checkoutIp)['calls']['inquire']>;
const look = async (as: TestUser, ips: string[], input: Omit<Input, 'ips'> = {}) =>
  (await app.call(as, 'checkout_ip', 'inquire', { ips, ...input })).body;

test('an address is told with its place, carrier, visits, codes and devices', async () => {
  const { content, total } = await look(administrator, ['120.196.165.24']);
  expect(total).toBe(1);
  expect(content[0]).toMatchObject({
    ...{ ip: '120.196.165.24', state: 'visited', country: '中国', carrier: 'mobile', visits: 5, code_count: 3, device_count: 2 },
    first_at: iso('2026-03-09T10:00:00'),
    last_at: iso('2026-03-11T09:00:00'),
    blacklisted: 'no',
  });
  expect(content[0]?.codes[0]).toEqual({ id: codes[0], name: 'mine-one', file_name: 'mine-one', visits: 3 });
  expect(content[0]?.devices.map(({ system }) => system)).toEqual(['Windows', 'iOS']);
});

test('customers are told of visits of their own codes only, agents also of their customers', async () => {
  for (const who of [customer, agent]) {
    expect((await look(who, ['120.196.165.24'])).content[0]).toMatchObject({
      ...{ state: 'visited', visits: 4, code_count: 2, last_at: iso('2026-03-11T08:00:00'), blacklisted: null },
    });
  }
  expect((await look(stranger, ['120.196.165.24'])).content[0]).toMatchObject({ visits: 1, code_count: 1, device_count: 1 });
  const other = await app.makeUser('customer');
  expect((await look(other, ['120.196.165.24'])).content[0]).toMatchObject({
    ...{ state: 'never', visits: 0, code_count: 0, codes: [], devices: [], first_at: null, last_at: null, country: '中国' },
  });
});

test('visits that an owner cleared are hidden from him, not from administrators', async () => {
  await app.db.execute(sql`UPDATE live_code SET visible_from = ${iso('2026-03-10T10:30:00')} WHERE id = ${codes[0]}`);
  expect((await look(customer, ['120.196.165.24'])).content[0]).toMatchObject({ visits: 2, first_at: iso('2026-03-10T10:30:00') });
  expect((await look(administrator, ['120.196.165.24'])).content[0]).toMatchObject({ visits: 5, first_at: iso('2026-03-09T10:00:00') });
  await app.db.execute(sql`UPDATE live_code SET visible_from = NULL WHERE id = ${codes[0]}`);
});

test('each address stands once, in the order named; what is none is told as such', async () => {
  const { content } = await look(administrator, [
    ' 8.8.8.8 ',
    'nonsense',
    '::ffff:8.8.8.8',
    '2400:3200:0::1',
    '1.2.3.0/24',
    '',
    '120.196.165.24',
  ]);
  expect(content.map(({ ip, state }) => [ip, state])).toEqual([
    ['8.8.8.8', 'never'],
    ['nonsense', 'invalid'],
    ['2400:3200::1', 'never'],
    ['1.2.3.0/24', 'invalid'],
    ['', 'invalid'],
    ['120.196.165.24', 'visited'],
  ]);
  expect(content[0]).toMatchObject({ country: '美国' });
  expect(content[1]).toMatchObject({ country: '', blacklisted: null });
});

test('rows are sorted and paged; addresses without visits stand last in both orders', async () => {
  const ips = ['8.8.8.8', '120.196.165.24', '9.9.9.9'];
  for (const order of ['asc', 'desc'] as const) {
    expect((await look(administrator, ips, { sort: 'last_at', order })).content.map(({ ip }) => ip)).toEqual([
      '120.196.165.24',
      '8.8.8.8',
      '9.9.9.9',
    ]);
  }
  const second = await look(administrator, ips, { page: 2, page_size: 2 });
  expect([second.total, second.content.map(({ ip }) => ip)]).toEqual([3, ['9.9.9.9']]);
});

test('no address, too many and hostile ones are refused or told as none', async () => {
  expect((await app.call(administrator, 'checkout_ip', 'inquire', { ips: [] })).body.fields).toEqual({ ips: 'required' });
  const many = Array.from({ length: 501 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
  expect((await app.call(administrator, 'checkout_ip', 'inquire', { ips: many })).body.fields).toEqual({ ips: 'too_many' });
  const { content } = await look(customer, ["1.1.1.1'); DROP TABLE visit; --", '1.1.1.1\u0000', '__proto__', '{"a"}']);
  expect(content.map(({ state }) => state)).toEqual(['invalid', 'invalid', 'invalid', 'invalid']);
});

describe('the blacklist', () => {
  test('an administrator refuses the addresses that he found', async () => {
    const { body } = await app.call(administrator, 'checkout_ip', 'blacklist', {
      ips: ['120.196.165.24', '::ffff:120.196.165.24'],
      remark: 'x',
    });
    expect(body).toEqual({ affected: 1 });
    expect((await look(administrator, ['120.196.165.24'])).content[0]?.blacklisted).toBe('address');
    const listed = await app.call(administrator, 'server_ip_black', 'inquire', {});
    expect(listed.body.content).toMatchObject([{ network: '120.196.165.24', remark: 'x', created_by: administrator.id }]);
  });

  test('nobody refuses the server or its proxies, and customers refuse nobody', async () => {
    for (const ip of ['127.0.0.1', '::1', '203.0.113.9']) {
      const { status, body } = await app.call(administrator, 'checkout_ip', 'blacklist', { ips: [ip] });
      expect([status, body.fields]).toEqual([400, { 'ips.0': 'protected_address' }]);
    }
    for (const who of [customer, agent]) {
      expect((await app.call(who, 'checkout_ip', 'blacklist', { ips: ['8.8.8.8'] })).status).toBe(403);
    }
  });
});
