import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { createAgentCache } from '../facts/agent.ts';
import type { ModelName } from '../facts/models.ts';
import { openPlaces } from '../facts/place.ts';
import { readModelNames } from '../facts/versions.ts';
import { inconsistencies } from '../testing/consistency.ts';
import { loadVisits } from '../testing/loading.ts';
import { countUnknownModels, moveRenamedAgents } from './device-model.jobs.ts';

const places = openPlaces();
const zone = 'Asia/Shanghai';
const agentOf = (code: string) =>
  `Mozilla/5.0 (Linux; Android 12; ${code} Build/X; wv) Chrome/99.0 Mobile Safari/537.36 MicroMessenger/8.0.40`;

let app: TestApp;
let administrator: TestUser;
let customer: TestUser;
let live_code_id: number;
const client = () => new pg.Client({ connectionString: app.url });

beforeAll(async () => {
  app = await createTestApp();
  administrator = await app.makeUser('administrator');
  customer = await app.makeUser('customer');
  live_code_id = (await app.call(customer, 'qr_code_list', 'add', { name: 'seen', targets: [{ kind: 'text', content: 'x' }] })).body.id;
});
afterAll(() => app.close());

/** Visits as a loader of the product loads them: with the names that administrators gave. */
async function visit(codes: readonly string[]): Promise<void> {
  const names = new Map<string, ModelName>();
  const agents = createAgentCache(100, names);
  await loadVisits(
    app.url,
    codes.map((code, index) => visitOf({ at: Date.now() - index, live_code_id, ip: `8.8.${index}.8`, user_agent: agentOf(code) })),
    {
      placeOf: places.lookup,
      agentOf: agents.describe,
      renew: async (on) => {
        await readModelNames(on, names);
        agents.clear();
      },
    },
  );
}
const list = async (input = {}) =>
  (await app.call(administrator, 'device_model', 'inquire', { sort: 'visits', order: 'desc', ...input })).body.content;
const name = (id: number, brand: string, given: string) => app.call(administrator, 'device_model', 'update', { id, brand, name: given });
const rows = async () => (await app.call(customer, 'qr_code_access', 'inquire', { live_code_id, page_size: 200 })).body.content;
const brands = async () => {
  const { brand } = (await app.call(customer, 'today_statistics', 'inquire', { live_code_ids: [live_code_id] })).body.breakdowns;
  return Object.fromEntries(brand.map(({ value, visits }) => [value, visits]));
};
async function differences(): Promise<string[]> {
  const on = client();
  await on.connect();
  try {
    return await inconsistencies(on, zone);
  } finally {
    await on.end();
  }
}

test('codes that nobody knows are listed by their visits; a name reaches past and future visits, and figures stay equal to rows', async () => {
  await visit(['XYZ-9001', 'XYZ-9001', 'XYZ-9001', 'QQ-7777', 'NOH-AN00']);
  await countUnknownModels(app.pool);
  const [first, second, ...others] = await list();
  expect([first?.code, first?.visits, second?.code, second?.visits, others]).toEqual(['XYZ-9001', 3, 'QQ-7777', 1, []]);
  expect(first).toMatchObject({ brand: '', name: '', named_at: null });

  const named = (await name(first?.id ?? 0, 'Xyz', 'Xyz One')).body;
  expect(named).toMatchObject({ brand: 'Xyz', name: 'Xyz One', named_by_account: administrator.account });
  const old = (await rows()).filter(({ model }) => model === 'XYZ-9001');
  expect(old.map(({ model_name }) => model_name)).toEqual(['Xyz One', 'Xyz One', 'Xyz One']);
  expect(await differences()).toEqual([]);

  await visit(['XYZ-9001']);
  expect(await brands()).toMatchObject({ Xyz: 1 });
  expect(await differences()).toEqual([]);

  expect(await moveRenamedAgents(app.pool, zone)).toBe(1);
  expect(await brands()).toMatchObject({ Xyz: 4, Huawei: 1 });
  expect((await rows()).filter(({ brand }) => brand === 'Xyz')).toHaveLength(4);
  expect(await differences()).toEqual([]);
});

test('a name is changed and taken back, and nothing is counted twice', async () => {
  const [known] = await list({ search: 'xyz-9001' });
  await name(known?.id ?? 0, 'Other', 'Other One');
  await name(known?.id ?? 0, '', '');
  await visit(['XYZ-9001']);
  await moveRenamedAgents(app.pool, zone);
  expect(await brands()).toEqual({ '': 6, Huawei: 1 });
  expect((await list({ search: 'xyz-9001' }))[0]).toMatchObject({ brand: '', name: '', named_at: null, named_by_account: null });
  expect(await differences()).toEqual([]);
});

test('customers neither see nor name codes', async () => {
  expect((await app.send(customer, 'device_model/inquire', {})).status).toBe(403);
  expect((await app.send(customer, 'device_model/update', { id: 1, brand: 'a', name: 'b' })).status).toBe(403);
});
