import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { groups } from '../contract/api.ts';
import type { Call, Group } from '../contract/kit/call.ts';
import { exportSources } from './administration.ts';
import { createTestApp, type TestApp, type TestUser } from './kit/testing/app.ts';
import { exportJobOf } from './kit/testing/export-job.ts';

type Schema = { type?: string; properties?: Record<string, Schema>; enum?: unknown[]; const?: unknown; anyOf?: Schema[]; format?: string };
type Filters = Record<string, unknown>;
type Case = { source: string; list: string; export: string; body: (filters: Filters, as: TestUser) => object };

/** Every export, with the list that has the same filters. */
const cases: readonly Case[] = [
  {
    source: 'domain_resolution',
    list: 'export_domain_resolution/inquire',
    export: 'export_domain_resolution/export',
    body: (filters) => ({ filters, format: 'csv' }),
  },
  { source: 'log', list: 'log/inquire', export: 'log/export', body: (filters) => ({ ...filters, format: 'csv' }) },
  {
    source: 'code',
    list: 'qr_code_list/inquire',
    export: 'qr_code_list/export',
    // An administrator may export all; his own list holds his own.
    body: (filters, { id }) => ({ ...filters, owner_id: id, format: 'csv' }),
  },
  {
    source: 'mall_product',
    list: 'mall_product_list/inquire',
    export: 'mall_product_list/export',
    body: (filters) => ({ ...filters, format: 'csv' }),
  },
  {
    source: 'mall_purchase',
    list: 'mall_product_list/purchases',
    export: 'mall_product_list/export_purchases',
    body: (filters) => ({ ...filters, format: 'csv' }),
  },
  { source: 'code', list: 'qr_code_list/user_inquire', export: 'qr_code_list/export', body: (filters) => ({ ...filters, format: 'csv' }) },
];

/** The rows of one list of the caller's, which has to be named: `detection/lists/lists.test.ts`; the visits of one code: `visits/statistics/access-records.test.ts`. */
const testedApart = { sources: ['block_check', 'access_records'], calls: ['wx_shield_detection/export'] };

const allGroups = groups as Record<string, Group>;
function callOf(path: string): Call {
  const [group = '', action = ''] = path.split('/');
  const call = allGroups[group]?.calls[action];
  if (!call) throw new Error(`${path} is no call`);
  return call;
}
const schemaOf = (path: string): Schema => z.toJSONSchema(callOf(path).input, { io: 'input', unrepresentable: 'any' }) as Schema;
const filtersOf = (path: string): [string, Schema][] =>
  Object.entries(schemaOf(path).properties ?? {}).filter(([key]) => !['page', 'page_size', 'sort', 'order'].includes(key));

let test_app: TestApp;
let administrator: TestUser;
let customer: TestUser;

beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('super');
  customer = await test_app.makeUser('customer');
  await allowCustomers();
  const other = await test_app.makeUser('customer');
  for (const owner of [customer, other, administrator]) await makeRowsOf(owner);
  await makeProducts();
});
afterAll(() => test_app.close());

/** Customers may look at every one of the lists: what they see there is a question of scope, not of rights. */
async function allowCustomers(): Promise<void> {
  const nodes = ['log', 'log.export', 'qr_code_list_admin', 'qr_code_list_admin.export', 'mall_product_list', 'mall_product_list.export'];
  await test_app.db.execute(sql`
    INSERT INTO role_node (role_id, node_id) SELECT role.id, node.id FROM role, permission_node AS node
    WHERE role.kind = 'customer' AND role.built_in AND node.key = ANY(${sql.param(nodes)}::text[]) ON CONFLICT DO NOTHING`);
}

/** Codes and domains of which each filter finds some and leaves some out; the log tells of all that. */
async function makeRowsOf(owner: TestUser): Promise<void> {
  const { call, db } = test_app;
  const hosts = ['a', 'b', 'c', 'd'].map((name) => `${name}${owner.id}.example.com`);
  for (const [index, host] of hosts.entries())
    await call(owner, 'domain_list', 'add', { host, type: index < 2 ? 1 : 2, holder_id: owner.id, remark: `备注 ${index}` });
  const { rows: domains } = await db.execute<{ id: number; type: number }>(
    sql`SELECT id::float8 AS id, type FROM domain WHERE holder_id = ${owner.id} ORDER BY id`,
  );
  await db.execute(sql`UPDATE domain SET enabled = false WHERE id = ${domains[3]?.id}`);
  await db.execute(sql`
    INSERT INTO domain_check (domain_id, dns_state, records, checked_at)
    SELECT id, (ARRAY['here', 'partly', 'elsewhere', 'nothing', 'unknown', 'failed'])[1 + (row_number() OVER (ORDER BY id) + ${owner.id}) % 6],
      '{"a": ["203.0.113.7"], "aaaa": [], "cname": [], "error": null}', now()
    FROM domain WHERE holder_id = ${owner.id} ON CONFLICT (domain_id) DO UPDATE SET dns_state = excluded.dns_state, records = excluded.records`);
  await makeCodesOf(owner, domains);
}

/** Acts that made codes, for the filter of what an act changed. */
const acts: string[] = [];

async function makeCodesOf(owner: TestUser, domains: readonly { id: number; type: number }[]): Promise<void> {
  const { call, db } = test_app;
  const [entry, landing] = [1, 2].map((type) => domains.find((domain) => domain.type === type)?.id ?? null);
  const group = (await call(owner, 'group', 'add', { name: '春季' })).body.id;
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const target = { kind: 'url' as const, content: 'https://example.com/' };
  const variants = [
    { name: '海报一', group_id: group, targets: [target] },
    { name: '海报二 100%', remark: '门店', entry_domain_id: entry, targets: [target] },
    { name: 'ending', expires_at: soon, targets: [target] },
    { name: 'third', landing_domain_id: landing, targets: [{ ...target, content: 'https://example.com/3', expires_at: soon }] },
    { name: 'fourth', open_log: true, rotation_mode: 2 as const, targets: [{ ...target, content: 'https://example.com/4', threshold: 1 }] },
    { name: 'fifth', open: false, rotation_mode: 3 as const, targets: [{ ...target, content: 'https://example.com/5' }] },
  ];
  for (const variant of variants) expect((await call(owner, 'qr_code_list', 'add', variant)).status).toBe(200);
  const made = await db.execute<{ change_id: string }>(sql`SELECT change_id FROM live_code_version WHERE owner_id = ${owner.id} LIMIT 1`);
  acts.push(...made.rows.map(({ change_id }) => change_id));
  const { content } = (await call(owner, 'qr_code_list', 'inquire', { search: 'f' })).body;
  await db.execute(sql`UPDATE live_code SET access_mode = 2, restriction_visit = 2 WHERE owner_id = ${owner.id} AND name = 'third'`);
  await db.execute(sql`UPDATE target_quota SET remaining = 0 FROM live_code_target AS target
    WHERE target.id = target_id AND target.live_code_id = ANY(${sql.param(content.map(({ id }) => id))}::bigint[])`);
  const internal = await db.execute<{ id: number }>(sql`
    INSERT INTO code_group (name) VALUES (${`内部 ${owner.id}`}) RETURNING id`);
  await db.execute(sql`UPDATE live_code SET internal_group_id = ${internal.rows[0]?.id} WHERE owner_id = ${owner.id} AND name = 'fifth'`);
  const removed = (await call(owner, 'qr_code_list', 'add', { name: 'in the bin', targets: [target] })).body.id;
  await call(owner, 'qr_code_list', 'update_remove', { ids: [removed], removed: true });
}

/** Products of the site, of which each filter finds some. */
async function makeProducts(): Promise<void> {
  const { call } = test_app;
  const category = await call(administrator, 'mall_category_list', 'add', { titles: [{ language: 'zh-CN', title: '灯' }] });
  const brand = await call(administrator, 'mall_brand_list', 'add', { name: 'Lumen' });
  const variants = [{ options: [], price: '1', stock: 2 }];
  await call(administrator, 'mall_product_list', 'add', { name: '台灯', category_id: category.body.id, home_recommend: true, variants });
  await call(administrator, 'mall_product_list', 'add', { name: '吊灯 100%', brand_id: brand.body.id, ranking_recommend: true, variants });
  const { body } = await call(administrator, 'mall_product_list', 'add', {
    name: '落地灯',
    variants: [{ options: [], sku: 'L-100', price: '3', stock: 20 }],
  });
  for (const [quantity, back] of [
    [2, 0],
    [3, 1],
    [1, 1],
  ] as const) {
    const bought = await call(administrator, 'mall', 'purchase', { variant_id: body.variants[0]?.id ?? 0, quantity });
    if (back > 0) await call(administrator, 'mall', 'give_back', { id: bought.body.id, quantity: back });
  }
  const gone = [{ options: [], price: '1', stock: 0 }];
  await call(administrator, 'mall_product_list', 'add', { name: '灯泡', enabled: false, variants: gone });
}

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

/** Values of a filter: each of a choice, and what the rows hold, in whole and in part; one that nothing fits. */
function valuesOf(key: string, schema: Schema, rows: readonly Filters[]): unknown[] {
  const choices = schema.anyOf ?? [schema];
  return choices.flatMap((choice): unknown[] => {
    if (choice.const !== undefined) return [choice.const];
    if (choice.enum) return choice.enum;
    if (choice.type === 'boolean') return [true, false];
    // No row tells the act that made it; each has one of its own.
    if (choice.format === 'uuid') return [...acts, crypto.randomUUID()];
    if (choice.format === 'date') return [day(-2), day(0), day(2)];
    const held = [...new Set(rows.flatMap((row) => heldValues(key, row)))];
    if (choice.type === 'integer' || choice.type === 'number')
      return [...held.filter((value) => typeof value === 'number').slice(0, 3), customer.id, 987_654_321];
    if (choice.type !== 'string') throw new Error(`the filter ${key} has values of a kind that this test cannot make`);
    const texts = held.filter((value): value is string => typeof value === 'string' && value !== '').slice(0, 3);
    const parts = key === 'ip' ? [] : texts.map((value) => value.slice(1, 4)).filter((part) => part.trim() !== '');
    const groupsOfTypes = key === 'type' ? texts.map((value) => value.replace(/\/.*/, '/*')) : [];
    return [...texts, ...parts, ...groupsOfTypes, ...(key === 'ip' ? ['127.0.0.0/8'] : ['%', 'surely nothing'])];
  });
}

/** What a row says of a filter; a group stands in a row as an object, and a search looks at several fields. */
function heldValues(key: string, row: Filters): unknown[] {
  const value = row[key] ?? row[key.replace(/_id$/, '')];
  if (key === 'search') return ['name', 'file_name', 'remark'].map((field) => row[field]);
  return [typeof value === 'object' && value !== null && 'id' in value ? value.id : value];
}

/** Whether the list counts what the export has. Asked for first: an export is an entry of the log, which the list then shows, too. */
async function compare({ source: name, ...one }: Case, as: TestUser, filters: Filters): Promise<number> {
  const told = `${one.list} ${JSON.stringify(filters)}`;
  const started = await test_app.send(as, one.export, one.body(filters, as));
  expect([started.status, started.body], told).toEqual([200, { operation_id: expect.any(Number) }]);
  const listed = await test_app.send(as, one.list, { ...filters, page_size: 1 });
  expect([listed.status, listed.body.code], told).toEqual([200, undefined]);
  const { rows } = await test_app.db.execute<{ kind: string; input: { filters: unknown } }>(
    sql`DELETE FROM async_operation WHERE id = ${started.body.operation_id} RETURNING kind, input`,
  );
  const source = exportSources.find((each) => `${each.name}_export` === rows[0]?.kind);
  expect(source?.name).toBe(name);
  const opened = await source?.open(rows[0]?.input.filters, await exportJobOf(test_app, as));
  const read = await Array.fromAsync(opened?.portions ?? []);
  const exported = { total: opened?.total, rows: read.reduce((sum, portion) => sum + portion.rows, 0) };
  expect(exported, told).toEqual({ total: listed.body.total, rows: listed.body.total });
  return Number(listed.body.total);
}

describe.each(cases)('the export of $list', (one) => {
  test('takes every filter of the list', () => {
    const properties = schemaOf(one.export).properties ?? {};
    expect(Object.keys(properties.filters?.properties ?? properties)).toEqual(
      expect.arrayContaining(filtersOf(one.list).map(([key]) => key)),
    );
  });

  const tagsOf = (who: string) => (who === 'administrator' ? 'full' : []);
  for (const who of ['administrator', 'customer'])
    test(`has what the list shows, with each filter and with two at once, for the ${who}`, { tags: tagsOf(who) }, () =>
      expectSameAsList(who),
    );

  async function expectSameAsList(who: string): Promise<void> {
    const as = who === 'administrator' ? administrator : customer;
    const all = await compare(one, as, {});
    expect(all).toBeGreaterThan(0);
    const { content } = (await test_app.send(as, one.list, { page_size: 200 })).body as { content: Filters[] };
    const values = filtersOf(one.list).map(([key, schema]) => ({ key, values: valuesOf(key, schema, content) }));
    const idle: string[] = [];
    for (const { key, values: tried } of values) {
      const totals: number[] = [];
      for (const value of tried) totals.push(await compare(one, as, { [key]: value }));
      if (!totals.some((total) => total > 0)) idle.push(key);
    }
    for (const [
      index,
      {
        key,
        values: [first],
      },
    ] of values.entries()) {
      const next = values[(index + 1) % values.length];
      if (next && next.key !== key) await compare(one, as, { [key]: first, [next.key]: next.values[0] });
    }
    expect(idle).toEqual([]);
  }
});

test('every list that can be exported is among these', () => {
  const covered = [...cases.map(({ source }) => source), ...testedApart.sources];
  expect(exportSources.map(({ name }) => name).filter((name) => !covered.includes(name))).toEqual([]);
  const calls = Object.values(allGroups).flatMap(({ name, calls: own }) => (own.export ? [`${name}/export`] : []));
  expect(calls.filter((path) => !testedApart.calls.includes(path) && !cases.some((one) => one.export === path))).toEqual([]);
});
