import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { forwardAddress, forwardPaths } from '../kit/visits/forwards.ts';
import { mostPerDomain } from './forward.service.ts';

let test_app: TestApp;
let owner: TestUser;
let stranger: TestUser;
let administrator: TestUser;
let domain: number;
let pool: number;
beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('customer');
  stranger = await test_app.makeUser('customer');
  administrator = await test_app.makeUser('administrator');
  domain = await makeDomain('own.example.com', owner.id);
  pool = await makeDomain('pool.example.com', null);
});
afterAll(() => test_app.close());

async function makeDomain(host: string, holder_id: number | null, type = 1): Promise<number> {
  const { rows } = await test_app.db.execute<{ id: number }>(
    sql`INSERT INTO domain (host, type, holder_id) VALUES (${host}, ${type}, ${holder_id}) RETURNING id::float8 AS id`,
  );
  return rows[0]?.id ?? 0;
}
const add = (path: string, url: string, more: { domain_id?: number; keep_query?: boolean } = {}, as = owner) =>
  test_app.call(as, 'forward', 'add', { domain_id: domain, path, url, ...more });
const where = async (url: string, as = owner) => (await test_app.call(as, 'forward', 'test', { url })).body;

describe('a rule', () => {
  test('is listed with its host and hits, changed, switched and removed', async () => {
    const { status, body } = await add('/about', 'https://example.com/about-us');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      host: 'own.example.com',
      status: 302,
      keep_query: true,
      enabled: true,
      serves: true,
      hits: 0,
      last_hit_at: null,
    });
    await test_app.db.execute(sql`INSERT INTO forward_total VALUES (${body.id}, 7, '2026-03-10T04:00:00.5Z')`);
    const listed = await test_app.call(owner, 'forward', 'inquire', { search: 'about', sort: 'hits', order: 'desc' });
    expect(listed.body).toMatchObject({
      total: 1,
      content: [{ hits: 7, last_hit_at: '2026-03-10T04:00:00.500Z', owner_account: owner.account }],
    });
    const changed = await test_app.call(owner, 'forward', 'update', { id: body.id, status: 301, remark: 'moved' });
    expect(changed.body).toMatchObject({ status: 301, remark: 'moved', url: 'https://example.com/about-us' });
    expect((await test_app.call(owner, 'forward', 'update_enabled', { ids: [body.id], enabled: false })).body.affected).toBe(1);
    expect((await where('own.example.com/about')).outcome).toBe('none');
    expect((await test_app.call(owner, 'forward', 'remove', { ids: [body.id] })).body.affected).toBe(1);
    expect((await test_app.db.execute(sql`SELECT FROM forward_total`)).rows).toEqual([]);
  });

  test.each([
    ['about', 'invalid_path'],
    ['/a b', 'invalid_path'],
    ['/a?b', 'invalid_path'],
    ['/a#b', 'invalid_path'],
    ['/a*', 'star_after_slash'],
    ['/*/b', 'invalid_path'],
    ['/~file/x', 'reserved_path'],
    ['/./~file/*', 'reserved_path'],
    ['/healthz', 'reserved_path'],
  ])('with the path %s is refused', async (path, fault) => {
    const { status, body } = await add(path, 'https://example.com/');
    expect({ status, fields: body.fields }).toEqual({ status: 400, fields: { path: fault } });
  });

  test.each([
    ['/u1', 'example.com', 'invalid_url'],
    ['/u2', 'javascript:alert(1)', 'invalid_scheme'],
    ['/u3', 'https://example.com/\nset-cookie: a=b', 'invalid_url'],
    ['/u4', 'https://example.com/{rest}', 'rest_without_star'],
    ['/u5/*', 'https://example.com{rest}', 'rest_in_host'],
    ['/u6/*', 'https://{rest}.example.com/', 'rest_in_host'],
    ['/u7', 'http://own.example.com/u7', 'loop'],
    ['/u8', 'https://OWN.example.com:8443/u8?x=1', 'loop'],
    ['/u9/*', 'https://own.example.com/u9/x', 'loop'],
  ])('from %s to %s is refused', async (path, url, fault) => {
    const { status, body } = await add(path, url);
    expect({ status, fields: body.fields }).toEqual({ status: 400, fields: { url: fault } });
  });

  test('that closes a circle with others is refused, and one that leaves it is not', async () => {
    await add('/one', 'https://own.example.com/two');
    expect((await add('/two', 'https://own.example.com/one')).body.fields).toEqual({ url: 'loop' });
    expect((await add('/two', 'https://example.com/')).status).toBe(200);
  });

  test('of a path that a code has, or of a whole host that has codes, is refused', async () => {
    const targets = [{ kind: 'url' as const, content: 'https://example.com/' }];
    const code = await test_app.call(owner, 'qr_code_list', 'add', {
      name: 'taken',
      file_name: 'taken-1',
      targets,
      entry_domain_id: domain,
    });
    await test_app.call(stranger, 'qr_code_list', 'add', { name: 'other', file_name: 'other-1', targets });
    for (const path of ['/taken-1', '/TAKEN-1', '/taken-1/', '/taken-1/*']) {
      expect((await add(path, 'https://example.com/')).body.fields).toEqual({ path: 'taken_by_code' });
    }
    // On his own domain another user's code doesn't exist; on the platform's it does.
    expect((await add('/other-1', 'https://example.com/')).status).toBe(200);
    const onPool = await add('/other-1', 'https://example.com/', { domain_id: pool }, administrator);
    expect(onPool.body.fields).toEqual({ path: 'taken_by_code' });
    expect((await add('/*', 'https://example.com/')).body.fields).toEqual({ path: 'hides_codes' });
    await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [code.body.id], removed: true });
    expect((await add('/taken-1', 'https://example.com/')).status).toBe(200);
  });

  test('stands once on a host, however many add it at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => add('/once', 'https://example.com/')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 200)?.body.fields).toEqual({ path: 'taken' });
  });

  test('is refused where its host has very many', async () => {
    const full = await makeDomain('full.example.com', owner.id);
    await test_app.db.execute(sql`INSERT INTO forward (owner_id, domain_id, path, url)
      SELECT ${owner.id}, ${full}, '/p' || n, 'https://example.com/' FROM generate_series(1, ${mostPerDomain - 2}::int) AS n`);
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => add(`/n${index}`, 'https://example.com/', { domain_id: full })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(answers.find(({ status }) => status !== 200)?.body.code).toBe('forward.too_many');
    await test_app.db.execute(sql`DELETE FROM domain WHERE id = ${full}`);
  });

  test('is put on own domains only; administrators put it on the platform’s, and on a holder’s in his name', async () => {
    expect((await add('/x', 'https://example.com/', {}, stranger)).body.fields).toEqual({ domain_id: 'unknown_domain' });
    expect((await add('/x', 'https://example.com/', { domain_id: pool })).body.fields).toEqual({ domain_id: 'unknown_domain' });
    expect((await add('/x', 'https://example.com/', { domain_id: pool }, administrator)).body.owner_id).toBe(administrator.id);
    expect((await add('/by-admin', 'https://example.com/', {}, administrator)).body.owner_id).toBe(owner.id);
    const hosts = async (as: TestUser) => (await test_app.call(as, 'forward', 'domains', {})).body.content.map(({ host }) => host);
    expect(await hosts(owner)).toEqual(['own.example.com']);
    expect(await hosts(stranger)).toEqual([]);
    expect(await hosts(administrator)).toEqual(expect.arrayContaining(['own.example.com', 'pool.example.com']));
  });

  test('of letters beyond ASCII is the path that browsers send', async () => {
    expect((await add('/关于/*', 'https://example.com/页/{rest}')).body.path).toBe('/%E5%85%B3%E4%BA%8E/*');
    expect(await where('http://own.example.com/关于/我们?a=1')).toMatchObject({
      outcome: 'forwarded',
      location: 'https://example.com/%E9%A1%B5/%E6%88%91%E4%BB%AC?a=1',
    });
  });
});

describe('the test box', () => {
  test('says which rule answers, which code, or nothing', async () => {
    await add('/t/*', 'https://example.com/{rest}');
    await add('/t/a', 'https://a.example/', { keep_query: false });
    const targets = [{ kind: 'url' as const, content: 'https://example.com/' }];
    await test_app.call(owner, 'qr_code_list', 'add', { name: 'box', file_name: 'box-code', targets, entry_domain_id: domain });
    expect(await where('https://OWN.example.com/t/b/c?x=1')).toMatchObject({
      outcome: 'forwarded',
      location: 'https://example.com/b/c?x=1',
      status: 302,
    });
    expect(await where('own.example.com/t/a?x=1')).toMatchObject({ outcome: 'forwarded', location: 'https://a.example/' });
    expect(await where('own.example.com/Box-Code')).toMatchObject({ outcome: 'code', code: 'box-code' });
    expect(await where('own.example.com/nothing')).toMatchObject({ outcome: 'none', forward: null });
    expect(await where('own.example.com/~file/a')).toMatchObject({ outcome: 'reserved' });
    for (const url of ['unknown.example.com/t/a', 'not an address', 'ftp://', 'https://'])
      expect((await where(url)).outcome).toBe('unknown_host');
    expect((await where('own.example.com/t/a', stranger)).outcome).toBe('unknown_host');
  });
});

describe('an address', () => {
  const rule = (url: string, keep_query = true) => ({ url, keep_query });
  test.each([
    ['https://a/', '', '', 'https://a/'],
    ['https://a/', 'x', 'q=1', 'https://a/?q=1'],
    ['https://a/?b=1#c', '', 'q=1', 'https://a/?b=1&q=1#c'],
    ['https://a/?', '', 'q=1', 'https://a/?q=1'],
    ['https://a/{rest}/{rest}', '$&', '', 'https://a/$&/$&'],
    ['https://a/?b={rest}', 'x&admin=1#?', '', 'https://a/?b=x%26admin%3D1%23%3F'],
    ['https://a/{rest}', '\u00e9', '\u00e9=1', 'https://a/%E9?%E9=1'],
  ])('%s with the rest "%s" and the query "%s" is %s', (url, rest, query, address) => {
    expect(forwardAddress(rule(url), rest, query)).toBe(address);
  });

  test('is found by the exact path, then by the longest beginning', () => {
    const paths = forwardPaths(['/*', '/a/*', '/a/b/*', '/a/b'].map((path) => ({ path })));
    const found = (path: string) => [paths.find(path)?.rule.path, paths.find(path)?.rest];
    expect(found('/a/b')).toEqual(['/a/b', '']);
    expect(found('/a/b/')).toEqual(['/a/b/*', '']);
    expect(found('/a/c')).toEqual(['/a/*', 'c']);
    expect(found('/a')).toEqual(['/a/*', '']);
    expect(found('/ab')).toEqual(['/*', 'ab']);
    expect(found('/')).toEqual(['/*', '']);
    expect(found('/~x')).toEqual([undefined, undefined]);
  });

  test('is found whatever its length and letters', () => {
    const all = ['/', '/x', '/_', '/é', `/${'long'.repeat(40)}`, `/${'long'.repeat(40)}-other`, ...'abcdefghijklmnopqrstuvwxyz'].map(
      (path) => ({
        path: path.startsWith('/') ? path : `/${path}${path}`,
      }),
    );
    const paths = forwardPaths(all);
    for (const { path } of all) expect(paths.find(path)?.rule.path).toBe(path);
    for (const path of ['', '/xy', '/X', '/aaa', `/${'long'.repeat(41)}`]) expect(paths.find(path)).toBeUndefined();
  });
});
