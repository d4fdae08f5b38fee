import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { qrCodeList } from '../../../contract/codes/qr-code-list.ts';
import type { InputOf } from '../../../contract/kit/call.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { packCounts } from '../../visits/maintenance/packing.ts';

type Calls = (typeof qrCodeList)['calls'];

// Ten past midnight in Shanghai: the day there began ten minutes ago.
const now = new Date('2026-03-01T16:10:00.000Z');

let test_app: TestApp;
let administrator: TestUser;
let agent: TestUser;
let owner: TestUser;
let stranger: TestUser;
const ids = new Map<string, number>();

const add = async (as: TestUser, name: string, input: Partial<InputOf<Calls['add']>> = {}) => {
  const answer = await test_app.call(as, 'qr_code_list', 'add', {
    name,
    targets: [{ kind: 'url', content: 'https://example.com/' }],
    ...input,
  });
  ids.set(name, answer.body.id);
  return answer.body;
};
const inquire = async (as: TestUser, input: InputOf<Calls['inquire']> = {}) =>
  (await test_app.call(as, 'qr_code_list', 'inquire', input)).body;
const names = async (as: TestUser, input: InputOf<Calls['inquire']> = {}) =>
  (await inquire(as, { sort: 'id', order: 'asc', ...input })).content.map(({ name }) => name);

beforeAll(async () => {
  test_app = await createTestApp({ now: () => now });
  administrator = await test_app.makeUser('administrator');
  agent = await test_app.makeUser('agent');
  owner = await test_app.makeUser('customer', { superior_id: agent.id });
  stranger = await test_app.makeUser('customer');
  await add(owner, 'plain', { remark: 'by the 门' });
  await add(owner, 'closed', { open: false, open_log: false, rotation_mode: 2, access_mode: 2, restriction_visit: 2 });
  await add(owner, '100%_sure', {
    file_name: 'file_name-1',
    targets: [{ kind: 'text', content: 'x', threshold: 0 }],
    entry_domain_id: null,
  });
  await add(stranger, 'foreign');
  await add(agent, "agent's");
  await add(administrator, "administrator's");
});
afterAll(() => test_app.close());

test("everybody lists the own codes, an agent those of his customers too; an administrator's list of all is another", async () => {
  expect(await names(owner)).toEqual(['plain', 'closed', '100%_sure']);
  expect(await names(stranger)).toEqual(['foreign']);
  expect(await names(agent)).toEqual(['plain', 'closed', '100%_sure', "agent's"]);
  expect(await names(administrator)).toEqual(["administrator's"]);
  const { body: all } = await test_app.call(administrator, 'qr_code_list', 'user_inquire', { sort: 'id', order: 'asc' });
  expect(all.content.map(({ name }) => name)).toEqual(['plain', 'closed', '100%_sure', 'foreign', "agent's", "administrator's"]);
  const ofStranger = await test_app.call(administrator, 'qr_code_list', 'user_inquire', { owner_id: stranger.id });
  expect(ofStranger.body.content.map(({ name }) => name)).toEqual(['foreign']);
  expect((await test_app.call(owner, 'qr_code_list', 'user_inquire', { owner_id: stranger.id })).status).toBe(403);
});

test.each<[InputOf<Calls['inquire']>, string[]]>([
  [{ search: 'PLAIN' }, ['plain']],
  [{ search: '门' }, ['plain']],
  [{ search: 'FILE_name-1' }, ['100%_sure']],
  [{ search: '%' }, ['100%_sure']],
  [{ search: 'l_s' }, []],
  [{ open: false }, ['closed']],
  [{ open_log: false }, ['closed']],
  [{ rotation_mode: 2 }, ['closed']],
  [{ access_mode: 2 }, ['closed']],
  [{ restriction_visit: 2 }, ['closed']],
  [{ exhausted: true }, ['100%_sure']],
  [{ exhausted: false }, ['plain', 'closed']],
  [{ open: true, search: 'plain' }, ['plain']],
  [{ entry_domain_id: 1 }, ['plain', 'closed']],
  [{ landing_domain_id: 1 }, []],
])('the filter %j finds %j', async (filter, found) => {
  expect(await names(owner, filter)).toEqual(found);
});

test('the ids of all that fits come in the order of the list, of what one may see only', async () => {
  const of = async (as: TestUser, input: InputOf<Calls['ids']> = {}) => (await test_app.call(as, 'qr_code_list', 'ids', input)).body;
  const named = (...wanted: string[]) => wanted.map((name) => ids.get(name));
  expect(await of(owner, { sort: 'name', order: 'asc' })).toEqual({ ids: named('100%_sure', 'closed', 'plain'), is_cut: false });
  expect((await of(owner, { open: false })).ids).toEqual(named('closed'));
  expect((await of(stranger)).ids).toEqual(named('foreign'));
  expect((await of(agent, { sort: 'id', order: 'asc' })).ids).toEqual(named('plain', 'closed', '100%_sure', "agent's"));
  expect((await of(administrator)).ids).toEqual(named("administrator's"));
  const ofStranger = await test_app.call(administrator, 'qr_code_list', 'user_ids', { owner_id: stranger.id });
  expect(ofStranger.body.ids).toEqual(named('foreign'));
  expect((await test_app.call(owner, 'qr_code_list', 'user_ids', {})).status).toBe(403);
});

test('what a code is called is found as soon as it is called so, and by its new owner only', async () => {
  const [giver, taker] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
  const { id } = await add(giver, '门店海报 İstanbul', { file_name: 'wall-poster', remark: '🏝 beach' });
  for (const search of ['门店', '店海', '海', 'stanbul', '🏝', '🏝 BEACH', 'h'])
    expect([search, await names(giver, { search })]).toEqual([search, ['门店海报 İstanbul']]);
  for (const search of ['店门', '海 报', 'zz', '🏖']) expect([search, await names(giver, { search })]).toEqual([search, []]);
  await test_app.call(giver, 'qr_code_list', 'update', { id, name: '新名字', remark: '' });
  expect(await names(giver, { search: '门店' })).toEqual([]);
  expect(await names(giver, { search: '名字' })).toEqual(['新名字']);
  await test_app.db.execute(sql`UPDATE live_code SET owner_id = ${taker.id} WHERE id = ${id}`);
  expect(await names(giver, { search: '名字' })).toEqual([]);
  expect(await names(taker, { search: '名字' })).toEqual(['新名字']);
  await test_app.db.execute(sql`DELETE FROM live_code WHERE id = ${id}`);
});

test('an alias finds its code from when it is given until it is taken off, and the row names it where nothing else says why', async () => {
  const user = await test_app.makeUser('customer');
  const { id } = await add(user, 'gate', { file_name: 'north-gate' });
  await add(user, 'another');
  const give = (key: string) => test_app.call(user, 'qr_code_list', 'add_alias', { id, key });
  await give('poster-east-2');
  const east = (await give('poster-east')).body.aliases.find(({ key }) => key === 'poster-east')?.id ?? 0;
  const found = async (search: string, call: 'inquire' | 'qr_code_remove' = 'inquire') =>
    (await test_app.call(user, 'qr_code_list', call, { search })).body.content.map(({ name, found_alias }) => [name, found_alias]);
  expect(await found('POSTER-east')).toEqual([['gate', 'poster-east']]);
  expect(await found('ster-')).toEqual([['gate', 'poster-east-2']]);
  expect(await found('gate')).toEqual([['gate', null]]);
  expect((await test_app.call(user, 'qr_code_list', 'ids', { search: 'poster-east' })).body.ids).toEqual([id]);
  const { body: all } = await test_app.call(administrator, 'qr_code_list', 'user_inquire', { search: 'poster-east' });
  expect(all.content).toMatchObject([{ id, found_alias: 'poster-east' }]);
  expect((await inquire(stranger, { search: 'poster-east' })).total).toBe(0);

  await test_app.call(user, 'qr_code_list', 'update', { id, name: 'renamed' });
  expect(await found('poster-east')).toEqual([['renamed', 'poster-east']]);
  await test_app.call(user, 'qr_code_list', 'update_remove', { ids: [id], removed: true });
  expect([await found('poster-east'), await found('poster-east', 'qr_code_remove')]).toEqual([[], [['renamed', 'poster-east']]]);
  await test_app.call(user, 'qr_code_list', 'update_remove', { ids: [id], removed: false });
  await test_app.call(user, 'qr_code_list', 'remove_alias', { id, alias_id: east });
  expect(await found('poster-east')).toEqual([['renamed', 'poster-east-2']]);
  await test_app.db.execute(sql`DELETE FROM live_code WHERE owner_id = ${user.id}`);
});

test('rows have the design without its logo, details the whole one', async () => {
  const user = await test_app.makeUser('customer');
  const qr_design = { dot_style: 'dots', logo: { src: `data:image/png;base64,${'A'.repeat(100_000)}` } };
  const { id } = await add(user, 'designed', { qr_design });
  expect((await inquire(user)).content[0]?.qr_design).toEqual({ dot_style: 'dots' });
  expect((await test_app.call(user, 'qr_code_list', 'details', { id })).body.qr_design).toEqual(qr_design);
  await test_app.call(user, 'qr_code_list', 'update', { id, qr_design: { anything: 'x'.repeat(50_000) } });
  expect((await inquire(user)).content[0]?.qr_design).toBeNull();
});

test("created days are the site's days", async () => {
  await test_app.db.execute(sql`UPDATE live_code SET created_at = '2026-02-27T15:59:59.999Z' WHERE id = ${ids.get('plain')}`);
  await test_app.db.execute(sql`UPDATE live_code SET created_at = '2026-02-27T16:00:00.000Z' WHERE id = ${ids.get('closed')}`);
  expect(await names(owner, { created_to: '2026-02-27' })).toEqual(['plain']);
  expect(await names(owner, { created_from: '2026-02-28', created_to: '2026-02-28' })).toEqual(['closed']);
});

test('codes that end within some days are those of which a target ends then, too', async () => {
  await test_app.db.execute(sql`UPDATE live_code SET expires_at = '2027-01-04T15:59:59Z' WHERE id = ${ids.get('plain')}`);
  await test_app.db.execute(sql`UPDATE live_code_target SET expires_at = '2027-01-04T16:00:00Z' WHERE live_code_id = ${ids.get('closed')}`);
  expect(await names(owner, { expires_to: '2027-01-04' })).toEqual(['plain']);
  expect(await names(owner, { expires_from: '2027-01-05', expires_to: '2027-01-05' })).toEqual(['closed']);
  await test_app.db.execute(sql`UPDATE live_code SET expires_at = NULL`);
  await test_app.db.execute(sql`UPDATE live_code_target SET expires_at = NULL WHERE live_code_id = ${ids.get('closed')}`);
});

test('a code is exhausted when no target that may serve has visits left, leased ones counted', async () => {
  const gone = '2026-03-01T16:00:00.000Z';
  const url = { kind: 'url' as const, content: 'https://example.com/' };
  const code = await add(stranger, 'runs out', {
    targets: [
      { ...url, threshold: 5 },
      { ...url, enabled: false },
      { ...url, expires_at: gone },
    ],
  });
  const exhausted = async () => (await names(stranger, { exhausted: true })).includes('runs out');
  expect(await exhausted()).toBe(false);
  const target_id = code.targets[0]?.id;
  await test_app.db.execute(sql`UPDATE target_quota SET remaining = 0 WHERE target_id = ${target_id}`);
  await test_app.db.execute(sql`INSERT INTO target_lease (target_id, generation, source, granted) VALUES (${target_id}, 1, 'test', 5)`);
  expect(await exhausted()).toBe(false);
  await test_app.db.execute(sql`UPDATE target_lease SET served = 5 WHERE target_id = ${target_id}`);
  expect(await exhausted()).toBe(true);
  await test_app.db.execute(sql`UPDATE target_lease SET served = 0, generation = 0 WHERE target_id = ${target_id}`);
  expect(await exhausted()).toBe(true);
});

test("figures: all time from the totals, today's from the site's midnight on, only visits that passed, deltas summed", async () => {
  const id = ids.get('plain');
  await test_app.db.execute(sql`INSERT INTO live_code_total (live_code_id, visits, ips) VALUES (${id}, 1000, 300)`);
  await test_app.db.execute(sql`INSERT INTO visit_hour (live_code_id, hour, outcome, visits, ips, new_ips) VALUES
    (${id}, '2026-03-01T15:00:00Z', 0, 500, 200, 100), (${id}, '2026-03-01T16:00:00Z', 0, 7, 4, 1), (${id}, '2026-03-01T16:00:00Z', 0, 2, 1, 0),
    (${id}, '2026-03-01T16:00:00Z', 4, 50, 0, 0), (0, '2026-03-01T16:00:00Z', 1, 9, 0, 0)`);
  const [plain] = (await inquire(owner, { search: 'plain' })).content;
  const figures = { view_number: 1000, ip_view_number: 300, today_view_number: 9, today_ip_view_number: 5 };
  expect(plain).toMatchObject(figures);
  expect((await test_app.call(owner, 'qr_code_list', 'details', { id: id ?? 0 })).body).toMatchObject(figures);
});

test('5,000 codes sort by every column, exactly over all pages', { tags: 'full' }, async () => {
  const user = await test_app.makeUser('customer');
  await test_app.db.execute(sql`
    WITH codes AS (
      INSERT INTO live_code (file_name, owner_id, name) SELECT 'sort-' || n, ${user.id}, 'name ' || n % 7 FROM generate_series(1, 5000) AS n RETURNING id
    ), totals AS (
      INSERT INTO live_code_total (live_code_id, visits, ips) SELECT id, id * 7919 % 1000, id * 104729 % 500 FROM codes
    )
    INSERT INTO visit_hour (live_code_id, hour, outcome, visits, ips, new_ips)
    SELECT id, '2026-03-01T16:00:00Z', outcome, 1 + (id * 31 + delta) % 50, id % 9, 0 FROM codes, generate_series(0, 3) AS delta, (VALUES (0), (4)) AS o (outcome)
    WHERE id % 3 > 0`);
  await test_app.db.execute(sql`ANALYZE`);
  const sorts = ['view_number', 'ip_view_number', 'today_view_number', 'today_ip_view_number', 'name', 'file_name', 'created_at'] as const;
  for (const sort of sorts) {
    const pages = await Promise.all([1, 2, 25].map((page) => inquire(user, { sort, order: 'desc', page, page_size: 200 })));
    for (const { total, content } of pages) expect([total, content.length]).toEqual([5000, 200]);
    const shown = pages.flatMap(({ content }) => content.map((code) => code[sort] ?? 0));
    if (sort !== 'name' && sort !== 'file_name') {
      const sorted = [...shown].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
      expect(shown).toEqual(sorted);
    }
    const distinct = new Set(pages.flatMap(({ content }) => content.map(({ id }) => id)));
    expect(distinct.size).toBe(600);
  }
  const first = (await inquire(user, { sort: 'today_view_number', order: 'desc', page_size: 1 })).content[0];
  const { rows } = await test_app.db.execute<{ most: number }>(
    sql`SELECT max(sum)::int AS most FROM (SELECT sum(visits) FROM visit_hour JOIN live_code ON live_code.id = live_code_id WHERE owner_id = ${user.id} AND outcome = 0 GROUP BY live_code_id) AS sums`,
  );
  expect(first?.today_view_number).toBe(rows[0]?.most);

  // Words that all codes have, and words that few have, are found and sorted alike: for the owner and for who sees all.
  const listOf = { [user.id]: 'inquire', [administrator.id]: 'user_inquire' } as const;
  for (const viewer of [user, administrator]) {
    const inquire = async (as: TestUser, input: InputOf<Calls['inquire']>) =>
      (await test_app.call(as, 'qr_code_list', listOf[as.id] ?? 'inquire', input)).body;
    for (const sort of ['view_number', 'today_view_number', 'created_at'] as const) {
      const order = { sort, order: 'desc', page_size: 200 } as const;
      const [all, few, last] = await Promise.all([
        inquire(viewer, { search: 'sort-', ...order }),
        inquire(viewer, { search: 'sort-12', ...order }),
        inquire(viewer, { search: 'sort-12', ...order, page: 2, page_size: 110 }),
      ]);
      expect([all.total, few.total, last.total, few.content.length, last.content.length]).toEqual([5000, 111, 111, 111, 1]);
      for (const { content } of [all, few]) {
        const shown = content.map((code) => code[sort] ?? 0);
        expect(shown).toEqual([...shown].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
      }
      expect(last.content[0]?.id).toBe(few.content.at(-1)?.id);
    }
  }
});

test('figures of a code whose history was cleared begin anew, in the list and in its order', async () => {
  const user = await test_app.makeUser('customer');
  const [more, cleared] = [await add(user, 'more'), await add(user, 'cleared')];
  await test_app.db.execute(sql`UPDATE live_code SET visible_from = '2026-03-01T16:00:00Z' WHERE id = ${cleared.id}`);
  await test_app.db.execute(
    sql`INSERT INTO live_code_total (live_code_id, visits, ips) VALUES (${more.id}, 10, 10), (${cleared.id}, 99, 99)`,
  );
  await test_app.db.execute(sql`INSERT INTO visit_hour (live_code_id, hour, outcome, visits, ips, new_ips) VALUES
    (${cleared.id}, '2026-02-20T16:00:00Z', 0, 92, 92, 92), (${cleared.id}, '2026-03-01T16:00:00Z', 0, 7, 7, 7)`);
  for (const isPacked of [false, true]) {
    if (isPacked) await packCounts(test_app.pool, { now: new Date('2026-05-01T00:00:00Z') });
    for (const sort of ['view_number', 'ip_view_number'] as const) {
      const { content } = await inquire(user, { sort, order: 'desc' });
      expect(content.map((code) => [code.name, code[sort]])).toEqual([
        ['more', 10],
        ['cleared', 7],
      ]);
    }
  }
});

test("statistics and addresses are told of codes one may see, a stranger's code is 404", async () => {
  const id = ids.get('plain') ?? 0;
  for (const action of ['statistics', 'get_ip'] as const) {
    for (const other of [stranger, await test_app.makeUser('agent')])
      expect((await test_app.send(other, `qr_code_list/${action}`, { id })).status).toBe(404);
    for (const seer of [owner, agent, administrator])
      expect((await test_app.send(seer, `qr_code_list/${action}`, { id })).status).toBe(200);
    expect((await test_app.send(administrator, `qr_code_list/${action}`, { id: 987_654_321 })).status).toBe(404);
  }
  const { body } = await test_app.call(owner, 'qr_code_list', 'statistics', { id, from: '2026-03-02', to: '2026-03-02' });
  expect([body.step, body.totals.visits, body.targets.length]).toEqual(['hour', 9, 1]);
});

test('a list takes no column, page or key that the contract does not name', async () => {
  for (const input of [
    { sort: 'share_password_hash' },
    { page: 0 },
    { page_size: 201 },
    { order: 'asc; DROP TABLE live_code' },
    { owner_id: 1 },
  ])
    expect((await test_app.send(owner, 'qr_code_list/inquire', input)).status).toBe(400);
});
