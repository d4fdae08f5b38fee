import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { exportKinds } from '../jobs/exports.ts';
import { startOperations } from '../jobs/operations.runner.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { startOnBus } from '../kit/testing/on-bus.ts';
import { createVault } from '../kit/vault.ts';
import { logExport } from './logs.export.ts';
import { applyRetention, clearLogKind } from './logs.remove.ts';
import { sealAll } from './logs.seal.ts';
import { verifyLog } from './logs.verify.ts';

const vault = createVault(Buffer.alloc(32, 5));
const silent = { info: () => {}, warn: () => {}, error: () => {} };
let test_app: TestApp;
let administrator: TestUser;
let customer: TestUser;
let agent: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  [administrator, customer, agent] = await Promise.all([
    test_app.makeUser('administrator'),
    test_app.makeUser('customer'),
    test_app.makeUser('agent'),
  ]);
});
afterEach(() => test_app.db.execute(sql`DELETE FROM log_config`));
afterAll(() => test_app.close());

type Entry = {
  type?: string;
  user_id?: number | null;
  at?: string;
  ip?: string;
  content?: unknown;
  changes?: unknown;
  impersonator_id?: number;
};
async function write({
  type = 'domain_list/add',
  user_id = customer.id,
  at,
  ip = '203.0.113.7',
  content = {},
  changes = null,
  impersonator_id,
}: Entry = {}) {
  const { rows } = await test_app.db.execute<{ id: number }>(sql`
    INSERT INTO log (type, user_id, impersonator_id, at, ip, content, changes, source, user_agent)
    VALUES (${type}, ${user_id}, ${impersonator_id ?? null}, ${at ?? new Date().toISOString()}, ${ip}, ${JSON.stringify(content)},
      ${changes === null ? null : JSON.stringify(changes)}::jsonb, 'api', 'agent') RETURNING id`);
  return rows[0]?.id ?? 0;
}
const inquire = async (input: Parameters<typeof test_app.call<'log', 'inquire'>>[3] = {}, as = administrator) =>
  (await test_app.call(as, 'log', 'inquire', input)).body;
const details = async (id: number, as = administrator) => test_app.call(as, 'log', 'details', { id });
const giveLog = async () => {
  await test_app.db.execute(sql`
    INSERT INTO role_node SELECT role.id, permission_node.id FROM role, permission_node WHERE role.kind = 'agent' AND key IN ('log', 'log.export') ON CONFLICT DO NOTHING`);
  await test_app.db.execute(sql`UPDATE role SET version = version + 1 WHERE kind = 'agent'`);
};

describe('the list', () => {
  test('filters by user, type, group of types, address, network and days of the site', async () => {
    const ids = {
      old: await write({ type: 'rotation/add', at: '2024-05-01T15:59:59Z', ip: '198.51.100.1' }),
      next: await write({ type: 'rotation/update', at: '2024-05-01T16:00:00Z', ip: '198.51.100.2' }),
      similar: await write({ type: 'rotation_type/add', at: '2024-05-02T00:00:00Z', ip: '2001:db8::1', user_id: agent.id }),
    };
    const found = async (input: Parameters<typeof inquire>[0]) =>
      (await inquire({ to: '2024-12-31', ...input })).content.map((row) => row.id);
    expect(await found({})).toEqual([ids.similar, ids.next, ids.old]);
    expect(await found({ order: 'asc' })).toEqual([ids.old, ids.next, ids.similar]);
    expect(await found({ type: 'rotation/add' })).toEqual([ids.old]);
    expect(await found({ type: 'rotation/*' })).toEqual([ids.next, ids.old]);
    expect(await found({ ip: '198.51.100.2' })).toEqual([ids.next]);
    expect(await found({ ip: '198.51.100.0/24' })).toEqual([ids.next, ids.old]);
    expect(await found({ ip: '2001:DB8:0::1' })).toEqual([ids.similar]);
    expect(await found({ user_id: agent.id })).toEqual([ids.similar]);
    // In Shanghai the second row is of the next day.
    expect(await found({ from: '2024-05-01', to: '2024-05-01' })).toEqual([ids.old]);
    expect(await found({ from: '2024-05-02', to: '2024-05-02' })).toEqual([ids.similar, ids.next]);
    expect((await test_app.call(administrator, 'log', 'inquire', { ip: '1.2.3.4.5' })).body.fields).toEqual({ ip: 'invalid_ip' });
    for (let length = 1; length < '198.51.100.2'.length; length += 1)
      expect(await found({ ip: '198.51.100.2'.slice(0, length) })).toEqual([ids.next, ids.old]);
    for (const typed of ['2001', '2001:', '2001:d', '2001:db8', '2001:db8:', '2001:0db8:0'])
      expect(await found({ ip: typed })).toEqual([ids.similar]);
    expect(await found({ ip: '19' })).toEqual([ids.next, ids.old]);
    expect(await found({ ip: '198.51.100.3' })).toEqual([]);
    expect(await found({ ip: '98' })).toEqual([]);
  });

  test('tells every total as it is, sealed or not, and says where it stops counting', async () => {
    const total = async (input: Parameters<typeof inquire>[0]) => {
      const page = await inquire({ page_size: 1, ...input });
      return [page.total, page.at_least];
    };
    const counted = async (where = sql`true`) =>
      (await test_app.db.execute<{ n: number }>(sql`SELECT count(*) AS n FROM log WHERE ${where}`)).rows[0]?.n;
    await write({ type: 'forward/add' });
    expect(await total({})).toEqual([await counted(), false]);
    await sealAll(test_app.db, vault);
    await write({ type: 'forward/add' });
    expect(await total({})).toEqual([await counted(), false]);
    expect(await total({ type: 'forward/add' })).toEqual([2, false]);
    expect(await total({ type: 'forward/*' })).toEqual([2, false]);
    await test_app.db.execute(
      sql`INSERT INTO log (type, user_id, content) SELECT 'forward/many', ${customer.id}, '{}' FROM generate_series(1, 10001)`,
    );
    expect(await total({ type: 'forward/many' })).toEqual([10_001, false]);
    expect(await total({ user_id: customer.id })).toEqual([10_000, true]);
    expect(await total({ type: 'surely/not' })).toEqual([0, false]);
  });

  test('whoever has the screen but sees only his own people finds only what those did', async () => {
    await giveLog();
    const child = await test_app.makeUser('customer', { superior_id: agent.id });
    const own = await write({ user_id: child.id, type: 'short_code/add' });
    const foreign = await write({ user_id: customer.id, type: 'short_code/add', content: { name: 'of somebody else' } });
    const nobody = await write({ user_id: null, type: 'short_code/add' });
    expect((await inquire({ type: 'short_code/add' }, agent)).content.map((row) => row.id)).toEqual([own]);
    expect((await inquire({ type: 'short_code/add' }, agent)).total).toBe(1);
    for (const id of [foreign, nobody]) expect((await details(id, agent)).status).toBe(404);
    expect((await details(own, agent)).status).toBe(200);
    const converted = await test_app.send(agent, 'log_config/convert', { template: '{"en-US":"{{content}}"}', log_id: foreign });
    expect(converted.status).toBe(403);
    expect((await inquire({ type: 'short_code/add' })).total).toBe(3);
  });

  test('customers see nothing of it', async () => {
    for (const path of ['log/inquire', 'log/chain', 'log_type/inquire', 'log_config/inquire'])
      expect((await test_app.send(customer, path, {})).status).toBe(403);
  });
});

describe('an entry', () => {
  test('tells what was there before and after, place by place', async () => {
    const id = await write({
      content: { id: 1 },
      changes: {
        before: { name: 'old', same: 1, targets: [{ content: 'a' }, { content: 'b' }], gone: true },
        after: { name: 'new', same: 1, targets: [{ content: 'a' }, { content: 'c' }], added: null },
      },
    });
    const { body } = await details(id);
    expect(body.content).toEqual({ id: 1 });
    expect(body.differences.sort((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
      { path: 'added', after: null },
      { path: 'gone', before: true },
      { path: 'name', before: 'old', after: 'new' },
      { path: 'targets.1.content', before: 'b', after: 'c' },
    ]);
    expect(body).toMatchObject({ has_changes: true, sealed: false });
    await sealAll(test_app.db, vault);
    expect((await details(id)).body.sealed).toBe(true);
    expect((await details(9_999_999)).status).toBe(404);
  });

  test('of whoever acted as somebody else names both', async () => {
    const id = await write({ impersonator_id: administrator.id });
    expect((await details(id)).body).toMatchObject({ user_account: customer.account, impersonator_account: administrator.account });
    expect((await details(id)).body.sentence).toBe(`${administrator.account}（以 ${customer.account} 的身份）：域名列表 · 新建`);
  });

  test('with a content of a megabyte does not make the list slow or large', async () => {
    const id = await write({ type: 'script/add', content: { body: Array.from({ length: 40_000 }, (_, index) => `line ${index * 7919}`) } });
    const page = await inquire({ type: 'script/add' });
    expect(JSON.stringify(page).length).toBeLessThan(2000);
    expect(((await details(id)).body.content as { body: string[] }).body).toHaveLength(40_000);
  });

  test('of a user who is gone, or of nobody, is told all the same', async () => {
    const id = await write({ user_id: 9_999_999, type: 'home_page_config/update' });
    expect((await details(id)).body).toMatchObject({ user_account: null, sentence: '未登录者：首页配置 · 修改' });
  });
});

describe('removing', () => {
  const day = 86_400_000;
  const ago = (days: number) => new Date(Date.now() - days * day).toISOString();
  const present = async (...ids: number[]) =>
    (await test_app.db.execute<{ id: number }>(sql`SELECT id FROM log WHERE id = ANY(${sql.param(ids)}::bigint[]) ORDER BY id`)).rows.map(
      (row) => row.id,
    );

  test('retention takes what is older than its rule says and leaves a chain without faults', async () => {
    await test_app.db.execute(
      sql`INSERT INTO log_config (type, kept, retention_days) VALUES ('usdt/*', true, 10), ('usdt/off', false, NULL), ('role/add', true, 1)`,
    );
    const ids = {
      expired: await write({ type: 'usdt/a', at: ago(11) }),
      fresh: await write({ type: 'usdt/a', at: ago(9) }),
      byDefault: await write({ type: 'usage/b', at: ago(366) }),
      keptByDefault: await write({ type: 'usage/b', at: ago(364) }),
      protected: await write({ type: 'role/add', at: ago(29) }),
      unprotected: await write({ type: 'role/add', at: ago(31) }),
    };
    await sealAll(test_app.db, vault);
    await applyRetention(test_app.db, vault, { now: new Date(), log_retention_days: 365 });
    expect(await present(...Object.values(ids))).toEqual([ids.fresh, ids.keptByDefault, ids.protected]);
    expect((await verifyLog(test_app.db, vault)).faults).toEqual([]);
  });

  test('clearing by age is an operation that says how many went, and nothing younger than a week can go', async () => {
    const refused = await test_app.send(administrator, 'log/clear', { older_than_days: 6 });
    expect([refused.status, refused.body.fields]).toEqual([400, { older_than_days: 'too_small' }]);
    const [old, other, young] = [
      await write({ type: 'telegram/x', at: ago(100) }),
      await write({ type: 'telegram/y', at: ago(100) }),
      await write({ type: 'telegram/x', at: ago(50) }),
    ];
    await sealAll(test_app.db, vault);
    const kinds = [clearLogKind(vault), ...exportKinds([logExport])];
    const { pool, url, dataDir } = test_app;
    const worker = startOnBus(url, (bus) => startOperations({ pool, bus, dataDir, kinds, log: silent }));
    const { body } = await test_app.call(administrator, 'log', 'clear', { older_than_days: 60, type: 'telegram/x' });
    const operation = await eventually(async () => {
      const row = (await test_app.call(administrator, 'async_operations', 'inquire', { ids: [body.operation_id] })).body.content[0];
      expect(row?.status).toBe(2);
      return row;
    });
    expect(operation?.message).toBe('已清理 1 行');
    expect(await present(old, other, young)).toEqual([other, young]);
    expect((await verifyLog(test_app.db, vault)).faults).toEqual([]);
    expect((await inquire({ type: 'log/clear' })).content[0]?.sentence).toBe(`${administrator.account}：日志 · 清空`);

    const exported = await test_app.call(administrator, 'log', 'export', {
      type: 'telegram/*',
      format: 'csv',
      columns: ['id', 'type', 'sentence', 'content'],
    });
    const link = await eventually(async () => {
      const answer = await test_app.call(administrator, 'async_operations', 'link', { id: exported.body.operation_id });
      expect(answer.status).toBe(200);
      return answer.body.url;
    });
    const lines = (await test_app.app.inject({ url: link })).body.split('\r\n');
    expect(lines).toEqual([
      '\ufeff编号,类型,内容,提交内容',
      `${young},telegram/x,${customer.account}：telegram/x,{}`,
      `${other},telegram/y,${customer.account}：telegram/y,{}`,
      '',
    ]);
    await worker.stop();
  });

  test('a wrong filter of an export is told at once', async () => {
    expect((await test_app.call(administrator, 'log', 'export', { ip: 'nonsense', format: 'csv' })).body.fields).toEqual({
      ip: 'invalid_ip',
    });
    expect((await test_app.send(administrator, 'log/export', { format: 'docx' })).status).toBe(400);
  });
});

test('the chain can be looked at, and its head noted', async () => {
  await write();
  await sealAll(test_app.db, vault);
  await write();
  const { body } = await test_app.call(administrator, 'log', 'chain', {});
  expect(body).toMatchObject({ unsealed: 1, head: expect.stringMatching(/^\d+:[0-9a-f]{64}$/), sealed_at: expect.any(String) });
  expect((await verifyLog(test_app.db, vault, body.head ?? '')).faults).toEqual([]);
});
