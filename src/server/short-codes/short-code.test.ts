import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

let app: TestApp;
let admin: TestUser;
let owner: TestUser;
let stranger: TestUser;
let pool: number;
let own: number;
let code: number;
let number = 0;

beforeAll(async () => {
  app = await createTestApp({ trustedProxies: ['127.0.0.1'] });
  admin = await app.makeUser('super');
  owner = await app.makeUser('customer');
  stranger = await app.makeUser('customer');
  const addDomain = async (as: TestUser, host: string, type: 1 | 3, holder_id?: null) =>
    (await app.call(as, 'domain_list', 'add', { host, type, ...(holder_id === null ? { holder_id } : {}) })).body.id;
  await addDomain(admin, 'entry.example.com', 1, null);
  pool = await addDomain(admin, 'pool.example.com', 3, null);
  own = await addDomain(owner, 'own.example.com', 3);
  code = await makeCode(owner);
});
afterAll(() => app.close());

const targets = [{ kind: 'url' as const, content: 'https://example.com/' }];
const makeCode = async (as: TestUser, name = 'code') => (await app.call(as, 'qr_code_list', 'add', { name, targets })).body.id;

type Result = { id: number | null; short_url: string | null; error: string | null };
type Added = { status: number; body: { added: number; results: Result[]; fields?: Record<string, string>; code?: string } };
/** Each call comes from an address of its own: how many one may make in a minute is not the matter here. */
async function add(as: TestUser, input: object): Promise<Added> {
  number += 1;
  const from = { 'x-forwarded-for': `10.1.${number >> 8}.${number & 255}` };
  return (await app.send(as, 'short_code/add', { request_key: crypto.randomUUID(), ...input }, from)) as unknown as Added;
}
async function addOne(as: TestUser, input: object = { urls: ['https://example.com/x'] }): Promise<{ id: number; short_url: string }> {
  const { body } = await add(as, input);
  const [result] = body.results;
  return { id: result?.id ?? 0, short_url: result?.short_url ?? '' };
}
const listed = async (as: TestUser, filters: object = {}) =>
  (await app.call(as, 'short_code', 'inquire', { page_size: 200, ...filters })).body;
const rowOf = async (id: number) => (await app.db.execute(sql`SELECT * FROM short_code WHERE id = ${id}`)).rows[0];
const events = async (id: number) =>
  (
    await app.db.execute<{ type: string }>(
      sql`SELECT type FROM event WHERE (data ->> 'id')::bigint = ${id} AND type LIKE 'short_code.%' ORDER BY id`,
    )
  ).rows.map(({ type }) => type);

describe('a short link', () => {
  test("stands on its owner's first healthy short domain, else on the platform's", async () => {
    expect((await addOne(owner)).short_url).toMatch(/^http:\/\/own\.example\.com\/[a-hjkmnp-z2-9]{6}$/);
    expect((await addOne(stranger)).short_url).toMatch(/^http:\/\/pool\.example\.com\//);
    await app.db.execute(sql`UPDATE domain SET block_status = 2 WHERE id = ${own}`);
    expect((await addOne(owner)).short_url).toMatch(/^http:\/\/pool\.example\.com\//);
    await app.db.execute(sql`UPDATE domain SET block_status = NULL WHERE id = ${own}`);
  });

  test('has a path of its own where one is wished, whatever its case, and nobody else gets it there', async () => {
    expect((await addOne(owner, { urls: ['https://example.com/'], short: ' Sale-2026 ' })).short_url).toBe(
      'http://own.example.com/sale-2026',
    );
    const again = await add(owner, { urls: ['https://example.com/'], short: 'sale-2026' });
    expect([again.status, again.body.fields]).toEqual([400, { short: 'taken' }]);
    // The same path on another domain is another link.
    expect((await addOne(owner, { urls: ['https://example.com/'], short: 'sale-2026', domain_id: pool })).short_url).toBe(
      'http://pool.example.com/sale-2026',
    );
  });

  test.each(['healthz', 'readyz', 'metrics', '', 'a b', '../x', 'ä', 'x'.repeat(33), 'a/b', '~file'])(
    'cannot have the path %j',
    async (short) => {
      expect((await add(owner, { urls: ['https://example.com/'], short })).status).toBe(400);
    },
  );

  test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'http:example.com', 'https://'])(
    'cannot lead to %s',
    async (url) => {
      const { status, body } = await add(owner, { urls: [url] });
      expect(status === 400 || body.results[0]?.error !== null).toBe(true);
      expect(body.added ?? 0).toBe(0);
    },
  );

  test('of a live code belongs to its owner, also where an administrator makes it', async () => {
    const { id } = await addOne(admin, { live_code_ids: [code] });
    expect(await rowOf(id)).toMatchObject({ owner_id: owner.id, live_code_id: code, url: null });
  });

  test("cannot be made of another's code, on another's domain, or of nothing", async () => {
    expect((await add(stranger, { live_code_ids: [code] })).status).toBe(404);
    expect((await add(stranger, { urls: ['https://example.com/'], domain_id: own })).body.results[0]).toMatchObject({ id: null });
    expect((await add(stranger, {})).status).toBe(400);
    expect((await add(stranger, { urls: ['https://example.com/'], domain_id: own, platform_id: 1 })).status).toBe(400);
    expect((await add(owner, { urls: ['https://a.example/', 'https://b.example/'], short: 'two' })).body.fields).toEqual({
      short: 'single_only',
    });
  });

  test('is not made on a domain of another type', async () => {
    const entry = (await app.db.execute<{ id: number }>(sql`SELECT id FROM domain WHERE host = 'entry.example.com'`)).rows[0]?.id;
    expect((await add(owner, { urls: ['https://example.com/'], domain_id: entry })).body.results[0]).toMatchObject({ id: null });
  });
});

describe('asking again', () => {
  test('with the same key answers the same links and makes none', async () => {
    const wish = { request_key: crypto.randomUUID(), urls: ['https://example.com/1', 'https://example.com/2'] };
    const first = await add(owner, wish);
    const second = await add(owner, wish);
    expect(first.body.added).toBe(2);
    expect(second.body).toEqual({ ...first.body, added: 0 });
  });

  test('at the same moment makes each link once', async () => {
    const wish = { request_key: crypto.randomUUID(), urls: Array.from({ length: 20 }, (_, index) => `https://example.com/${index}`) };
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(owner, wish)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const ids = answers.map(({ body }) => JSON.stringify(body.results.map(({ id }) => id)));
    expect(new Set(ids).size).toBe(1);
    expect(answers.reduce((sum, { body }) => sum + body.added, 0)).toBe(20);
  });

  test("with another person's key is another wish", async () => {
    const wish = { request_key: crypto.randomUUID(), urls: ['https://example.com/k'] };
    const [mine, his] = [await add(owner, wish), await add(stranger, wish)];
    expect(mine.body.results[0]?.id).not.toBe(his.body.results[0]?.id);
  });
});

test('five thousand links are made by one call, all different', async () => {
  const urls = Array.from({ length: 5000 }, (_, index) => `https://example.com/many/${index}`);
  const { status, body } = await add(stranger, { urls });
  expect([status, body.added]).toEqual([200, 5000]);
  expect(new Set(body.results.map(({ short_url }) => short_url)).size).toBe(5000);
  expect((await add(stranger, { urls: [...urls, 'https://example.com/'] })).status).toBe(400);
});

test('paths that are all taken are found anew', async () => {
  const domain = (await app.call(owner, 'domain_list', 'add', { host: 'full.example.com', type: 3 })).body.id;
  const { body } = await app.call(admin, 'url_key_platform', 'add', { name: 'four', config: { type: 3, domain_id: pool, length: 4 } });
  expect((await addOne(owner, { urls: ['https://example.com/'], platform_id: body.id })).short_url).toMatch(/\/[a-z2-9]{4}$/);
  expect((await addOne(owner, { urls: ['https://example.com/'], domain_id: domain })).short_url).toMatch(/^http:\/\/full/);
});

describe('the list', () => {
  test('shows own links with what they lead to, and finds them by every text of theirs', async () => {
    const { id } = await addOne(owner, { live_code_ids: [code], remark: 'poster' });
    const [row] = (await listed(owner, { search: 'poster' })).content;
    expect(row).toMatchObject({ id, live_code_name: 'code', host: 'own.example.com', counted: true, view_number: 0, expired: false });
    for (const search of [row?.short ?? '-', 'poster', row?.live_code_file_name ?? '-'])
      expect((await listed(owner, { search })).content.map((found) => found.id)).toContain(id);
    expect((await listed(stranger, { search: 'poster' })).total).toBe(0);
    expect((await listed(owner, { search: '%' })).total).toBe(0);
  });

  test('counts visits as the rollups have them, and sorts by them', async () => {
    const [one, two] = [await addOne(owner), await addOne(owner)];
    await app.db.execute(sql`INSERT INTO short_code_total VALUES (${two.id}, 7, 5), (${one.id}, 3, 2)`);
    await app.db.execute(sql`INSERT INTO visit_hour (live_code_id, short_code_id, hour, outcome, visits, ips, new_ips) VALUES
      (0, ${two.id}, date_trunc('hour', now()), 0, 4, 3, 3), (0, ${two.id}, date_trunc('hour', now()), 4, 9, 9, 9), (0, ${two.id}, now() - interval '3 days', 0, 3, 2, 2)`);
    const { content } = await listed(owner, { sort: 'view_number', order: 'desc' });
    expect(content.slice(0, 2).map(({ id }) => id)).toEqual([two.id, one.id]);
    expect(content[0]).toMatchObject({ view_number: 7, ip_view_number: 5, today_view_number: 4, today_ip_view_number: 3 });
    expect((await listed(owner, { sort: 'today_view_number', order: 'desc' })).content[0]?.id).toBe(two.id);
    for (const sort of ['id', 'short', 'expires_at', 'view_number', 'today_view_number', 'created_at', 'updated_at'])
      for (const order of ['asc', 'desc']) expect((await listed(owner, { sort, order })).total).toBeGreaterThan(5);
  });

  test('keeps hidden links from customers, who can neither change nor remove them; they go on leading', async () => {
    const { id, short_url } = await addOne(owner);
    expect((await app.call(owner, 'short_code', 'update_display', { ids: [id], display: 2 })).status).toBe(403);
    expect((await app.call(admin, 'short_code', 'update_display', { ids: [id], display: 2 })).body.affected).toBe(1);
    expect((await listed(owner)).content.some((row) => row.id === id)).toBe(false);
    expect((await listed(owner, { display: 2 })).total).toBe(0);
    expect((await listed(admin, { display: 2 })).content.map((row) => row.id)).toContain(id);
    expect((await app.call(owner, 'short_code', 'update', { id, remark: 'x' })).status).toBe(404);
    expect((await app.call(owner, 'short_code', 'remove', { ids: [id] })).body.affected).toBe(0);
    expect((await app.call(owner, 'short_code', 'regenerate', { id, short_url })).status).toBe(404);
    expect(await rowOf(id)).toMatchObject({ enabled: true });
  });

  test('says that there are more than are counted', async () => {
    const { total, at_least } = await listed(stranger, { search: 'many' });
    expect([total, at_least]).toEqual([5000, false]);
  });
});

describe('a change', () => {
  test('of destination, expiry and remark is kept and told', async () => {
    const { id } = await addOne(owner);
    const expires_at = '2030-01-01T00:00:00.000Z';
    const { body } = await app.call(owner, 'short_code', 'update', { id, url: 'https://example.org/new', expires_at, remark: 'r' });
    expect(body).toMatchObject({ url: 'https://example.org/new', expires_at, remark: 'r' });
    const toCode = await app.call(owner, 'short_code', 'update', { id, live_code_id: code });
    expect(toCode.body).toMatchObject({ url: null, live_code_id: code, expires_at });
    expect(await events(id)).toEqual(['short_code.created', 'short_code.changed', 'short_code.changed']);
  });

  test("cannot lead to another's code, to both at once, or to a forbidden scheme", async () => {
    const { id } = await addOne(owner);
    const foreign = await makeCode(stranger);
    expect((await app.call(owner, 'short_code', 'update', { id, live_code_id: foreign })).status).toBe(404);
    expect((await app.call(admin, 'short_code', 'update', { id, live_code_id: foreign })).status).toBe(400);
    expect((await app.call(owner, 'short_code', 'update', { id, live_code_id: code, url: 'https://example.com/' })).status).toBe(400);
    expect((await app.call(owner, 'short_code', 'update', { id, url: 'javascript:alert(1)' })).status).toBe(400);
  });

  test('of many tells of those that it changed, and leaves foreign ones alone', async () => {
    const [mine, off, foreign] = [await addOne(owner), await addOne(owner), await addOne(stranger)];
    await app.call(owner, 'short_code', 'update_enabled', { ids: [off.id], enabled: false });
    const { body } = await app.call(owner, 'short_code', 'update_enabled', { ids: [mine.id, off.id, foreign.id], enabled: false });
    expect(body.affected).toBe(2);
    expect(await events(mine.id)).toEqual(['short_code.created', 'short_code.changed']);
    expect(await events(off.id)).toEqual(['short_code.created', 'short_code.changed']);
    expect(await rowOf(foreign.id)).toMatchObject({ enabled: true });
  });

  test('reaches redirect processes by the feed', async () => {
    const { id } = await addOne(owner);
    const row = await rowOf(id);
    await app.call(owner, 'short_code', 'update', { id, url: 'https://example.org/fed' });
    const { rows } = await app.db.execute(
      sql`SELECT 1 FROM visit_change WHERE kind = 'short' AND key = ${`${row?.domain_id}/${row?.short}`}`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(2);
  });
});

describe('making anew', () => {
  test('replaces the link, once, and says so', async () => {
    const { id, short_url } = await addOne(owner);
    const first = await app.call(owner, 'short_code', 'regenerate', { id, short_url });
    expect(first.body.short_url).toMatch(/^http:\/\/own\.example\.com\//);
    expect(first.body.short_url).not.toBe(short_url);
    expect((await app.call(owner, 'short_code', 'regenerate', { id, short_url })).status).toBe(409);
    expect(await events(id)).toEqual(['short_code.created', 'short_code.changed']);
  });

  test('by two at once gives one of them the link', async () => {
    const { id, short_url } = await addOne(owner);
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.call(owner, 'short_code', 'regenerate', { id, short_url })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  test('takes a path of its own, another domain or a platform, and keeps figures and destination', async () => {
    const { id, short_url } = await addOne(owner, { live_code_ids: [code] });
    const moved = await app.call(owner, 'short_code', 'regenerate', { id, short_url, domain_id: pool, short: 'moved' });
    expect(moved.body).toMatchObject({ id, short_url: 'http://pool.example.com/moved', live_code_id: code });
    const taken = await app.call(owner, 'short_code', 'regenerate', {
      id,
      short_url: moved.body.short_url,
      domain_id: pool,
      short: 'moved',
    });
    expect(taken.body.fields).toEqual({ short: 'taken' });
    const config = { type: 2 as const, prefix: 'https://jump.example.com/?u=', encoding: 'url' as const };
    const platform = (await app.call(admin, 'url_key_platform', 'add', { name: 'joined', config })).body.id;
    const joined = await app.call(owner, 'short_code', 'regenerate', { id, short_url: moved.body.short_url, platform_id: platform });
    expect(joined.body.short_url).toMatch(/^https:\/\/jump\.example\.com\/\?u=http%3A%2F%2Flocalhost%3A3001%2F/);
    expect(joined.body).toMatchObject({ counted: false, short: null, domain_id: null });
    // Where another holds the link, its destination is no longer ours to change.
    expect((await app.call(owner, 'short_code', 'update', { id, url: 'https://example.org/' })).body.code).toBe(
      'short_code.fixed_destination',
    );
    expect((await app.call(owner, 'short_code', 'update', { id, remark: 'still ours' })).status).toBe(200);
  });

  test('goes back from a platform that is closed to the first healthy domain, where that is wished', async () => {
    const config = { type: 2 as const, prefix: 'https://closed.example.com/?u=', encoding: 'url' as const };
    const platform_id = (await app.call(admin, 'url_key_platform', 'add', { name: 'closing', config })).body.id;
    const { id, short_url } = await addOne(owner, { live_code_ids: [code], platform_id });
    await app.call(admin, 'url_key_platform', 'update_enabled', { ids: [platform_id], enabled: false });
    const asBefore = await app.call(owner, 'short_code', 'regenerate', { id, short_url });
    expect(asBefore.body.fields).toEqual({ platform_id: 'unknown_platform' });
    const both = await app.call(owner, 'short_code', 'regenerate', { id, short_url, domain_id: null, platform_id });
    expect(both.body.fields).toEqual({ domain_id: 'domain_or_platform' });
    const elsewhere = await app.call(owner, 'short_code', 'regenerate', { id, short_url, domain_id: null });
    expect(elsewhere.body.short_url).toMatch(/^http:\/\/own\.example\.com\//);
    expect(elsewhere.body).toMatchObject({ platform_id: null, counted: true });
  });
});

test('removing takes the row, tells of it, and leaves what was counted', async () => {
  const { id } = await addOne(owner);
  await app.db.execute(sql`INSERT INTO short_code_total VALUES (${id}, 1, 1)`);
  expect((await app.call(owner, 'short_code', 'remove', { ids: [id] })).body.affected).toBe(1);
  expect(await rowOf(id)).toBeUndefined();
  expect(await events(id)).toEqual(['short_code.created', 'short_code.removed']);
  const { rows } = await app.db.execute(sql`SELECT visits FROM short_code_total WHERE short_code_id = ${id}`);
  expect(rows).toHaveLength(1);
});

test('a live code that is deleted for ever takes its short links along', async () => {
  const doomed = await makeCode(owner, 'doomed');
  const { id } = await addOne(owner, { live_code_ids: [doomed] });
  await app.call(owner, 'qr_code_list', 'update_remove', { ids: [doomed], removed: true });
  expect((await add(owner, { live_code_ids: [doomed] })).status).toBe(404);
  await app.call(owner, 'qr_code_list', 'remove', { id: doomed, name: 'doomed' });
  expect(await rowOf(id)).toBeUndefined();
});

test("a live code's row names the newest link that leads on", async () => {
  const named = await makeCode(owner, 'named');
  const short_url = async () => (await app.call(owner, 'qr_code_list', 'details', { id: named })).body.short_url;
  expect(await short_url()).toBeNull();
  const [first, second, third] = [
    await addOne(owner, { live_code_ids: [named] }),
    await addOne(owner, { live_code_ids: [named] }),
    await addOne(owner, { live_code_ids: [named] }),
  ];
  expect(await short_url()).toBe(third.short_url);
  await app.db.execute(sql`UPDATE short_code SET expires_at = now() - interval '1 minute' WHERE id = ${third.id}`);
  expect(await short_url()).toBe(second.short_url);
  await app.call(admin, 'short_code', 'update_display', { ids: [second.id], display: 2 });
  expect(await short_url()).toBe(first.short_url);
  await app.call(owner, 'short_code', 'update_enabled', { ids: [first.id], enabled: false });
  expect(await short_url()).toBeNull();
});

test('a live code that is given to another user takes its short links along', async () => {
  const given = await makeCode(owner, 'given');
  const { id } = await addOne(owner, { live_code_ids: [given] });
  const { status } = await app.call(admin, 'qr_code_list', 'transfer', { ids: [given], owner_id: stranger.id, domains: 'take_off' });
  expect([status, (await rowOf(id))?.owner_id]).toEqual([200, stranger.id]);
  expect((await listed(owner, { live_code_id: given })).total).toBe(0);
});

test('a design is kept, taken off, and never another’s', async () => {
  const [mine, foreign] = [await addOne(owner), await addOne(stranger)];
  const set = await app.call(owner, 'short_code', 'update_design', { ids: [mine.id, foreign.id], qr_design: { dot_style: 'dots' } });
  expect(set.body.affected).toBe(1);
  expect(await rowOf(mine.id)).toMatchObject({ qr_design: { dot_style: 'dots' } });
  expect(await rowOf(foreign.id)).toMatchObject({ qr_design: null });
  await app.call(owner, 'short_code', 'update_design', { ids: [mine.id], qr_design: null });
  expect(await rowOf(mine.id)).toMatchObject({ qr_design: null });
});

test('customers are offered the platforms that are on, without a word of how they work', async () => {
  const config = { type: 14 as const, template: 'https://**.example.com/?u={url}' };
  const { body } = await app.call(admin, 'url_key_platform', 'add', { name: 'off', config, enabled: false });
  const asked = await app.call(owner, 'url_key_platform', 'inquire', { data_only: true });
  expect(Object.keys(asked.body)).toEqual(['content']);
  const { content } = asked.body;
  expect(content.some(({ id }: { id: number }) => id === body.id)).toBe(false);
  expect(Object.keys(content[0] ?? {}).sort()).toEqual(['id', 'name', 'type']);
  expect((await app.call(owner, 'url_key_platform', 'inquire', {})).status).toBe(403);
  expect((await app.call(admin, 'url_key_platform', 'inquire', {})).body).toMatchObject({ page: 1 });
});
