import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

let test_app: TestApp;
let administrator: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  stranger = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

let made = 0;
const newHost = () => `batch-${++made}.example.com`;
const addMany = (as: TestUser, lines: string[], more: { holder_id?: number | null; remark?: string } = {}) =>
  test_app.call(as, 'domain_list', 'add_many', { lines, type: 1, ...more });
const statesOf = async (as: TestUser, lines: string[], more = {}) =>
  (await addMany(as, lines, more)).body.results.map(({ state }) => state);
const rowsOf = async (as: TestUser) => (await test_app.call(as, 'domain_list', 'inquire', { page_size: 200 })).body.content;
const quotaOf = (user: TestUser, quota: number | null) =>
  test_app.db.execute(sql`UPDATE user_account SET domain_quota = ${quota} WHERE id = ${user.id}`);
const eventsOf = async (user: TestUser) => {
  const { rows } = await test_app.db.execute<{ type: string; host: string }>(
    sql`SELECT type, data ->> 'host' AS host FROM event WHERE owner_id = ${user.id} ORDER BY id`,
  );
  return rows.map(({ type, host }) => `${type} ${host}`);
};

test('each line is told what became of it, and a faulty one keeps none of the others back', async () => {
  const owner = await test_app.makeUser('customer');
  await addMany(stranger, ['taken.example.com', '*.wild-of-stranger.example.com']);
  await addMany(owner, ['mine.example.com']);
  const { status, body } = await addMany(owner, [
    'one.batch.example.com',
    '  ONE.Batch.Example.com. ',
    'https://two.batch.example.com/path?x=1',
    'three.batch.example.com # 海报用',
    'four.batch.example.com\tremark after a tab',
    '',
    '# a comment alone',
    '例子.中国',
    'taken.example.com',
    'below.wild-of-stranger.example.com',
    'mine.example.com',
    'co.uk',
    'localhost:3001',
    'no spaces allowed.com',
    'ftp://five.batch.example.com',
    'x'.repeat(300),
  ]);
  expect(status).toBe(200);
  expect(body.results.map(({ line, host, state }) => [line.slice(0, 40), host, state])).toEqual([
    ['one.batch.example.com', 'one.batch.example.com', 'added'],
    ['ONE.Batch.Example.com.', 'one.batch.example.com', 'repeated'],
    ['https://two.batch.example.com/path?x=1', 'two.batch.example.com', 'added'],
    ['three.batch.example.com # 海报用', 'three.batch.example.com', 'added'],
    ['four.batch.example.com\tremark after a ta', 'four.batch.example.com', 'added'],
    ['例子.中国', 'xn--fsqu00a.xn--fiqs8s', 'added'],
    ['taken.example.com', 'taken.example.com', 'taken'],
    ['below.wild-of-stranger.example.com', 'below.wild-of-stranger.example.com', 'taken'],
    ['mine.example.com', 'mine.example.com', 'exists'],
    ['co.uk', null, 'public_suffix'],
    ['localhost:3001', null, 'development_host'],
    ['no spaces allowed.com', null, 'invalid_host'],
    ['ftp://five.batch.example.com', null, 'invalid_host'],
    ['x'.repeat(40), null, 'invalid_host'],
  ]);
  expect(body.added).toBe(5);
  const rows = await rowsOf(owner);
  expect(rows.map(({ host, host_unicode, remark }) => [host, host_unicode, remark])).toEqual(
    expect.arrayContaining([
      ['xn--fsqu00a.xn--fiqs8s', '例子.中国', ''],
      ['three.batch.example.com', null, '海报用'],
      ['four.batch.example.com', null, 'remark after a tab'],
    ]),
  );
  expect(await eventsOf(owner)).toContain('domain.created two.batch.example.com');
});

test('two people who paste the same hosts at once get each host once, in whatever order they paste', async () => {
  const [one, other] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
  const lines = Array.from({ length: 300 }, newHost);
  const answers = await Promise.all([
    addMany(one, lines),
    addMany(other, [...lines].reverse()),
    addMany(one, lines),
    addMany(other, lines),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(answers.reduce((sum, { body }) => sum + body.added, 0)).toBe(lines.length);
});

test('two thousand lines are added quickly, and no more are taken', async () => {
  const owner = await test_app.makeUser('customer');
  const { body } = await addMany(owner, Array.from({ length: 2000 }, newHost));
  expect(body.added).toBe(2000);
  const refused = await addMany(owner, Array.from({ length: 2001 }, newHost));
  expect([refused.status, refused.body.fields]).toEqual([400, { lines: 'too_many' }]);
});

test('names of very many labels are answered like any others', { tags: 'full' }, async () => {
  const owner = await test_app.makeUser('customer');
  const lines = Array.from(
    { length: 1000 },
    (_, number) => `${Array.from({ length: 110 }, (_label, at) => ((number >> (at % 10)) & 1 ? 'b' : 'a')).join('.')}.example.com`,
  );
  const { status, body } = await addMany(owner, lines);
  expect([status, body.added]).toEqual([200, 1000]);
  const { body: found } = await test_app.call(owner, 'batche_query', 'inquire', { lines });
  expect(found.kinds.domain).toBe(1000);
});

test('a quota holds for one, for many, and for many at the same moment', async () => {
  const owner = await test_app.makeUser('customer');
  await quotaOf(owner, 3);
  expect(await statesOf(owner, [newHost(), newHost()])).toEqual(['added', 'added']);
  expect(await statesOf(owner, [newHost(), 'co.uk', newHost()])).toEqual(['added', 'public_suffix', 'quota_exceeded']);
  const { status, body } = await test_app.send(owner, 'domain_list/add', { host: newHost(), type: 1 }, { 'accept-language': 'en-US' });
  expect([status, body.code, body.message]).toEqual([
    409,
    'domain.quota_exceeded',
    `${owner.account} can hold up to 3 domains and has 3. The quota is used up`,
  ]);

  const other = await test_app.makeUser('customer');
  await quotaOf(other, 5);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      number % 2 ? addMany(other, [newHost(), newHost()]) : test_app.call(other, 'domain_list', 'add', { host: newHost(), type: 2 }),
    ),
  );
  for (const answer of answers) expect([200, 409]).toContain(answer.status);
  expect(await rowsOf(other)).toHaveLength(5);
});

test('without a quota of his own the setting holds; administrators have none', async () => {
  await test_app.db.execute(sql`INSERT INTO setting (key, value) VALUES ('domain_quota', '1')`);
  const owner = await test_app.makeUser('customer');
  expect(await statesOf(owner, [newHost(), newHost()])).toEqual(['added', 'quota_exceeded']);
  expect(await statesOf(administrator, [newHost(), newHost()])).toEqual(['added', 'added']);
  const more = await test_app.call(administrator, 'domain_list', 'add', { host: newHost(), type: 1, holder_id: owner.id });
  expect(more.body.code).toBe('domain.quota_exceeded');
  await quotaOf(owner, 2);
  expect(await statesOf(owner, [newHost()])).toEqual(['added']);
  expect(await statesOf(administrator, [newHost()], { holder_id: null })).toEqual(['added']);
  await test_app.db.execute(sql`DELETE FROM setting WHERE key = 'domain_quota'`);
});

test('only whoever may assign adds for others', async () => {
  const owner = await test_app.makeUser('customer');
  expect((await addMany(owner, [newHost()], { holder_id: stranger.id })).status).toBe(403);
  expect((await addMany(owner, [newHost()], { holder_id: null })).status).toBe(403);
  expect((await addMany(administrator, [newHost()], { holder_id: owner.id })).body.added).toBe(1);
  expect((await addMany(administrator, [newHost()], { holder_id: 987_654_321 })).body.fields).toEqual({ holder_id: 'unknown_user' });
});

test('what happens to a domain is told', async () => {
  const owner = await test_app.makeUser('customer');
  const host = newHost();
  const { body } = await test_app.call(owner, 'domain_list', 'add', { host, type: 1 });
  await test_app.call(owner, 'domain_list', 'update', { id: body.id, remark: 'changed' });
  await test_app.call(owner, 'domain_list', 'update', { id: body.id, remark: 'changed' });
  await test_app.call(owner, 'domain_list', 'update_enabled', { ids: [body.id], enabled: false });
  await test_app.call(owner, 'domain_list', 'remove', { ids: [body.id] });
  expect(await eventsOf(owner)).toEqual([
    `domain.created ${host}`,
    `domain.changed ${host}`,
    `domain.changed ${host}`,
    `domain.removed ${host}`,
  ]);
});
