import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';

// Ten past two in the afternoon in Shanghai: fifteen hours of the day have begun.
const now = new Date('2026-03-01T06:10:00.000Z');

let test_app: TestApp;
let owner: TestUser;
beforeAll(async () => {
  test_app = await createTestApp({ now: () => now });
  owner = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());
beforeEach(() => test_app.db.execute(sql`DELETE FROM attempt`));

const add = async (password?: string | null) =>
  (await test_app.call(owner, 'qr_code_list', 'add', { name: 'shared', password, targets: [{ kind: 'text', content: 'x' }] })).body;
const open = (file_name: string, password: string) => test_app.call(undefined, 'qr_code_list', 'share_access', { file_name, password });

test('a shared code shows name and figures to whoever has the password, without a login', async () => {
  const { id, file_name } = await add('pass-word');
  await test_app.db.execute(sql`INSERT INTO live_code_total (live_code_id, visits, ips) VALUES (${id}, 12, 5)`);
  await test_app.db.execute(
    sql`INSERT INTO visit_hour (live_code_id, hour, outcome, visits, ips, new_ips) VALUES (${id}, '2026-03-01T05:00:00Z', 0, 3, 2, 1)`,
  );
  const { status, body } = await open(file_name.toUpperCase(), 'pass-word');
  expect(status).toBe(200);
  expect(body).toMatchObject({ id, name: 'shared', view_number: 12, ip_view_number: 5, today_view_number: 3, today_ip_view_number: 2 });
  expect(body.series).toHaveLength(15);
  expect(body.series?.[13]).toEqual({ at: '2026-03-01T05:00:00.000Z', visits: 3, ips: 2, new_ips: 1, refused: 0, programs: 0, own: 0 });
  expect(Object.keys(body).sort()).toEqual(
    [
      'by_key',
      'from',
      'id',
      'ip_view_number',
      'is_locked',
      'name',
      'series',
      'to',
      'today_ip_view_number',
      'today_view_number',
      'view_number',
    ].sort(),
  );
});

test('an unknown code, one that is not shared, one that is removed and a wrong password get the same answer', async () => {
  const shared = await add('pass-word');
  const removed = await add('pass-word');
  await test_app.call(owner, 'qr_code_list', 'update_remove', { ids: [removed.id], removed: true });
  const answers = [
    await open('no-such-code', 'pass-word'),
    await open((await add()).file_name, 'pass-word'),
    await open((await add(null)).file_name, ''.padEnd(4)),
    await open(removed.file_name, 'pass-word'),
    await open(shared.file_name, 'Pass-word'),
    await open(shared.file_name, 'pass-word '),
  ];
  for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]?.body]);
  expect(answers[0]?.body.code).toBe('share.not_available');
});

test('the right password is never counted, however often a viewer asks', async () => {
  const { file_name } = await add('pass-word');
  const answers = await Promise.all(Array.from({ length: 40 }, () => open(file_name, 'pass-word')));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
  expect((await test_app.db.execute(sql`SELECT 1 FROM attempt`)).rows).toEqual([]);
});

test('after ten wrong tries in a quarter of an hour even the right one is refused, for this code and address', async () => {
  const { file_name } = await add('pass-word');
  const other = await add('pass-word');
  for (let tried = 0; tried < 10; tried++) expect((await open(file_name, `wrong ${tried}`)).status).toBe(404);
  const refused = await open(file_name, 'pass-word');
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_attempts']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
  expect((await open(other.file_name, 'pass-word')).status).toBe(200);
  const elsewhere = await test_app.app.inject({
    method: 'POST',
    url: '/api/qr_code_list/share_access',
    remoteAddress: '203.0.113.7',
    payload: { file_name, password: 'pass-word' },
  });
  expect(elsewhere.statusCode).toBe(200);
  await test_app.db.execute(sql`UPDATE attempt SET window_ends_at = now() - interval '1 second'`);
  expect((await open(file_name, 'pass-word')).status).toBe(200);
});

test('guesses sent all at once are looked at ten times and no more; an unknown code is no different', async () => {
  for (const file_name of [(await add('pass-word')).file_name, 'no-such-code']) {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => open(file_name, `guess ${index}`)));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(404), count(429)]).toEqual([10, 30]);
  }
});

test('the password can be changed and taken off, and is kept only as a keyed hash', async () => {
  const one = await add('same-word');
  const two = await add('same-word');
  const { rows } = await test_app.db.execute<{ share_password_hash: Buffer }>(
    sql`SELECT share_password_hash FROM live_code WHERE id IN (${one.id}, ${two.id}) ORDER BY id`,
  );
  expect(rows.map((row) => row.share_password_hash.length)).toEqual([32, 32]);
  expect(rows[0]?.share_password_hash.equals(rows[1]?.share_password_hash ?? Buffer.alloc(0))).toBe(false);
  const change = (password: string | null) => test_app.call(owner, 'qr_code_list', 'update', { id: one.id, password });
  expect((await change('next-word')).body.has_password).toBe(true);
  expect([(await open(one.file_name, 'same-word')).status, (await open(one.file_name, 'next-word')).status]).toEqual([404, 200]);
  expect((await change(null)).body.has_password).toBe(false);
  expect((await open(one.file_name, 'next-word')).status).toBe(404);
  expect((await change('abc')).body.fields).toEqual({ password: 'too_short' });
  expect(JSON.stringify((await change('next-word')).body)).not.toContain('hash');
});

const bound = (id: number, input: object = {}) =>
  test_app.send(owner, 'qr_code_list/update_share', {
    id,
    expires_at: null,
    from: null,
    to: null,
    figures: ['visits', 'ips', 'by_hour'],
    ...input,
  });

test('a page that expired answers like that of a code that is not shared, for the access records, too', async () => {
  const { id, file_name } = await add('pass-word');
  expect((await bound(id, { expires_at: '2026-03-01T06:00:00.000Z' })).body.fields).toEqual({ expires_at: 'in_the_past' });
  expect((await bound(id, { expires_at: '2026-03-01T07:00:00.000Z' })).status).toBe(200);
  expect((await open(file_name, 'pass-word')).status).toBe(200);
  await test_app.db.execute(sql`UPDATE live_code_share SET expires_at = ${now.toISOString()} WHERE live_code_id = ${id}`);
  const { status, body } = await open(file_name, 'pass-word');
  expect([status, body.code]).toEqual([404, 'share.not_available']);
});

test('a viewer sees the days and the figures that were chosen, and nothing else', async () => {
  const { id, file_name } = await add('pass-word');
  await test_app.db.execute(sql`INSERT INTO live_code_total (live_code_id, visits, ips) VALUES (${id}, 30, 20)`);
  for (const [hour, visits] of [
    ['2026-02-20T05:00:00Z', 10],
    ['2026-02-25T05:00:00Z', 15],
    ['2026-03-01T05:00:00Z', 5],
  ])
    await test_app.db.execute(
      sql`INSERT INTO visit_hour (live_code_id, hour, outcome, visits, ips, new_ips) VALUES (${id}, ${hour}, 0, ${visits}, 2, 1)`,
    );
  expect((await bound(id, { from: '2026-03-02', to: '2026-03-01' })).body.fields).toEqual({ to: 'share_range' });
  expect((await bound(id, { figures: [] })).body.fields).toEqual({ figures: 'required' });
  await bound(id, { from: '2026-02-24', to: '2026-02-28', figures: ['by_hour', 'visits'] });
  expect((await open(file_name, 'pass-word')).body).toMatchObject({
    view_number: 15,
    ip_view_number: null,
    today_view_number: null,
    series: null,
    from: '2026-02-24',
    to: '2026-02-28',
  });
  await bound(id, { from: '2026-02-24', figures: ['visits', 'ips'] });
  expect((await open(file_name, 'pass-word')).body).toMatchObject({
    view_number: 20,
    ip_view_number: 4,
    today_view_number: 5,
    series: null,
  });
  const settings = (await test_app.call(owner, 'qr_code_list', 'share_settings', { id })).body;
  expect(settings).toEqual({ expires_at: null, from: '2026-02-24', to: null, figures: ['visits', 'ips'] });
});

test('an alias opens the page like the own key, which it does not tell, and wrong tries count for the code', async () => {
  const { id, file_name } = await add('pass-word');
  for (const key of ['share-east', 'share-west']) await test_app.call(owner, 'qr_code_list', 'add_alias', { id, key });
  const { status, body } = await open('Share-East', 'pass-word');
  expect([status, body.id]).toEqual([200, id]);
  expect(JSON.stringify(body)).not.toContain(file_name);
  const keys = [file_name, 'share-east', 'share-west'];
  for (let tried = 0; tried < 10; tried++) expect((await open(keys[tried % 3] ?? '', `wrong ${tried}`)).status).toBe(404);
  for (const key of keys) expect((await open(key, 'pass-word')).status).toBe(429);
});

test('visits by key are shown of the days and where they were chosen, and of a code with aliases only', async () => {
  const { id, file_name } = await add('pass-word');
  const seen = async () => (await open(file_name, 'pass-word')).body.by_key;
  const [alias] = (await test_app.call(owner, 'qr_code_list', 'add_alias', { id, key: 'gate-east', remark: '东门' })).body.aliases;
  await test_app.db.execute(sql`INSERT INTO live_code_total (live_code_id, visits, ips) VALUES (${id}, 30, 20)`);
  for (const [hour, all, byAlias] of [
    ['2026-02-20T05:00:00Z', 10, 4],
    ['2026-02-25T05:00:00Z', 20, 5],
  ]) {
    await test_app.db.execute(
      sql`INSERT INTO visit_hour (live_code_id, hour, outcome, visits, ips, new_ips) VALUES (${id}, ${hour}, 0, ${all}, 2, 1)`,
    );
    await test_app.db.execute(
      sql`INSERT INTO visit_hour_key (live_code_id, key_id, hour, visits) VALUES (${id}, ${alias?.id}, ${hour}, ${byAlias})`,
    );
  }
  expect(await seen()).toBeNull();
  await bound(id, { figures: ['by_key'] });
  const keys = { id: alias?.id, key: 'gate-east', remark: '东门' };
  expect(await seen()).toEqual({ file_name, own: 21, aliases: [{ ...keys, visits: 9 }], removed: 0 });
  await bound(id, { from: '2026-02-24', to: '2026-02-28', figures: ['by_key'] });
  expect(await seen()).toEqual({ file_name, own: 15, aliases: [{ ...keys, visits: 5 }], removed: 0 });
  await test_app.call(owner, 'qr_code_list', 'remove_alias', { id, alias_id: alias?.id ?? 0 });
  expect(await seen()).toBeNull();
});
