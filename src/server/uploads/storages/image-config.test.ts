import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { loopback, startRaw, startS3, testKeys } from '../testing/s3-server.ts';
import { uploadPicture } from '../testing/upload.ts';

let test_app: TestApp;
let admin: TestUser;
let customer: TestUser;
let s3: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  [test_app, s3] = await Promise.all([createTestApp({ allowedNetworks: loopback }), startS3()]);
  [admin, customer] = await Promise.all([test_app.makeUser('administrator'), test_app.makeUser('customer')]);
});
afterAll(async () => {
  await test_app.close();
  await s3.close();
});

let number = 0;
const input = (given: Record<string, unknown> = {}) => {
  number += 1;
  const place = { upload_type: 's3', endpoint: s3.endpoint, region: 'us-east-1', bucket: 'pictures', path_style: true };
  return { name: `storage ${number}`, ...place, ...testKeys, ...given };
};
const send = (action: string, body: Record<string, unknown>, as = admin) => test_app.send(as, `image_config/${action}`, body);
const add = async (given: Record<string, unknown> = {}) => Number((await send('add', input(given))).body.id);
const secretOf = async (id: number) =>
  (await test_app.db.execute<{ access_key_secret: Buffer }>(sql`SELECT access_key_secret FROM image_config WHERE id = ${id}`)).rows[0]
    ?.access_key_secret;

test('there is the local disk from the start, and it takes the uploads', async () => {
  const { body } = await send('inquire', {});
  expect(body.content).toMatchObject([{ id: 1, upload_type: 'local', active: true, enabled: true, has_secret: false }]);
});

describe('the secret', () => {
  test('is sealed at rest, and reaches neither answers nor the log', async () => {
    const secret = 'very-secret-value-71';
    const answers = [await send('add', input({ access_key_secret: secret }))];
    const id = Number(answers[0]?.body.id);
    answers.push(await send('update', { id, access_key_secret: `${secret}-2` }), await send('inquire', {}));
    answers.push(await send('test', { id }), await send('test', { id, access_key_secret: `${secret}-3` }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(JSON.stringify(answers)).not.toContain(secret);
    expect(answers[0]?.body).toMatchObject({ has_secret: true });
    expect((await secretOf(id))?.includes(secret)).toBe(false);
    const { rows } = await test_app.db.execute(sql`SELECT content::text || coalesce(changes::text, '') AS text FROM log`);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test('stays when it is left empty, and opens for no other storage', async () => {
    const [id, other] = [await add(), await add({ access_key_secret: 'wrong' })];
    const before = await secretOf(id);
    for (const access_key_secret of ['', null, undefined]) expect((await send('update', { id, access_key_secret })).status).toBe(200);
    expect(await secretOf(id)).toEqual(before);
    expect((await send('test', { id })).body).toMatchObject({ failed_step: null, error: null });
    await test_app.db.execute(
      sql`UPDATE image_config SET access_key_secret = ${before}, updated_at = clock_timestamp() WHERE id = ${other}`,
    );
    expect((await send('test', { id: other })).body.failed_step).toBe('write');
  });
});

describe('a test', () => {
  const tested = async (given: Record<string, unknown>) => (await send('test', { id: await add(given) })).body;

  test("writes, reads, removes; and tells the storage's own fault", async () => {
    expect(await tested({})).toMatchObject({ failed_step: null, error: null });
    expect(await tested({ access_key_secret: 'wrong' })).toMatchObject({
      failed_step: 'write',
      error: expect.stringMatching(/^SignatureDoesNotMatch/),
    });
    expect(await tested({ bucket: 'missing-bucket' })).toMatchObject({
      failed_step: 'write',
      error: expect.stringMatching(/^NoSuchBucket/),
    });
    expect(await tested({ endpoint: 'http://127.0.0.1:1' })).toMatchObject({
      failed_step: 'write',
      error: 'ECONNREFUSED',
    });
  });

  test('finds a server that takes what it does not keep', async () => {
    const raw = await startRaw((request, response) => {
      request.resume().on('end', () => response.end(request.method === 'GET' ? 'something else' : ''));
    });
    expect(await tested({ endpoint: raw.endpoint })).toMatchObject({ failed_step: 'read', error: 'what was read is not what was written' });
    await raw.close();
  });

  test('is remembered of what is saved, until it is changed; not of what is only typed', async () => {
    const id = await add();
    const row = async () =>
      ((await send('inquire', {})).body.content as { id: number; tested_at: string | null; test_error: string | null }[]).find(
        (each) => each.id === id,
      );
    expect((await send('test', { id, bucket: 'missing-bucket' })).body.failed_step).toBe('write');
    expect(await row()).toMatchObject({ tested_at: null });
    await send('test', { id });
    expect(await row()).toMatchObject({ tested_at: expect.any(String), test_error: null });
    await send('update', { id, save_path: 'elsewhere' });
    expect(await row()).toMatchObject({ tested_at: null });
  });

  test('of a storage that is only typed needs all of it', async () => {
    const { name: _name, ...typed } = input();
    expect((await send('test', typed)).body).toMatchObject({ failed_step: null });
    expect((await send('test', { ...typed, access_key_secret: '' })).body.fields).toEqual({ access_key_secret: 'required' });
    expect((await send('test', { ...typed, endpoint: '', region: '' })).body.fields).toEqual({ region: 'endpoint_or_region' });
    expect((await send('test', {})).body.fields).toEqual({ upload_type: 'required' });
    expect((await send('test', { id: 999_999 })).status).toBe(404);
  });

  test('of the local disk writes to the disk', async () => {
    expect((await send('test', { id: 1 })).body).toMatchObject({ failed_step: null });
  });
});

test('odd addresses, buckets and paths are refused by their field', async () => {
  const faults: [string, unknown][] = [
    ['endpoint', 'ftp://example.com'],
    ['endpoint', 'https://user:pw@example.com'],
    ['endpoint', 'https://example.com?x=1'],
    ['endpoint', 'javascript:alert(1)'],
    ['domain', 'https://'],
    ['domain', 'HTTPS://CDN.example.com'],
    ['domain', 'https://cdn.example.com/"onload=x'],
    ['domain', 'https://cdn.example.com\\@evil.example'],
    ['domain', '//cdn.example.com'],
    ['bucket', '../etc'],
    ['bucket', 'arn:aws:s3:::x'],
    ['bucket', 'UPPER'],
    ['save_path', '../up'],
    ['save_path', 'a/../b'],
    ['save_path', 'a//b'],
    ['save_path', 'a b'],
    ['region', 'x.evil.com/'],
    ['upload_type', 'local'],
    ['access_key_secret', ''],
    ['access_key_id', 'a\nb'],
  ];
  for (const [field, value] of faults) {
    const { status, body } = await send('add', input({ [field]: value }));
    expect([field, value, status, Object.keys(body.fields ?? {})]).toEqual([field, value, 400, [field]]);
  }
  const name = 'twice';
  await add({ name });
  expect((await send('add', input({ name }))).body.fields).toEqual({ name: 'taken' });
});

describe('choosing', () => {
  test('many at the same moment leave exactly one', async () => {
    const ids = await Promise.all([add(), add(), add(), add()]);
    const answers = await Promise.all([...ids, ...ids].map((id) => send('choose', { id })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { rows } = await test_app.db.execute(sql`SELECT id FROM image_config WHERE active`);
    expect(rows).toHaveLength(1);
    await send('choose', { id: 1 });
  });

  test('a storage that is off cannot be chosen, nor the chosen one switched off', async () => {
    const id = await add();
    expect((await send('update_enabled', { ids: [id], enabled: false })).body.affected).toBe(1);
    expect((await send('choose', { id })).body.code).toBe('image_config.is_disabled');
    expect((await send('update_enabled', { ids: [1, id], enabled: false })).body.code).toBe('image_config.is_active');
    expect((await send('choose', { id: 999_999 })).status).toBe(404);
  });
});

describe('a storage with files', () => {
  test('is not removed, keeps its bucket, and still serves when it is off', async () => {
    const id = await add();
    await send('choose', { id });
    const { body } = await uploadPicture(test_app, customer);
    expect((await send('remove', { ids: [id] })).body.code).toBe('image_config.is_active');
    await send('choose', { id: 1 });
    expect((await send('remove', { ids: [id] })).body.code).toBe('image_config.in_use');
    expect((await send('update', { id, bucket: 'another-bucket' })).body.fields).toEqual({ bucket: 'holds_files' });
    await send('update_enabled', { ids: [id], enabled: false });
    expect((await test_app.app.inject({ url: body.url })).statusCode).toBe(200);
    const rows = (await send('inquire', { enabled: false, sort: 'file_count', order: 'desc' })).body.content;
    expect(rows).toMatchObject([{ id, file_count: 1, file_bytes: body.size }, {}]);
  });

  test('the local disk is neither removed nor changed but in its name', async () => {
    expect((await send('remove', { ids: [1] })).body.code).toBe('image_config.local_disk');
    expect((await send('update', { id: 1, endpoint: s3.endpoint })).body.code).toBe('image_config.local_disk');
    expect((await send('update', { id: 1, name: 'Disk' })).body).toMatchObject({ name: 'Disk', upload_type: 'local' });
  });

  test('an empty one goes', async () => {
    const id = await add();
    expect((await send('remove', { ids: [id] })).body.affected).toBe(1);
    expect((await send('update', { id, name: 'gone' })).status).toBe(404);
  });
});

test('customers neither see nor change storages', async () => {
  for (const action of ['inquire', 'add', 'update', 'update_enabled', 'choose', 'test', 'remove'])
    expect((await send(action, {}, customer)).status).toBe(403);
});

test('live codes with pictures are told anew when the public address of their storage changes', async () => {
  const id = await add();
  await send('choose', { id });
  const { body } = await uploadPicture(test_app, customer);
  await send('choose', { id: 1 });
  await test_app.db.execute(sql`
    WITH code AS (INSERT INTO live_code (owner_id, name, file_name) VALUES (${customer.id}, 'x', 'pictured') RETURNING id)
    INSERT INTO live_code_target (live_code_id, kind, file_id, name, sort) SELECT id, 'picture', ${body.id}, 'x', 1 FROM code`);
  await test_app.db.execute(sql`DELETE FROM visit_change`);
  await send('update', { id, save_path: 'no-matter' });
  expect((await test_app.db.execute(sql`SELECT 1 FROM visit_change`)).rows).toEqual([]);
  await send('update', { id, domain: 'https://cdn.example.com/p/' });
  expect((await test_app.db.execute(sql`SELECT kind, key FROM visit_change`)).rows).toEqual([{ kind: 'code', key: 'pictured' }]);
});
