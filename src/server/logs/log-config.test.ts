import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../../contract/api.ts';
import { languages } from '../../contract/enums.ts';
import type { Group } from '../../contract/kit/call.ts';
import { alwaysLogged } from '../../contract/system/log-config.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { createVault } from '../kit/vault.ts';
import { sealAll } from './logs.seal.ts';
import { parseTemplate, sentenceOf, titleOf } from './logs.sentence.ts';

const vault = createVault(Buffer.alloc(32, 5));
let test_app: TestApp;
let administrator: TestUser;
let customer: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  [administrator, customer] = await Promise.all([test_app.makeUser('administrator'), test_app.makeUser('customer')]);
});
afterEach(() => test_app.db.execute(sql`DELETE FROM log_config`));
afterAll(() => test_app.close());

async function write({ type, content = {} }: { type: string; content?: unknown }): Promise<number> {
  const { rows } = await test_app.db.execute<{ id: number }>(
    sql`INSERT INTO log (type, user_id, content) VALUES (${type}, ${customer.id}, ${JSON.stringify(content)}) RETURNING id`,
  );
  return rows[0]?.id ?? 0;
}
const details = (id: number) => test_app.call(administrator, 'log', 'details', { id });

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
    expect(await sentence()).toEqual(expect.stringContaining(titleOf('hold_domain/assign', 'zh-CN')));
    await test_app.call(administrator, 'log_config', 'add', { type: '*', template: '{"zh-CN":"任何 {{type}}"}' });
    expect(await sentence()).toBe('任何 hold_domain/assign');
    await test_app.call(administrator, 'log_config', 'add', { type: 'hold_domain/*', template: '{"zh-CN":"组"}' });
    expect(await sentence()).toBe('组');
    await test_app.call(administrator, 'log_type', 'update', {
      type: 'hold_domain/assign',
      template: '{"zh-CN":"{{user.account}} 分配 {{content.host}}"}',
    });
    expect(await sentence()).toBe(`${customer.account} 分配 a.example`);
    expect((await test_app.call(administrator, 'log', 'inquire', { type: 'hold_domain/assign' })).body.content[0]?.sentence).toBe(
      `${customer.account} 分配 a.example`,
    );
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
