import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { until } from '../../kit/until.ts';
import { createVisitors } from '../../redirect/rotation/visitors.ts';
import { createAgentCache } from '../facts/agent.ts';
import { NOWHERE, type PlaceReader } from '../facts/place.ts';
import { createPlaceKeeper } from '../facts/place-keeper.ts';
import { openPlacesAside } from '../places.public.ts';
import { loadVisits } from '../testing/loading.ts';
import { lastAddress, type XdbRow, xdbFile } from '../testing/xdb.ts';

const now = new Date('2026-11-01T04:00:00Z');
let app: TestApp;
let administrator: TestUser;
let customer: TestUser;
beforeAll(async () => {
  app = await createTestApp({ now: () => now });
  administrator = await app.makeUser('administrator');
  customer = await app.makeUser('customer');
});
afterAll(() => app.close());

const address = (ip: string): bigint => BigInt(ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0));
/** 8.8.8.0 to 8.8.8.255 in a city, all else in another country. */
const listOf = (city: string): XdbRow[] => [
  [address('8.8.7.255'), '美国|0|0|0|US'],
  [address('8.8.8.255'), `中国|四川省|${city}|电信|CN`],
  [lastAddress[4], '美国|0|0|0|US'],
];

async function upload(as: TestUser, bytes: Buffer, family = 4) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'ip2region_v4.xdb');
  const encoded = new Response(form);
  const response = await app.app.inject({
    method: 'POST',
    url: `/api/ip_data/file?family=${family}`,
    headers: { 'content-type': encoded.headers.get('content-type') ?? '', authorization: `Bearer ${as.token}` },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  return { status: response.statusCode, body: response.json() };
}
const use = async (id: number | null, family: 4 | 6 = 4) => (await app.call(administrator, 'ip_data', 'use', { family, id })).body.content;
const lookUp = async (ip: string) => (await app.call(administrator, 'ip_data', 'look_up', { ip })).body;

const keeper = createPlaceKeeper();
/** Visits as a loader of the product loads them; answers where the last one of a code came from. */
async function visitFrom(ip: string) {
  const code = await app.call(customer, 'qr_code_list', 'add', { name: 'x', targets: [{ kind: 'text', content: 'x' }] });
  const live_code_id = code.body.id;
  let places: PlaceReader | undefined;
  const facts = {
    placeOf: (one: string) => places?.lookup(one) ?? NOWHERE,
    agentOf: createAgentCache(10).describe,
    renew: async (client: pg.ClientBase) => {
      places = await keeper.reader((text) => client.query(text));
    },
  };
  await loadVisits(app.url, [visitOf({ at: now.getTime() - 1000, live_code_id, ip })], facts);
  const { content } = (await app.call(customer, 'qr_code_access', 'inquire', { live_code_id })).body;
  return content[0];
}

describe('lists', () => {
  test('at first are the built-in ones, and old', async () => {
    const { content, warning_days } = (await app.call(administrator, 'ip_data', 'inquire', {})).body;
    expect(content.map(({ family, file, former, data_date, is_old }) => ({ family, file, former, data_date, is_old }))).toEqual([
      { family: 4, file: null, former: null, data_date: '2024-02-28', is_old: true },
      { family: 6, file: null, former: null, data_date: '2021-05-11', is_old: true },
    ]);
    expect([warning_days, content.every(({ ranges }) => ranges > 1000)]).toEqual([180, true]);
    const { content: needs } = (await app.call(administrator, 'home', 'needs', {})).body;
    expect(needs.find(({ kind }) => kind === 'ip_data_old')).toMatchObject({ total: 2, items: [{ name: 'IPv4' }, { name: 'IPv6' }] });
  });

  test('are uploaded, looked at, used, exchanged and given back, and each takes effect for visits at once', async () => {
    const first = await upload(administrator, xdbFile(listOf('成都市'), { made_at: Date.UTC(2026, 9, 1) }));
    expect(first).toMatchObject({ status: 200, body: { file: { name: 'ip2region_v4.xdb', structure: 3, segments: 3, places: 2 } } });
    const sample = first.body.samples.find(({ ip }: { ip: string }) => ip === '8.8.8.8');
    expect([sample.now.country, sample.next.city]).toEqual(['美国', '成都']);
    // Kept, and not used yet.
    expect((await lookUp('8.8.8.8')).used.country).toBe('美国');

    const [ipv4] = await use(first.body.file.id);
    expect(ipv4).toMatchObject({
      data_date: '2026-10-01',
      age_days: 31,
      is_old: false,
      former: null,
      changed_by_account: administrator.account,
    });
    expect(ipv4?.file?.uploaded_by_account).toBe(administrator.account);
    expect((await lookUp('8.8.8.8')).used).toEqual({ country: '中国', region: '四川', city: '成都', carrier: 'telecom' });
    expect(await visitFrom('8.8.8.8')).toMatchObject({ country: '中国', region: '四川', city: '成都' });

    const second = await upload(administrator, xdbFile(listOf('绵阳市'), { structure: 3 }));
    const [exchanged] = await use(second.body.file.id);
    expect(exchanged?.former?.id).toBe(first.body.file.id);
    expect(await visitFrom('8.8.8.8')).toMatchObject({ city: '绵阳' });

    const [restored] = await use(first.body.file.id);
    expect([restored?.file?.id, restored?.former?.id]).toEqual([first.body.file.id, second.body.file.id]);
    expect(await visitFrom('8.8.8.8')).toMatchObject({ city: '成都' });
    const { rows } = await app.pool.query("SELECT content FROM log WHERE type = 'ip_data/use'");
    expect(rows).toHaveLength(3);

    const [built] = await use(null);
    expect([built?.file, built?.former?.id]).toEqual([null, first.body.file.id]);
    expect(await visitFrom('8.8.8.8')).toMatchObject({ country: '美国' });
    // The list before the former one is gone.
    expect(Number((await app.pool.query('SELECT count(*) FROM ip_data')).rows[0]?.count)).toBe(1);
  });

  test('of IPv6 and of the older structure are taken', async () => {
    const rows: XdbRow[] = [
      [(0x2409n << 112n) - 1n, '0|0|0|0|0'],
      [lastAddress[6], '中国|上海市|上海市|移动|CN'],
    ];
    const made = await upload(administrator, xdbFile(rows, { family: 6 }), 6);
    await use(made.body.file.id, 6);
    expect(await lookUp('2409:8a00::1')).toMatchObject({ family: 6, used: { region: '上海', carrier: 'mobile' } });
    await use(null, 6);
    const classic: XdbRow[] = [[lastAddress[4], '中国|0|江苏省|南京市|电信']];
    expect(await upload(administrator, xdbFile(classic, { structure: 2 }))).toMatchObject({
      status: 200,
      body: { file: { structure: 2 } },
    });
  });

  test('that are no sound xdb file are refused in words, and nothing is kept', async () => {
    const before = (await app.pool.query('SELECT count(*) FROM ip_data')).rows[0]?.count;
    const good = xdbFile(listOf('成都市'));
    for (const [code, bytes, family] of [
      ['ip_data.not_xdb', Buffer.alloc(600_000, 'x'), 4],
      ['ip_data.cut', good.subarray(0, good.length - 5), 4],
      ['ip_data.incomplete', xdbFile([[5n, '美国|0|0|0|US']]), 4],
      ['ip_data.family', good, 6],
      ['ip_data.fields', xdbFile([[lastAddress[4], '美国']]), 4],
    ] as const) {
      const { status, body } = await upload(administrator, bytes, family);
      expect([status, body.code]).toEqual([400, code]);
      expect(body.message).not.toContain('ip_data');
    }
    expect((await app.pool.query('SELECT count(*) FROM ip_data')).rows[0]?.count).toBe(before);
  });

  test('are nothing for customers', async () => {
    expect((await upload(customer, xdbFile(listOf('成都市')))).status).toBe(403);
    for (const call of [
      'ip_data/inquire',
      'ip_data/look_up',
      'ip_data/use',
      'ip_correction/inquire',
      'ip_correction/add',
      'ip_correction/import',
    ])
      expect([call, (await app.send(customer, call, {})).status]).toEqual([call, 403]);
    expect((await app.call(administrator, 'ip_data', 'use', { family: 4, id: 999_999 })).status).toBe(404);
  });
});

describe('corrections', () => {
  const add = (range: string, city: string) =>
    app.call(administrator, 'ip_correction', 'add', { range, country: '中国', region: '浙江省', city, carrier: 'unicom' });
  const list = async (input = {}) =>
    (await app.call(administrator, 'ip_correction', 'inquire', { sort: 'size', order: 'asc', ...input })).body.content;

  test('are found for new visits at once, the smallest first; the box says which counts', async () => {
    await add('9.9.0.0/16', '杭州市');
    const small = (await add('9.9.9.7 - 9.9.9.9', '宁波市')).body;
    expect(small).toMatchObject({ range: '9.9.9.7-9.9.9.9', region: '浙江', city: '宁波', size: '3', overlaps: 1 });
    expect(await visitFrom('9.9.9.9')).toMatchObject({ city: '宁波' });
    expect(await visitFrom('9.9.1.1')).toMatchObject({ city: '杭州' });
    const found = await lookUp('9.9.9.9');
    expect([found.data.country, found.corrections.map(({ range }) => range), found.used.city]).toEqual([
      '美国',
      ['9.9.9.7-9.9.9.9', '9.9.0.0/16'],
      '宁波',
    ]);
    await app.call(administrator, 'ip_correction', 'update_enabled', { ids: [small.id], enabled: false });
    expect((await lookUp('9.9.9.9')).used.city).toBe('杭州');
    await app.call(administrator, 'ip_correction', 'update', { id: small.id, enabled: true, city: '温州' });
    expect(await visitFrom('9.9.9.8')).toMatchObject({ city: '温州' });
    await app.call(administrator, 'ip_correction', 'remove', { ids: [small.id] });
    expect((await lookUp('9.9.9.9')).used.city).toBe('杭州');
  });

  test('are found by address and by name, and tell with which others they overlap', async () => {
    await add('2001:db8::/32', '湖州');
    expect((await list({ search: '9.9.200.1' })).map(({ range }) => range)).toEqual(['9.9.0.0/16']);
    expect((await list({ search: '2001:db8:1::/48' })).map(({ city }) => city)).toEqual(['湖州']);
    expect((await list({ search: '杭' })).map(({ city }) => city)).toEqual(['杭州']);
    expect(await list({ overlapping: true })).toEqual([]);
    await add('9.9.4.0/24', '绍兴');
    expect((await list({ overlapping: true })).map(({ range, overlaps }) => [range, overlaps])).toEqual([
      ['9.9.4.0/24', 1],
      ['9.9.0.0/16', 1],
    ]);
  });

  test('of one range are one; what is no range or no place is refused beside the field', async () => {
    expect((await add('9.9.4.0-9.9.4.255', '舟山')).body).toMatchObject({ fields: { range: 'taken' } });
    expect((await add('9.9.4.0/99', '舟山')).body).toMatchObject({ fields: { range: 'invalid_ip_range' } });
    expect((await add('1.1.1.9-1.1.1.1', '舟山')).status).toBe(400);
  });

  test('are imported line by line, by their range', async () => {
    const line = { country: '中国', region: '云南省', city: '大理州', carrier: '移动', remark: '', enabled: true };
    const { body } = await app.call(administrator, 'ip_correction', 'import', {
      lines: [
        { ...line, range: '7.7.7.0/24', carrier: '中国移动' },
        { ...line, range: '9.9.4.0/24', carrier: 'other' },
        { ...line, range: '7.7.7.0-7.7.7.255', carrier: '' },
        { ...line, range: 'x', carrier: '' },
        { ...line, range: '7.7.8.0/24', carrier: 'fast' },
        { ...line, range: '7.7.9.0/24', carrier: '', country: '' },
      ],
    });
    expect([body.added, body.updated, body.results.map(({ state }) => state)]).toEqual([
      1,
      1,
      ['added', 'updated', 'repeated', 'invalid_range', 'invalid_carrier', 'no_country'],
    ]);
    expect((await lookUp('7.7.7.7')).used).toEqual({ country: '中国', region: '云南', city: '大理', carrier: 'mobile' });
    expect((await lookUp('9.9.4.4')).used.city).toBe('大理');
  });
});

test('the visit path reads what is in use aside, and anew when that changes', async () => {
  const faults: unknown[] = [];
  const visitors = createVisitors(
    () => openPlacesAside(app.url),
    (error) => faults.push(error),
  );
  const site = { settings: { time_zone: 'Asia/Shanghai' } } as Parameters<typeof visitors.factsOf>[2];
  const needs = { place: true } as Parameters<typeof visitors.factsOf>[1];
  const region = () => visitors.factsOf({ at: now.getTime(), ip: '6.6.6.6', user_agent: '', language: '' }, needs, site)?.region;
  expect(region()).toBeUndefined();
  await new Promise<void>((resolve) => visitors.whenReady(resolve));
  expect(region()).not.toBe('青海');
  await app.call(administrator, 'ip_correction', 'add', { range: '6.6.6.6', country: '中国', region: '青海' });
  const { rows } = await app.pool.query("SELECT count(*) FROM visit_change WHERE kind = 'place'");
  expect(Number(rows[0]?.count)).toBeGreaterThan(0);
  visitors.renew();
  expect(await until(() => region() === '青海', 10_000)).toBe(true);
  expect(faults).toEqual([]);
});

test('without the database the visit path goes on with the built-in lists', async () => {
  const { reader, fault } = await openPlacesAside('postgres://nobody@127.0.0.1:1/none');
  expect(reader.lookup('114.114.114.114').city).toBe('南京');
  expect(fault).toBeTruthy();
});
