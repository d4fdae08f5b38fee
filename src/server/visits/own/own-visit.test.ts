import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxOwnAddresses } from '../../../contract/visits/own-address.ts';
import { maxOwnDevices } from '../../../contract/visits/own-device.ts';
import { domain } from '../../domains/domains.table.ts';
import { readSecret } from '../../kit/secrets.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { readOwnDevicePath } from '../../kit/visits/own-devices.ts';

let test_app: TestApp;
let owner: TestUser;
let other: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('customer');
  other = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

const devices = async (as: TestUser) => (await test_app.call(as, 'own_device', 'inquire', {})).body.content;
const addresses = async (as: TestUser) => (await test_app.call(as, 'own_address', 'inquire', {})).body;
const named = async (as: TestUser) => (await addresses(as)).content.map(({ network }) => network);

describe('own devices', () => {
  test('are named, renamed and removed by their owner, twenty at most', async () => {
    const { id } = (await test_app.call(owner, 'own_device', 'add', { name: '我的手机' })).body;
    expect(await devices(owner)).toEqual([{ id, name: '我的手机', created_at: expect.any(String), seen_at: null }]);
    expect(await devices(other)).toEqual([]);
    expect((await test_app.call(other, 'own_device', 'update', { id, name: 'stolen' })).status).toBe(404);
    await test_app.call(owner, 'own_device', 'update', { id, name: '新手机' });
    expect((await devices(owner)).map(({ name }) => name)).toEqual(['新手机']);
    const many = Array.from({ length: maxOwnDevices + 2 }, (_, number) =>
      test_app.call(owner, 'own_device', 'add', { name: `device ${number}` }),
    );
    const answers = (await Promise.all(many)).map(({ status, body }) => ({ status, code: 'code' in body ? body.code : undefined }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(maxOwnDevices - 1);
    expect(answers.filter(({ code }) => code === 'own_device.too_many')).toHaveLength(3);
    expect((await test_app.call(owner, 'own_device', 'remove', { id })).body.affected).toBe(1);
    expect(await devices(owner)).toHaveLength(maxOwnDevices - 1);
  });

  test('get a link for the hosts of the own codes, good for an hour', async () => {
    const device = (await test_app.call(other, 'own_device', 'add', { name: 'phone' })).body.id;
    const without = await test_app.send(other, 'own_device/link', { id: device });
    expect([without.status, without.body.code]).toEqual([409, 'own_device.no_domain']);
    const [pool, wild, unused, foreign] = await test_app.db
      .insert(domain)
      .values([
        { host: 'pool.own.example', type: 1 },
        { host: '*.wild.own.example', type: 1, holder_id: other.id },
        { host: 'unused.own.example', type: 1 },
        { host: 'foreign.own.example', type: 1, holder_id: owner.id },
      ])
      .returning({ id: domain.id });
    const code = { name: 'tea', targets: [{ kind: 'url', content: 'https://example.com/' }], entry_domain_id: pool?.id };
    expect((await test_app.send(other, 'qr_code_list/add', code)).status).toBe(200);

    const { url, expires_at, hosts } = (await test_app.call(other, 'own_device', 'link', { id: device })).body;
    expect(hosts).toEqual(['pool.own.example', '*.wild.own.example']);
    const { host, pathname } = new URL(url);
    expect(host).toBe('pool.own.example');
    const key = await readSecret(test_app.db, 'visit_signing');
    const link = readOwnDevicePath(key, pathname, Date.parse(expires_at) - 60_000);
    expect(link).toMatchObject({ owner: other.id, device, domains: [pool?.id, wild?.id] });
    expect(link?.domains).not.toContain(unused?.id);
    expect(link?.domains).not.toContain(foreign?.id);
    expect(readOwnDevicePath(key, pathname, Date.parse(expires_at))).toBeUndefined();
  });
});

describe('own addresses', () => {
  test('are the present one or any network that is no wider than an office, each once, and come back after a removal', async () => {
    const { present, is_present_named } = await addresses(owner);
    expect(is_present_named).toBe(false);
    const { id } = (await test_app.call(owner, 'own_address', 'add', { network: present })).body;
    expect([await named(owner), (await addresses(owner)).is_present_named]).toEqual([[present], true]);
    await test_app.call(owner, 'own_address', 'add', { network: '203.0.113.7/24' });
    await test_app.call(owner, 'own_address', 'add', { network: '2001:DB8:7::1/64' });
    expect(await named(owner)).toEqual([present, '203.0.113.0/24', '2001:db8:7::/64']);
    const faults = {
      '203.0.113.0/24': 'network_named',
      '203.0.112.0/23': 'too_wide_network',
      '2001:db8::/32': 'too_wide_network',
      tea: 'invalid_network',
    };
    for (const [network, fault] of Object.entries(faults)) {
      expect((await test_app.send(owner, 'own_address/add', { network })).body.fields).toEqual({ network: fault });
    }
    expect((await test_app.call(other, 'own_address', 'remove', { id })).body.affected).toBe(0);
    expect((await test_app.call(owner, 'own_address', 'remove', { id })).body.affected).toBe(1);
    expect(await named(owner)).not.toContain(present);
    expect((await test_app.call(owner, 'own_address', 'add', { network: present })).status).toBe(200);
    expect(await named(other)).toEqual([]);
  });

  test('are fifty at most', async () => {
    const one = await test_app.makeUser('customer');
    for (let number = 0; number < maxOwnAddresses; number += 1) {
      expect((await test_app.call(one, 'own_address', 'add', { network: `198.51.100.${number}` })).status).toBe(200);
    }
    expect((await test_app.send(one, 'own_address/add', { network: '203.0.113.1' })).body.code).toBe('own_address.too_many');
    expect(await named(one)).toHaveLength(maxOwnAddresses);
  });
});
