import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TargetInput } from '../../../contract/codes/live-code.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { expectWithin } from '../../kit/testing/within.ts';

let app: TestApp;
let owner: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  owner = await app.makeUser('customer');
  stranger = await app.makeUser('customer');
});
afterAll(() => app.close());

const url = (name: string, more: Partial<TargetInput> = {}): TargetInput => ({
  kind: 'url',
  content: `https://example.com/${name}`,
  name,
  ...more,
});
async function addCode(targets: TargetInput[], more: object = {}) {
  const { status, body } = await app.call(owner, 'qr_code_list', 'add', { name: 'tried', targets, ...more });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}
const tryOut = (input: Parameters<typeof app.call<'qr_code_list', 'test_visit'>>[3], user = owner) =>
  app.call(user, 'qr_code_list', 'test_visit', input);
const simulate = (input: Parameters<typeof app.call<'qr_code_list', 'simulate'>>[3], user = owner) =>
  app.call(user, 'qr_code_list', 'simulate', input);

describe('rules', () => {
  test('are kept with their target, changed with it and taken off with null', async () => {
    const rules = [{ systems: ['ios' as const], hours: [9, 10] }, { regions: ['浙江'] }];
    const code = await addCode([url('a', { rules }), url('b')], { same_target: true });
    expect(code).toMatchObject({ same_target: true, js_config_ids: [], targets: [{ rules, press_number: 0 }, { rules: null }] });
    const [first, second] = code.targets;
    const change = (targets: TargetInput[]) => app.call(owner, 'qr_code_list', 'update', { id: code.id, targets });
    const kept = await change([url('a', { id: first?.id }), url('b', { id: second?.id, rules: [{ messenger: true }] })]);
    expect(kept.body.targets.map((target) => target.rules)).toEqual([rules, [{ messenger: true }]]);
    const off = await change([url('a', { id: first?.id, rules: null }), url('b', { id: second?.id })]);
    expect(off.body.targets.map((target) => target.rules)).toEqual([null, [{ messenger: true }]]);
  });

  test.each([
    [[], 'targets.0.rules'],
    [[{}], 'targets.0.rules.0'],
    [[{ hours: [24] }], 'targets.0.rules.0.hours.0'],
    [[{ systems: ['symbian'] }], 'targets.0.rules.0.systems.0'],
    [[{ from: '2026-02-30' }], 'targets.0.rules.0.from'],
    [[{ from: '2026-02-03', to: '2026-02-01' }], 'targets.0.rules.0.to'],
    [[{ languages: ['<script>'] }], 'targets.0.rules.0.languages.0'],
    [Array.from({ length: 21 }, () => ({ messenger: true })), 'targets.0.rules'],
    [[{ messenger: true, unknown: true }], 'targets.0.rules.0'],
  ])('%j are refused', async (rules, path) => {
    const { status, body } = await app.call(owner, 'qr_code_list', 'add', { name: 'x', targets: [url('a', { rules: rules as never })] });
    expect({ status, fields: Object.keys((body as { fields?: object }).fields ?? {}) }).toEqual({
      status: 400,
      fields: [expect.stringContaining(path)],
    });
  });

  test('snippets are chosen among the owner’s own', async () => {
    const add = async (user: TestUser) => {
      const { rows } = await app.db.execute<{ id: number }>(
        sql`INSERT INTO js_config (owner_id, name, provider) VALUES (${user.id}, 's', 'code') RETURNING id`,
      );
      return Number(rows[0]?.id);
    };
    const [own, foreign] = [await add(owner), await add(stranger)];
    expect((await addCode([url('a')], { js_config_ids: [own] })).js_config_ids).toEqual([own]);
    const refused = await app.call(owner, 'qr_code_list', 'add', { name: 'x', targets: [url('a')], js_config_ids: [own, foreign] });
    expect(refused).toMatchObject({ status: 400, body: { fields: { js_config_ids: 'unknown_snippet' } } });
  });
});

describe('a test visit', () => {
  test('tells where the visitor goes and why, by what his address says', async () => {
    const code = await addCode([
      url('zj', { rules: [{ regions: ['浙江'], carriers: ['telecom'] }] }),
      url('all'),
      url('off', { enabled: false }),
    ]);
    const near = await tryOut({ id: code.id, visitor: { ip: '115.236.1.1', at: '2026-06-01T16:30:00.000Z' } });
    expect(near).toMatchObject({
      status: 200,
      body: {
        outcome: 'passed',
        target: 0,
        visitor: {
          country: '中国',
          region: '浙江',
          carrier: 'telecom',
          system: 'other',
          messenger: false,
          hour: 0,
          weekday: 2,
          day: '2026-06-02',
        },
        targets: [
          { index: 0, target_id: code.targets[0]?.id, name: 'zj', verdict: 'chosen', rule: 0, share: 1 },
          { verdict: 'others_fit', rule: null, share: 0 },
          { verdict: 'disabled', share: 0 },
        ],
      },
    });
    const far = await tryOut({ id: code.id, visitor: { ip: '115.236.1.1', region: '江苏省' } });
    expect(far.body).toMatchObject({
      target: 1,
      targets: [{ verdict: 'no_rule_fits', misses: [{ rule: 0, condition: 'regions' }] }, { verdict: 'chosen' }, {}],
    });
  });

  test('takes a draft for what it would be once saved, and counts nothing', async () => {
    const code = await addCode([url('a', { threshold: 1 }), url('b')]);
    const [a] = code.targets;
    const draft = {
      targets: [url('b', { rules: [{ messenger: true }] }), url('a', { id: a?.id, threshold: 1 })],
      restriction_visit: 2 as const,
    };
    for (let round = 0; round < 3; round += 1) {
      expect((await tryOut({ id: code.id, draft, visitor: {} })).body.outcome).toBe('not_messenger');
      expect((await tryOut({ id: code.id, draft, visitor: { messenger: true } })).body).toMatchObject({
        target: 0,
        targets: [{ target_id: null }, { target_id: a?.id }],
      });
      expect((await tryOut({ id: code.id, visitor: {} })).body.target).toBe(0);
    }
    const lowered = { targets: [url('a', { id: a?.id, threshold: 0 })], fallback_url: 'https://example.com/full' };
    expect((await tryOut({ id: code.id, draft: lowered, visitor: {} })).body).toMatchObject({
      outcome: 'exhausted',
      target: null,
      fallback_url: 'https://example.com/full',
      targets: [{ verdict: 'used_up' }],
    });
    expect((await app.call(owner, 'qr_code_list', 'details', { id: code.id })).body.targets).toEqual(code.targets);
  });

  test('of a draft alone needs nothing stored; half-typed targets are unusable', async () => {
    const draft = {
      targets: [
        {},
        { kind: 'picture' as const, content: '7' },
        { content: 'javascript:alert(1)' },
        url('ok'),
        { kind: 'text' as const, content: '' },
      ],
    };
    const { status, body } = await tryOut({ draft, visitor: { language: 'en-GB,en;q=0.8' } });
    expect(status).toBe(200);
    expect(body.targets.map(({ verdict }) => verdict)).toEqual(['unusable', 'unusable', 'unusable', 'chosen', 'candidate']);
    expect(body.visitor.language).toBe('en-GB');
    expect((await tryOut({ draft: { targets: [] }, visitor: {} })).body).toMatchObject({ outcome: 'exhausted', targets: [] });
  });

  test('is closed with its code, its owner and his membership, and blocked with the address', async () => {
    const code = await addCode([url('a')]);
    await app.db.execute(sql`INSERT INTO visit_blacklist (network) VALUES ('203.0.113.0/24')`);
    expect((await tryOut({ id: code.id, visitor: { ip: '203.0.113.9' } })).body.outcome).toBe('blocked_ip');
    await app.db.execute(sql`UPDATE user_account SET member_expires_at = now() - interval '1 year' WHERE id = ${owner.id}`);
    expect((await tryOut({ id: code.id, visitor: {} })).body.outcome).toBe('passed');
    await app.db.execute(sql`INSERT INTO setting (key, value) VALUES ('expired_codes', '"stop"')`);
    expect((await tryOut({ id: code.id, visitor: {} })).body.outcome).toBe('owner_inactive');
    await app.db.execute(sql`DELETE FROM setting WHERE key = 'expired_codes'`);
    await app.db.execute(sql`UPDATE user_account SET member_expires_at = NULL WHERE id = ${owner.id}`);
    await app.call(owner, 'qr_code_list', 'oepn_all_status', { open: false });
    expect((await tryOut({ id: code.id, visitor: {} })).body.outcome).toBe('closed');
    await app.call(owner, 'qr_code_list', 'oepn_all_status', { open: true });
  });

  test('refuses what is none', async () => {
    const code = await addCode([url('a')]);
    expect(await tryOut({ id: code.id, visitor: { ip: 'nowhere' } })).toMatchObject({
      status: 400,
      body: { fields: { 'visitor.ip': 'invalid_ip' } },
    });
    expect(await tryOut({ visitor: {} })).toMatchObject({ status: 400, body: { fields: { draft: 'required' } } });
    expect((await tryOut({ id: code.id, visitor: {} }, stranger)).status).toBe(404);
    const foreign = { targets: [url('a', { id: code.targets[0]?.id })] };
    expect(await tryOut({ draft: foreign, visitor: {} }, stranger)).toMatchObject({
      status: 400,
      body: { fields: { 'draft.targets.0.id': 'unknown_target' } },
    });
  });
});

describe('a simulation', () => {
  test('counts thresholds down in order and says when each target runs out', async () => {
    const code = await addCode([url('a', { threshold: 200 }), url('b', { threshold: 300 }), url('c', { threshold: 100 })]);
    const { status, body } = await simulate({ id: code.id });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      visits: 1000,
      outcomes: [
        { outcome: 'passed', visits: 600 },
        { outcome: 'exhausted', visits: 400 },
      ],
      targets: [
        { name: 'a', visits: 200, first_visit: 1, last_visit: 200, used_up_at: 200, remaining: 0 },
        { name: 'b', visits: 300, first_visit: 201, last_visit: 500, used_up_at: 500, remaining: 0 },
        { name: 'c', visits: 100, first_visit: 501, last_visit: 600, used_up_at: 600, remaining: 0 },
      ],
      runs: [
        { target: 0, from: 1, visits: 200 },
        { target: 1, from: 201, visits: 300 },
        { target: 2, from: 501, visits: 100 },
        { target: null, outcome: 'exhausted', from: 601, visits: 400 },
      ],
      is_cut: false,
    });
  });

  test('follows weights, turns and rules, for a mix of visitors', async () => {
    const weighted = await simulate({ draft: { rotation_mode: 2, targets: [url('a', { weight: 3 }), url('b')] }, visits: 10_000 });
    const [a] = weighted.body.targets;
    expect(Math.abs((a?.visits ?? 0) - 7500)).toBeLessThan(300);
    expect(weighted.body).toMatchObject({ is_cut: true, targets: [{ remaining: null, used_up_at: null }, {}] });
    expect(weighted.body.runs).toHaveLength(200);

    const turns = await simulate({ draft: { rotation_mode: 3, targets: [url('a'), url('b'), url('c')] }, visits: 7 });
    expect(turns.body.targets.map(({ visits }) => visits)).toEqual([3, 2, 2]);

    const mixed = await simulate({
      draft: { targets: [url('ios', { rules: [{ systems: ['ios'] }], threshold: 50 }), url('all')] },
      visitors: [
        { share: 1, visitor: { system: 'ios' } },
        { share: 3, visitor: { system: 'android' } },
      ],
    });
    expect(mixed.body.targets.map(({ visits }) => visits)).toEqual([50, 950]);
    expect(mixed.body.targets[0]?.used_up_at).toBeGreaterThan(100);
  });

  test('of the worst input ends soon, and others are answered meanwhile', async () => {
    const rules = Array.from({ length: 20 }, (_, index) => ({ languages: Array.from({ length: 50 }, () => 'xx'), regions: [`r${index}`] }));
    const targets = Array.from({ length: 100 }, (_, index) => url(`t${index}`, { rules, threshold: 100 }));
    const visitors = Array.from({ length: 20 }, (_, index) => ({ share: 1, visitor: { region: `r${index}`, language: 'yy' } }));
    await expectWithin(2000, async () => {
      const running = simulate({ draft: { rotation_mode: 3, targets }, visitors, visits: 10_000 });
      let longest = 0;
      let last = performance.now();
      const timer = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 5);
      const { body } = await running;
      clearInterval(timer);
      expect(body.outcomes).toEqual([{ outcome: 'exhausted', visits: 10_000 }]);
      return longest;
    });
  });

  test('is of one’s own codes, and of a bounded number of visits', async () => {
    const code = await addCode([url('a')]);
    expect((await simulate({ id: code.id }, stranger)).status).toBe(404);
    expect((await simulate({ id: code.id, visits: 10_001 })).status).toBe(400);
    expect((await simulate({ id: code.id, visits: 0 })).status).toBe(400);
  });
});
