import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { groups } from '../../contract/api.ts';
import { languages } from '../../contract/enums.ts';
import type { Group } from '../../contract/kit/call.ts';
import { alwaysLogged } from '../../contract/log-config.ts';
import { exportKinds } from '../jobs/exports.ts';
import { startOperations } from '../jobs/operations.runner.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { createVault } from '../kit/vault.ts';
import { logExport } from './logs.export.ts';
import { applyRetention, clearLogKind } from './logs.remove.ts';
import { sealAll } from './logs.seal.ts';
import { parseTemplate, sentenceOf, titleOf } from './logs.sentence.ts';
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
    expect((await test_app.call(administrator, 'log', 'inquire', { ip: '1.2.3' })).body.fields).toEqual({ ip: 'invalid_ip' });
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
    expect((await details(id)).body.sentence).toBe(`${administrator.account}（以 ${customer.account} 的身份）：域名列表 · 新增`);
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

describe('words', () => {
  test.each(languages)('every change that a call makes has a name in %s', (language) => {
    const types = Object.values(groups as Record<string, Group>).flatMap((group) =>
      Object.entries(group.calls).flatMap(([action, call]) => (call.writes ? [`${group.name}/${action}`] : [])),
    );
    expect([...types, 'admin/login', 'admin/login_failed'].filter((type) => titleOf(type, language) === type)).toEqual([]);
  });

  const payload = {
    ...{ id: 7, at: '2026-01-01T00:00:00.000Z', type: 'a/b', title: 'T', source: 'api', ip: null, before: null, after: { n: 2 } },
    ...{
      user: { id: 1, account: 'li' },
      impersonator: null,
      content: { name: '码', list: [{ url: 'u' }], long: 'x'.repeat(900), html: '<b>' },
    },
  };
  const inChinese = (sentence: string) => sentenceOf(JSON.stringify({ 'zh-CN': sentence }), payload, 'zh-CN');

  test.each([
    ['{{user.account}} 新增了 {{ content.name }}', 'li 新增了 码'],
    ['{{content.list.0.url}} {{after.n}} {{ip}} {{content.missing}} {{before.x.y}}', 'u 2 – – –'],
    ['{{content.html}}', '<b>'],
    ['{{content.constructor}} {{content.__proto__}} {{content.list.length}}', '– – 1'],
    ['{{content.list}}', '[{"url":"u"}]'],
    ['nothing to fill in', 'nothing to fill in'],
  ])('%j makes %j', (sentence, expected) => {
    expect(inChinese(sentence)).toBe(expected);
  });

  test('a long value and a long sentence are cut, whole characters only', () => {
    expect(inChinese('{{content.long}}')).toHaveLength(200);
    expect(inChinese('字'.repeat(3000))).toHaveLength(500);
    expect(inChinese(`${'a'.repeat(498)}🀄🀄`).isWellFormed()).toBe(true);
  });

  test.each([
    '',
    'plain text',
    '{"zh-CN": "unfinished',
    '"a text"',
    '[]',
    'null',
    '{}',
    '{"zh-CN": 7}',
    '{"zh-CN": ""}',
    '{"klingon": "x"}',
    '{"zh-CN": "{{user.account"}',
    '{"zh-CN": "user.account}}"}',
    '{"zh-CN": "{{}}"}',
    '{"zh-CN": "{{user account}}"}',
    '{"zh-CN": "{{user.account;drop}}"}',
    '{"zh-CN": "good", "en-US": "{{"}',
  ])('%j cannot be converted, and says so in the words of the specification', async (template) => {
    expect(parseTemplate(template)).toBeUndefined();
    expect(sentenceOf(template, payload, 'zh-CN')).toBe('转换失败');
    expect(sentenceOf(template, payload, 'en-US')).toBe('Conversion failed');
    for (const [path, input] of [
      ['log_config/add', { type: 'qr_code_list/add', template }],
      ['log_config/convert', { template }],
      ['log_type/update', { type: 'qr_code_list/add', template }],
    ] as const)
      expect((await test_app.send(administrator, path, input)).body.fields).toEqual({ template: 'conversion_failed' });
  });

  test('a rule gives its words to every entry of its type; one that went bad in the database says that it did', async () => {
    const id = await write({ type: 'hold_domain/assign', content: { host: 'a.example' } });
    const sentence = async () => (await details(id)).body.sentence;
    expect(await sentence()).toBe(
      'hold_domain/assign' === titleOf('hold_domain/assign', 'zh-CN') ? `${customer.account}：hold_domain/assign` : expect.any(String),
    );
    await test_app.call(administrator, 'log_config', 'add', { type: '*', template: '{"zh-CN":"任何 {{type}}"}' });
    expect(await sentence()).toBe('任何 hold_domain/assign');
    await test_app.call(administrator, 'log_config', 'add', { type: 'hold_domain/*', template: '{"zh-CN":"组"}' });
    expect(await sentence()).toBe('组');
    await test_app.call(administrator, 'log_type', 'update', {
      type: 'hold_domain/assign',
      template: '{"zh-CN":"{{user.account}} 分配 {{content.host}}"}',
    });
    expect(await sentence()).toBe(`${customer.account} 分配 a.example`);
    expect((await inquire({ type: 'hold_domain/assign' })).content[0]?.sentence).toBe(`${customer.account} 分配 a.example`);
    await test_app.db.execute(sql`UPDATE log_config SET template = '{"zh-CN":' WHERE type = 'hold_domain/assign'`);
    expect(await sentence()).toBe('转换失败');
  });

  test('a template can be tried on the newest entry of a type or on a given one', async () => {
    const [older, newer] = [await write({ type: 'monitor/x', content: { n: 1 } }), await write({ type: 'monitor/x', content: { n: 2 } })];
    const convert = async (input: { type?: string; log_id?: number }) =>
      (await test_app.call(administrator, 'log_config', 'convert', { template: '{"zh-CN":"n={{content.n}}"}', ...input })).body;
    expect(await convert({ type: 'monitor/x' })).toEqual({ sentence: 'n=2', log_id: newer });
    expect(await convert({ log_id: older })).toEqual({ sentence: 'n=1', log_id: older });
    expect((await test_app.call(administrator, 'log_config', 'convert', { template: '{"zh-CN":"x"}', type: 'surely/not' })).status).toBe(
      404,
    );
  });
});

describe('what is kept', () => {
  const config = (input: { type: string; kept?: boolean; retention_days?: number | null }) =>
    test_app.call(administrator, 'log_config', 'add', input);
  const number = async (type: string) => (await test_app.db.execute(sql`SELECT FROM log WHERE type = ${type}`)).rowCount;

  test('a type that is not kept is not written, its group and all others as their rules say', async () => {
    await config({ type: 'tron/*', kept: false });
    await config({ type: 'tron/reveal', kept: true });
    await write({ type: 'tron/collect' });
    await write({ type: 'tron/reveal' });
    expect([await number('tron/collect'), await number('tron/reveal')]).toEqual([0, 1]);
    await config({ type: '*', kept: false });
    await write({ type: 'bill/export' });
    expect(await number('bill/export')).toBe(0);
  });

  test('what decides about power over the system is always kept, by the call and by the database alike', async () => {
    for (const group of alwaysLogged) {
      expect((await config({ type: `${group}/*`, kept: false })).body.fields).toEqual({ kept: 'always_kept' });
      expect((await config({ type: `${group}/update`, retention_days: 29 })).body.fields).toEqual({ retention_days: 'kept_longer' });
      await test_app.db.execute(sql`INSERT INTO log_config (type, kept) VALUES (${`${group}/probe`}, false)`);
      await write({ type: `${group}/probe` });
      expect(await number(`${group}/probe`)).toBe(1);
    }
    await test_app.db.execute(sql`INSERT INTO log_config (type, kept) VALUES ('alike/probe', false)`);
    await write({ type: 'alike/probe' });
    expect(await number('alike/probe')).toBe(0);
  });

  test('types are listed with their number, name, rule and days', async () => {
    await write({ type: 'pay_config/update' });
    await sealAll(test_app.db, vault);
    await write({ type: 'pay_config/update' });
    await config({ type: 'pay_config/*', retention_days: 90 });
    const row = async () => (await test_app.call(administrator, 'log_type', 'inquire', { search: 'pay_config' })).body.content[0];
    expect(await row()).toMatchObject({
      type: 'pay_config/update',
      title: '支付配置 · 修改',
      number: 2,
      retention_days: 90,
      rule: 'pay_config/*',
      kept: true,
    });
    const updated = await test_app.call(administrator, 'log_type', 'update', { type: 'pay_config/update', retention_days: 10 });
    expect(updated.body).toMatchObject({ retention_days: 10, rule: 'pay_config/update', always_kept: false });
    const sorted = (await test_app.call(administrator, 'log_type', 'inquire', { sort: 'number', page_size: 200 })).body.content.map(
      (found) => found.number,
    );
    expect(sorted).toEqual([...sorted].sort((one, other) => other - one));
    expect((await test_app.send(administrator, 'log_type/update', { type: 'Not A Type' })).body.fields).toEqual({ type: 'invalid_format' });
  });

  test('a rule exists once for a type, also when two administrators make it at once, and can be changed and removed', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => config({ type: 'order/*', retention_days: 5 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const made = answers.find(({ status }) => status === 200)?.body;
    expect(answers.find(({ status }) => status === 400)?.body.fields).toEqual({ type: 'taken' });
    const changed = await test_app.call(administrator, 'log_config', 'update', { id: made?.id ?? 0, retention_days: null, remark: 'r' });
    expect(changed.body).toMatchObject({ retention_days: null, remark: 'r', updated_by_account: administrator.account });
    expect((await test_app.call(administrator, 'log_config', 'remove', { ids: [made?.id ?? 0] })).body.affected).toBe(1);
    expect((await test_app.call(administrator, 'log_config', 'update', { id: made?.id ?? 0 })).status).toBe(404);
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
    const worker = startOperations({ pool: test_app.pool, url: test_app.url, dataDir: test_app.dataDir, kinds, log: silent });
    const { body } = await test_app.call(administrator, 'log', 'clear', { older_than_days: 60, type: 'telegram/x' });
    const operation = await vi.waitFor(async () => {
      const row = (await test_app.call(administrator, 'async_operations', 'inquire', { ids: [body.operation_id] })).body.content[0];
      expect(row?.status).toBe(2);
      return row;
    }, 10_000);
    expect(operation?.message).toBe('已清理 1 行');
    expect(await present(old, other, young)).toEqual([other, young]);
    expect((await verifyLog(test_app.db, vault)).faults).toEqual([]);
    expect((await inquire({ type: 'log/clear' })).content[0]?.sentence).toBe(`${administrator.account}：日志 · 清空`);

    const exported = await test_app.call(administrator, 'log', 'export', {
      type: 'telegram/*',
      format: 'csv',
      columns: ['id', 'type', 'sentence', 'content'],
    });
    const link = await vi.waitFor(async () => {
      const answer = await test_app.call(administrator, 'async_operations', 'link', { id: exported.body.operation_id });
      expect(answer.status).toBe(200);
      return answer.body.url;
    }, 10_000);
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
