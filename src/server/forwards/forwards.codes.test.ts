import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { lookUp } from '../live-codes/import/import.known.ts';
import { createRowChecker } from '../live-codes/import/import.rows.ts';

let test_app: TestApp;
let owner: TestUser;
let requests = 0;
beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

const makeDomain = async (host: string, type = 1) => (await test_app.call(owner, 'domain_list', 'add', { host, type: type as 1 })).body.id;
const forward = async (domain_id: number, path: string) =>
  (await test_app.call(owner, 'forward', 'add', { domain_id, path, url: 'https://example.com/' })).body.id;
const addCode = (entry_domain_id: number, file_name: string) =>
  test_app.call(owner, 'qr_code_list', 'add', {
    name: file_name,
    file_name,
    entry_domain_id,
    landing_domain_id: null,
    targets: [{ kind: 'url', content: 'https://example.com/' }],
  });
const addShort = (domain_id: number, short?: string) => {
  requests += 1;
  const request_key = `00000000-0000-4000-8000-${String(requests).padStart(12, '0')}`;
  return test_app.call(owner, 'short_code', 'add', {
    domain_id,
    urls: ['https://example.com/'],
    request_key,
    ...(short ? { short } : {}),
  });
};

test('a live code whose address a forward takes is made and told of, in the list, too, until the forward is off', async () => {
  const domain = await makeDomain('codes.example.com');
  const rule = await forward(domain, '/spring');
  const { status, body } = await addCode(domain, 'spring');
  expect([status, body.forward_path]).toEqual([200, '/spring']);
  const free = (await addCode(domain, 'autumn')).body;
  expect(free.forward_path).toBeNull();
  const renamed = await test_app.call(owner, 'qr_code_list', 'update', { id: body.id, file_name: 'winter' });
  expect(renamed.body.forward_path).toBeNull();
  const back = await test_app.call(owner, 'qr_code_list', 'update', { id: body.id, file_name: 'spring' });
  expect(back.body.forward_path).toBe('/spring');
  await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [body.id], removed: true });
  const bin = (await test_app.call(owner, 'qr_code_list', 'qr_code_remove', {})).body.content;
  expect(bin.map(({ file_name, forward_path }) => [file_name, forward_path])).toEqual([['spring', '/spring']]);
  await test_app.call(owner, 'forward', 'update_enabled', { ids: [rule], enabled: false });
  expect((await test_app.call(owner, 'qr_code_list', 'details', { id: body.id })).body.forward_path).toBeNull();
});

test('a forward that takes an alias of a code is told of, in the list and beside the alias; none takes one that is given already', async () => {
  const domain = await makeDomain('aliases.example.com');
  await forward(domain, '/east-gate/*');
  const { id } = (await addCode(domain, 'with-aliases')).body;
  const give = async (key: string) => (await test_app.call(owner, 'qr_code_list', 'add_alias', { id, key })).body.aliases;
  await give('west-gate');
  const listed = async () => {
    const { content } = (await test_app.call(owner, 'qr_code_list', 'inquire', { search: 'with-aliases' })).body;
    return content.map(({ forward_path, forwarded_alias }) => ({ forward_path, forwarded_alias }));
  };
  expect(await listed()).toEqual([{ forward_path: null, forwarded_alias: null }]);
  const aliases = await give('east-gate');
  expect(aliases.map(({ key, forward_path }) => [key, forward_path])).toEqual([
    ['west-gate', null],
    ['east-gate', '/east-gate/*'],
  ]);
  expect(await listed()).toEqual([{ forward_path: null, forwarded_alias: { key: 'east-gate', path: '/east-gate/*' } }]);
  const taken = await test_app.call(owner, 'forward', 'add', { domain_id: domain, path: '/West-Gate', url: 'https://example.com/' });
  expect(taken.body.fields).toEqual({ path: 'taken_by_code' });
  const found = await test_app.call(owner, 'forward', 'test', { url: 'https://aliases.example.com/west-gate' });
  expect(found.body).toMatchObject({ outcome: 'code', code: 'west-gate' });
});

test('a short code that no address would ever lead to is refused; generated paths go round forwards', async () => {
  const domain = await makeDomain('s.example.com', 3);
  await forward(domain, '/taken/*');
  expect((await addShort(domain, 'taken')).body.fields).toEqual({ short: 'taken_by_forward' });
  const { body: free } = await addShort(domain, 'free');
  expect(free.added).toBe(1);
  const { id, short_url } = free.results[0] ?? {};
  const moved = await test_app.call(owner, 'short_code', 'regenerate', { id: id ?? 0, short_url: short_url ?? '', short: 'taken' });
  expect(moved.body.fields).toEqual({ short: 'taken_by_forward' });
  expect((await addShort(domain)).body.added).toBe(1);

  const whole = await makeDomain('whole.example.com', 3);
  await forward(whole, '/*');
  const none = (await addShort(whole)).body;
  expect([none.added, none.results[0]?.id]).toEqual([0, null]);
  expect(none.results[0]?.error).toContain('转发');
});

test('an import warns of each row whose code a forward hides', async () => {
  const domain = await makeDomain('import.example.com');
  await forward(domain, '/promo');
  await addCode(domain, 'present');
  await test_app.db.execute(
    sql`INSERT INTO forward (owner_id, domain_id, path, url) VALUES (${owner.id}, ${domain}, '/present', 'https://example.com/')`,
  );
  const header = ['file_name', 'entry_domain', 'target_1', 'name'];
  const rows = [
    ['promo', 'import.example.com', 'https://example.com/', 'A'],
    ['other', 'import.example.com', 'https://example.com/', 'B'],
    ['present', '', 'https://example.com/', 'C'],
    ['', 'import.example.com', 'https://example.com/', 'D'],
  ];
  const plan = { id: '', columns: header, existing: 'update' as const, odd_keys: 'refuse' as const };
  const notesOf = async () => {
    const check = createRowChecker(plan, header, await lookUp(test_app.db, owner.id, plan, rows));
    return rows.map((row, at) => check(row, at + 2)).map(({ action, notes }) => [action, notes.map(({ code }) => code)]);
  };
  expect(await notesOf()).toEqual([
    ['add', ['import_forwarded']],
    ['add', []],
    ['update', ['import_forwarded']],
    ['add', []],
  ]);
  await test_app.db.execute(sql`UPDATE forward SET path = '/*' WHERE domain_id = ${domain} AND path = '/promo'`);
  expect((await notesOf()).map(([, codes]) => codes)).toEqual([
    ['import_forwarded'],
    ['import_forwarded'],
    ['import_forwarded'],
    ['import_forwarded'],
  ]);
});
